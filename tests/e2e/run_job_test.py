"""A job under the keeper's terminal: started as without gputop, typed into, resized, signaled, ended, followed."""
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import processes
import run_jobs  # noqa: E402

BIRTH = r"""
import json, os, resource, signal, sys
mask = os.umask(0); os.umask(mask)
status = dict(line.split(":\t", 1) for line in open("/proc/self/status").read().splitlines() if ":\t" in line)
born = {
    "environment": {k: v for k, v in os.environ.items() if k not in ("GPUTOP_RUN", "_", "LC_CTYPE")},
    "cwd": os.getcwd(), "umask": mask, "argv0": sys.orig_argv[0],
    "limits": {n: resource.getrlimit(getattr(resource, n)) for n in dir(resource) if n.startswith("RLIMIT_")},
    "blocked": status["SigBlk"], "ignored": status["SigIgn"], "pending": status["ShdPnd"], "nice": os.nice(0),
    "oom": open("/proc/self/oom_score_adj").read(),
    "descriptors": [n for n in sorted(map(int, os.listdir("/proc/self/fd"))) if n < 700 and os.path.exists(f"/proc/self/fd/{n}")],
}
open(sys.argv[1], "w").write(json.dumps(born, sort_keys=True))
"""


def checked(test):
    """Runs one test that makes a Run; nothing may be left of it."""
    run = test()
    left = run.close()
    assert not left, f"{test.__name__}: left behind: {left}"
    print(f"ok {test.__name__}")


def unusual_birth():
    os.umask(0o027)
    resource.setrlimit(resource.RLIMIT_NOFILE, (777, 2000))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 4096))
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR2, signal.SIGTERM})
    os.nice(3)


def birth_is_unchanged():
    """With everything set unusually, the job sees the same with and without gputop (the two spares above 700 aside)."""
    run = run_jobs.Run(["true"])
    run.end()
    command = [sys.executable, "-c", BIRTH]
    extra = os.open("/dev/null", os.O_RDONLY)
    os.dup2(extra, 7)
    env = {**os.environ, "WEIRD": "a=b\nc", "EMPTY": ""}
    options = dict(preexec_fn=unusual_birth, pass_fds=[7], cwd="/", env=env)
    subprocess.run([*command, f"{run.dir}/without"], check=True, **options)
    tool = [run_jobs.TOOL, "--out", str(run.dir), "--root", str(run.root)]
    for kind, mode in (("pty", []), ("pipes", ["--pipes"])):
        subprocess.run([*tool, *mode, "--", *command, f"{run.dir}/{kind}"], check=True, stdout=subprocess.DEVNULL, **options)
        run_jobs.wait_for((run.dir / kind).exists, "the job's report")
        without = json.loads((run.dir / "without").read_text())
        born = run_jobs.wait_for(lambda: (t := (run.dir / kind).read_text()) and json.loads(t), "the job's report")
        for key, value in without.items():
            assert born[key] == value, f"{kind}: {key} is {born[key]}, without gputop {value}"
    run_jobs.wait_for(lambda: not list(run.root.iterdir()), "the run's end")
    return run


def exit_codes_and_signals():
    for command, code in (("exit 0", 0), ("exit 7", 7), ("kill -9 $$", 137), ("kill -TERM $$", 143)):
        run = run_jobs.Run(["sh", "-c", command])
        end = run.end()
        assert end["exit_code"] == code, (command, end)
        if code != 143:
            run.close()
    return run


def script_without_interpreter_line():
    run = run_jobs.Run(["true"])
    run.end()
    script = run.dir / "script"
    script.write_text("echo \"plain $1\"\n")
    script.chmod(0o755)
    other = run_jobs.Run([str(script), "text"])
    assert other.code == 0, other.errors
    other.end()
    assert other.output() == b"plain text\r\n", other.output()
    other.close()
    return run


def typing_and_resizing():
    run = run_jobs.Run(["sh", "-c", "trap 'stty size' WINCH; stty size; read line; echo \"got $line\"; "
                                    "while ! read line; do :; done; echo \"then $line\""], "--size", "11x22")
    run_jobs.wait_for(lambda: b"11 22" in run.output(), "the first size")
    run.order("type some words")
    run_jobs.wait_for(lambda: b"got some words" in run.output(), "the typed line")
    run.order("resize 33 44")
    run_jobs.wait_for(lambda: b"33 44" in run.output(), "the second size")
    run.order("type more")
    assert run.end()["exit_code"] == 0
    assert b"then more" in run.output()
    return run


