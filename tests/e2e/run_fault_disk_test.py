"""The whole program with a disk that is full, cannot be written to, or hangs: the job is unaffected, and the recording says
what is missing."""
import os
import pathlib
import resource
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import run_jobs  # noqa: E402
from bare_flood import BareFlood, best_attempt, check_kept_going  # noqa: E402
from sanitized import SANITIZERS, check_memory  # noqa: E402
from whole_run import GPUTOP, RECORDING_TOOL, WholeRun  # noqa: E402

HANGING_DISK = os.environ["GPUTOP_HANGING_DISK"]


def noted(run):
    return " ".join(event["text"] for event in run.events("noted"))


def full():
    """A limit on file sizes acts like a full disk; the job's own report is small enough."""
    run = WholeRun()
    bare = BareFlood()
    noise = "import os, sys\nsys.argv[1:] = ['4', sys.argv[1]]\n" + pathlib.Path(run_jobs.__file__).read_text().replace(
        'b"x" * 186', "os.urandom(93).hex().encode()")
    script = run.dir / "noise.py"
    script.write_text(noise)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, limits[1]))
    try:
        terminal = run.open(sys.executable, str(script), "{report}", PYTHONPATH=str(pathlib.Path(run_jobs.__file__).parent))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert terminal.wait_end(60) == 0
    assert "the recording is incomplete" in terminal.text(), terminal.text()
    run.wait_end()
    allowed = bare.longest_gap()
    check_kept_going("disk full", run.flood_report(), allowed)
    assert run.recording.stat().st_size <= 1 << 20
    subprocess.run([RECORDING_TOOL, "events", str(run.recording)], check=True, stdout=subprocess.DEVNULL)
    return run


def not_writable():
    run = WholeRun()
    words = [GPUTOP, "--record", "/proc/no/such/place.gputop", "--source", "sim:idle", "--", "sh", "-c", "echo printed; exit 4"]
    terminal = run.on_terminal(words, until=None)
    assert terminal.wait_end(60) == 4
    assert "not recorded" in terminal.text() and "/proc/no" in terminal.text(), terminal.text()
    run.wait_end()
    return run


def hanging():
    """For longer than the ring lasts; when the disk answers again, the recording continues and says what is missing."""
    run = WholeRun()
    bare = BareFlood()
    flag = run.dir / "hang"
    terminal = run.flood(10, LD_PRELOAD=HANGING_DISK, HANG_WHILE=str(flag))
    engine = run.engines()[-1]
    flag.touch()
    end = time.monotonic() + 6
    while time.monotonic() < end:
        terminal.pump(0.1)
    assert run.engines() == [engine], "the engine was taken for dead"
    check_memory("the engine", run.rss(engine), 64 << 20)
    flag.unlink()
    assert terminal.wait_end(60) == 0
    run.wait_end()
    allowed = bare.longest_gap()
    check_kept_going("disk hangs", run.flood_report(), allowed)
    marked = run.events("gap") or "overwritten" in noted(run)
    if SANITIZERS and not marked:
        print(f"not checked, because the flood is slow in a build with -fsanitize={SANITIZERS}: a ring that overflows. All is there instead")
        run.check_flood()
        return run
    assert marked, "the gap is not marked"
    return run


for test in (full, not_writable, hanging):
    run = best_attempt(test)
    left = run.close()
    assert not left, f"{test.__name__}: left behind: {left}"
    print("ok", test.__name__, flush=True)
