"""Every system call of starting a run fails once: a message names it, and nothing is left behind. Once this process belongs to the run
(headless), the command runs anyway; before that, its starter says what it does instead (gputop runs the command without itself)."""
import errno
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import run_jobs  # noqa: E402

STARTER = ("mkdir", "memfd_create", "ftruncate", "seal", "mmap", "map", "eventfd")
TERMINAL = ("posix_openpt", "grantpt", "unlockpt", "ptsname", "open_slave", "tcsetattr", "winsize", "report_pipe",
            "fork_keeper", "exec_keeper")
KEEPER = ("signalfd", "failure_pipe", "fork_job")
CHILD = ("setsid", "TIOCSCTTY", "dup2", "execve")
CHILD_OF_PIPES = ("dup2", "execve")
PIPES = ("job_pipe", "dup_output", "exec_keeper")
NAMED = {"mkdir": "root", "seal": "fcntl", "map": "mmap", "open_slave": "/dev/pts", "winsize": "TIOCSWINSZ",
         "report_pipe": "pipe2", "fork_keeper": "fork", "exec_keeper": "exec",
         "failure_pipe": "pipe2", "fork_job": "starting", "job_pipe": "pipe2", "dup_output": "dup"}
CODES = (errno.EMFILE, errno.ENOMEM, errno.EAGAIN, errno.ENOSPC)


def attempt(here, call, code, *mode):
    env = {**os.environ, "RUN_TOOL_FAIL": f"{call}:{code}"}
    return subprocess.run([run_jobs.TOOL, *mode, "--out", str(here), "--root", str(here / "root"), "--", "touch",
                           str(here / "ran")], capture_output=True, text=True, env=env, timeout=30)


def check(here, result, call, code, runs):
    assert result.returncode in ((0,) if runs else (125, 126)), (call, result)
    assert NAMED.get(call, call) in result.stderr, f"{call}: the message does not name it: {result.stderr}"
    assert os.strerror(code) in result.stderr, f"{call}: the message does not say why: {result.stderr}"
    assert (here / "ran").exists() == runs, f"{call}: the job {'did not run' if runs else 'ran although its start failed'}"
    (here / "ran").unlink(missing_ok=True)
    assert not list((here / "root").iterdir()), f"{call}: files left behind"


here = pathlib.Path(tempfile.mkdtemp(prefix="run_test."))
(here / "root").mkdir(mode=0o700)
count = 0
for calls, modes in ((STARTER, ([], ["--pipes"])), (TERMINAL, ([],)), (KEEPER, ([], ["--pipes"])), (CHILD, ([],)),
                     (PIPES, (["--pipes"],)), (CHILD_OF_PIPES, (["--pipes"],))):
    for call in calls:
        for mode in modes:
            code = CODES[count % len(CODES)]
            check(here, attempt(here, call, code, *mode), call, code, bool(mode) and calls in (KEEPER, CHILD_OF_PIPES))
            count += 1

# A failed start of the engine does not end the job: it is tried again.
for call in ("socketpair", "fork_engine"):
    result = attempt(here, call, errno.EAGAIN, "--pipes")
    assert result.returncode == 0 and (here / "ran").exists(), (call, result)
    (here / "ran").unlink()

# Real limits: no descriptors left, at every count.
for limit in range(4, 16):
    result = subprocess.run([run_jobs.TOOL, "--out", str(here), "--root", str(here / "root"), "--", "touch",
                             str(here / "ran")], capture_output=True, text=True, timeout=30,
                            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit)))
    if result.returncode == 0:
        run_jobs.wait_for((here / "ran").exists, f"the job with {limit} descriptors")
        (here / "ran").unlink()
        run_jobs.wait_for(lambda: not list((here / "root").iterdir()), "its end")
    else:
        assert os.strerror(errno.EMFILE) in result.stderr, (limit, result)
        assert not list((here / "root").iterdir()), f"limit {limit}: files left behind"

# No memory file that large.
result = subprocess.run([run_jobs.TOOL, "--ring", str(1 << 62), "--out", str(here), "--root", str(here / "root"), "--", "true"],
                        capture_output=True, text=True, timeout=30)
assert result.returncode == 125 and "output ring" in result.stderr, result


class Handle:
    dir = here


time.sleep(0.2)
left = run_jobs.Run.close(Handle)
assert not left, f"left behind: {left}"
print(f"{count} failures of the start, each named")