def resizes_are_rationed():
    # The job counts until the last size has come, however long the machine takes to give the orders.
    run = run_jobs.Run([sys.executable, "-c", "import os, signal, time\nn = 0\ndef f(*a):\n  global n; n += 1\n"
                        "signal.signal(signal.SIGWINCH, f)\nprint('ready', flush=True)\nbegin = time.time()\n"
                        "while os.get_terminal_size(1) != (1000, 500) and time.time() < begin + 30: time.sleep(0.01)\n"
                        "print('count', n, time.time() - begin, os.get_terminal_size(1))"])
    run_jobs.wait_for(lambda: b"ready" in run.output(), "the job")
    for i in range(1000):
        run.order(f"resize {1 + i % 50} {1 + i % 90}")
    run.order("resize 500 1000")
    run.end()
    count, seconds = run.output().split(b"count ")[1].split()[:2]
    assert 1 <= int(count) <= 10 * float(seconds) + 2, f"{count} SIGWINCH in {seconds} s"
    assert b"columns=1000, lines=500" in run.output(), run.output()
    return run


def typing_to_a_job_that_does_not_read():
    run = run_jobs.Run(["sh", "-c", "stty raw -echo; touch {dir}/raw; sleep 1.5; exec kill -9 $$"])
    run_jobs.wait_for((run.dir / "raw").exists, "the job")
    run.order("flood 400000")
    end = run.end()
    assert end["refused"] > 100000, f"a full terminal took everything: {end}"
    assert end["starts"] == 1, end
    return run


def deaf_to_sigterm():
    run = run_jobs.Run(["sh", "-c", "trap 'echo no' TERM; echo ready; while :; do sleep 0.05; done"])
    run_jobs.wait_for(lambda: b"ready" in run.output(), "the job")
    run.order("signal 15 0")
    run_jobs.wait_for(lambda: b"no" in run.output(), "its answer")
    processes.send(run.keeper, signal.SIGTERM)  # asks the job, does not hurt the keeper
    processes.send(run.keeper, signal.SIGHUP)
    processes.send(run.keeper, signal.SIGINT)
    run_jobs.wait_for(lambda: run.output().count(b"no") >= 2, "its second answer")
    assert run_jobs.alive(run.keeper) and run_jobs.alive(run.job)
    run.order("signal 9 1")
    assert run.end()["exit_code"] == 137
    return run


def daemonised_grandchild_is_reported():
    run = run_jobs.Run(["sh", "-c", "setsid sh -c 'echo $$ > {dir}/daemon; exec sleep 30' >/dev/null 2>&1 </dev/null & "
                                    "while ! [ -s {dir}/daemon ]; do sleep 0.01; done; exit 5"])
    end = run.end()
    daemon = int((run.dir / "daemon").read_text())
    assert end["exit_code"] == 5 and daemon in end["strays"], (daemon, end)
    assert run_jobs.alive(daemon), "the run's end killed a daemon of the user's"
    processes.send(daemon, signal.SIGKILL)
    return run


def signal_to_the_whole_tree():
    run = run_jobs.Run(["sh", "-c", "setsid sleep 30 & setsid sleep 31 & echo ready; wait; wait"])
    run_jobs.wait_for(lambda: b"ready" in run.output(), "the job")
    time.sleep(0.2)
    run.order("signal 9 3")
    strays = run.end()["strays"]  # counted while they were dying, perhaps
    run_jobs.wait_for(lambda: not any(map(run_jobs.alive, strays)), "the whole tree's death", 5)
    return run


def closed_terminal_and_reopened():
    run = run_jobs.Run(["sh", "-c", "exec </dev/null >/dev/null 2>&1; sleep 0.5; echo again >/dev/tty; sleep 0.3"])
    assert run.end()["exit_code"] == 0
    assert run.output() == b"again\r\n", run.output()
    return run


def large_output_at_the_very_end():
    run = run_jobs.Run(["sh", "-c", "head -c 3000000 /dev/zero | tr '\\0' y; exit 3"])
    assert run.end()["exit_code"] == 3
    assert run.output() == b"y" * 3000000, len(run.output())
    return run


def small_ring_wraps():
    run = run_jobs.Run([*run_jobs.ME, "1.5", "{report}"], ring=1)  # the smallest there is
    assert run.end()["exit_code"] == 0
    run.check_flood()
    return run


for each in (birth_is_unchanged, exit_codes_and_signals, script_without_interpreter_line, typing_and_resizing,
             resizes_are_rationed, typing_to_a_job_that_does_not_read, deaf_to_sigterm, daemonised_grandchild_is_reported,
             signal_to_the_whole_tree, closed_terminal_and_reopened, large_output_at_the_very_end, small_ring_wraps):
    checked(each)
