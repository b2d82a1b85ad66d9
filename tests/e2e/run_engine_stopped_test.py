"""The engine is stopped for 10 s and then continued: another takes its place, the old one touches nothing."""
import pathlib
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import processes
import run_jobs  # noqa: E402
from bare_flood import BareFlood, best_attempt, check_kept_going  # noqa: E402


def stopped_for_a_while():
    bare = BareFlood()
    run = run_jobs.Run([*run_jobs.ME, "12", "{report}"])
    try:
        assert run.code == 0, run.errors
        stopped = run.engine()
        time.sleep(0.5)
        processes.send(stopped, signal.SIGSTOP)
        at = time.monotonic()
        run_jobs.wait_for(lambda: run.engines()[-1] != stopped, "a second engine")
        replaced = time.monotonic() - at
        time.sleep(max(0.0, 10 - replaced))
        try:
            processes.send(stopped, signal.SIGCONT)
        except ProcessLookupError:
            pass  # killed while it was stopped
        end = run.end()
        allowed = bare.longest_gap()
        report = run.check_flood()
        assert not (run.dir / "lost0").exists(), "output was overwritten unread"
        assert end["exit_code"] == 0 and end["starts"] == 2, end
        check_kept_going(f"stuck engine replaced after {replaced:.2f} s", report, allowed)
    finally:
        left = run.close()
    assert not left, f"left behind: {left}"


best_attempt(stopped_for_a_while)
