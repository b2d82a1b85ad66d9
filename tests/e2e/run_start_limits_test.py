"""The whole program with tight limits: few descriptors, no room in files, little memory. The job runs as it would without
gputop, which says what it cannot do; nothing is left behind. The job does not run only if gputop itself cannot be loaded."""
import pathlib
import resource
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from sanitized import SANITIZERS  # noqa: E402
from whole_run import WholeRun  # noqa: E402

JOB = ("sh", "-c", "echo printed; exit 7")


def attempt(what, limit, value):
    run = WholeRun()
    done = subprocess.run(run.words(*JOB), env=run.env, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
                          preexec_fn=lambda: resource.setrlimit(limit, (value, value)))
    ran = (done.stdout, done.returncode) == ("printed\n", 7)
    refused = done.returncode in (1, 125, 126, 127) and done.stdout == "" and "gputop" in done.stderr
    assert ran or (refused and what == "memory"), (what, value, done)
    run.wait_end()
    left = run.close()
    assert not left, f"{what} {value}: left behind: {left}"
    return ran


def on_a_terminal(value):
    """What it prints is to be seen, at whatever limit, and its exit code arrives; nobody waits for engines that cannot live."""
    run = WholeRun()
    limits = f"ulimit -n {value}; exec \"$@\""
    terminal = run.on_terminal(["bash", "-c", limits, "bash", *run.words("sh", "-c", "echo pri\"\"nted; ulimit -Sn; exit 7")], until=None)
    assert terminal.wait_end() == 7, (value, terminal.text())
    text = bytes(terminal.received)
    assert b"printed" in text and str(value).encode() in text, (value, text)
    assert terminal.restored(), terminal.complaints()
    run.wait_end()
    left = run.close()
    assert not left, f"{value} descriptors on a terminal: left behind: {left}"


def a_soft_limit_is_no_limit_for_gputop():
    """It has what it needs; the job has what it was given."""
    run = WholeRun()
    words = ["bash", "-c", 'ulimit -Sn 20; exec "$@"', "bash", *run.words("sh", "-c", "ulimit -Sn; exit 7")]
    done = subprocess.run(words, env=run.env, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    assert (done.stdout, done.returncode) == ("20\n", 7), done
    assert "recorded in" in done.stderr and run.output() == b"20\n", done
    run.wait_end()
    left = run.close()
    assert not left, f"a soft limit: left behind: {left}"


outcomes = {"ran": 0, "refused": 0}
for limit in (5, 8, 10, 12, 14, 17, 20, 24, 32):
    outcomes["ran" if attempt("descriptors", resource.RLIMIT_NOFILE, limit) else "refused"] += 1
assert attempt("descriptors", resource.RLIMIT_NOFILE, 64), "64 descriptors are plenty"
for limit in (8, 16, 24, 40, 63):
    on_a_terminal(limit)
a_soft_limit_is_no_limit_for_gputop()
if "thread" in SANITIZERS:
    print("skipped, because ThreadSanitizer itself writes a file before main: files of no size")
else:
    outcomes["ran" if attempt("file size", resource.RLIMIT_FSIZE, 0) else "refused"] += 1
if SANITIZERS:
    print(f"skipped, because -fsanitize={SANITIZERS} itself needs terabytes of addresses: little memory")
for megabytes in () if SANITIZERS else (16, 64, 128, 256):
    outcomes["ran" if attempt("memory", resource.RLIMIT_AS, megabytes << 20) else "refused"] += 1
print(f"small limits: {outcomes['ran']} jobs ran, {outcomes['refused']} starts were refused with the reason")
