"""The whole program under a flooding job: its engine is killed -9 a hundred times, stopped, and killed for good. Every byte
the job printed is recorded once, and the job does not wait."""
import os
import pathlib
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import processes
import run_jobs  # noqa: E402
from bare_flood import BareFlood, best_attempt, check_kept_going  # noqa: E402
from whole_run import WholeRun  # noqa: E402

KILLS = int(os.environ.get("GPUTOP_KILLS", "100"))


def size_of(run):
    return run.recording.stat().st_size if run.recording.exists() else 0


def killed_again_and_again():
    """Each one a while after it has written something: in the middle of its work. (Engines that never live long enough to
    record anything cannot keep up with a flood; the recording marks what they missed.)"""
    run = WholeRun()
    bare = BareFlood()
    terminal = run.flood(95)
    job, kills, last, began = run.pid("job"), 0, 0, time.monotonic()
    while kills < KILLS and run_jobs.alive(job) and time.monotonic() < began + 90:
        size = size_of(run)
        engine = run_jobs.wait_for(lambda: [e for e in run.engines() if e != last], "another engine")[-1]
        end = time.monotonic() + 2
        while size_of(run) == size and time.monotonic() < end:
            terminal.pump(0.002)
        time.sleep(0.12 + 0.007 * (kills % 16))
        processes.send(engine, signal.SIGKILL)
        kills, last = kills + 1, engine
    assert run_jobs.alive(job), "the job ended before the kills did"
    processes.send(job, signal.SIGUSR1)  # enough
    run.wait_end()
    allowed = bare.longest_gap()
    assert kills >= min(KILLS, 30), f"only {kills} kills: too slow a machine to say anything"
    assert len(run.events("run")) == 1, run.events("run")
    assert run.events("run_ended")[-1]["exit_code"] == 0
    check_kept_going(f"{kills} kills -9 of the engine", run.check_flood(), allowed)
    return run


def stopped_and_continued():
    """Another takes its place; the old one touches nothing when it continues."""
    run = WholeRun()
    bare = BareFlood()
    terminal = run.flood(13)
    stopped = run.engines()[-1]
    processes.send(stopped, signal.SIGSTOP)
    run_jobs.wait_for(lambda: run.pump() or [e for e in run.engines() if e != stopped], "a second engine")
    end = time.monotonic() + 10
    while time.monotonic() < end:
        terminal.pump(0.1)
    try:
        processes.send(stopped, signal.SIGCONT)
    except ProcessLookupError:
        pass  # killed while it was stopped
    run.wait_end()
    allowed = bare.longest_gap()
    check_kept_going("engine stopped for 10 s", run.check_flood(), allowed)
    return run


for test in (killed_again_and_again, stopped_and_continued):
    run = best_attempt(test)
    left = run.close()
    assert not left, f"{test.__name__}: left behind: {left}"
