"""The engine is killed -9 a hundred times under a flooding job: no byte is lost or doubled, and the job does not notice."""
import pathlib
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import processes
import run_jobs  # noqa: E402
from bare_flood import BareFlood, best_attempt, check_kept_going  # noqa: E402


def killed_a_hundred_times():
    bare = BareFlood()
    run = run_jobs.Run([*run_jobs.ME, "14", "{report}"])
    try:
        assert run.code == 0, run.errors
        kills, last = 0, 0
        while kills < 100 and run_jobs.alive(run.job):
            engine = run.engine()
            if engine == last:
                time.sleep(0.002)
                continue
            time.sleep(0.02)
            try:
                processes.send(engine, signal.SIGKILL)
            except ProcessLookupError:
                continue
            kills, last = kills + 1, engine
        end = run.end()
        allowed = bare.longest_gap()
        report = run.check_flood()
        assert end["exit_code"] == 0, end
        assert kills >= 30, f"only {kills} kills while the job ran: too slow a machine to say anything"
        assert end["starts"] >= kills, (end, kills)  # the last kill may have come when no engine was wanted any more
        check_kept_going(f"{kills} kills -9 of the engine", report, allowed)
    finally:
        left = run.close()
    assert not left, f"left behind: {left}"


best_attempt(killed_a_hundred_times)
