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


outcomes = {"ran": 0, "refused": 0}
for limit in (5, 8, 10, 12, 14, 17, 20, 24, 32):
    outcomes["ran" if attempt("descriptors", resource.RLIMIT_NOFILE, limit) else "refused"] += 1
assert attempt("descriptors", resource.RLIMIT_NOFILE, 64), "64 descriptors are plenty"
if "thread" in SANITIZERS:
    print("skipped, because ThreadSanitizer itself writes a file before main: files of no size")
else:
    outcomes["ran" if attempt("file size", resource.RLIMIT_FSIZE, 0) else "refused"] += 1
if SANITIZERS:
    print(f"skipped, because -fsanitize={SANITIZERS} itself needs terabytes of addresses: little memory")
for megabytes in () if SANITIZERS else (16, 64, 128, 256):
    outcomes["ran" if attempt("memory", resource.RLIMIT_AS, megabytes << 20) else "refused"] += 1
print(f"small limits: {outcomes['ran']} jobs ran, {outcomes['refused']} starts were refused with the reason")
