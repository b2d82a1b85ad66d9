"""Every engine dies at once: the job is not delayed, the oldest output is dropped, and in the end nothing is left."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import processes
import run_jobs  # noqa: E402
from bare_flood import BareFlood, best_attempt, check_kept_going  # noqa: E402


def never_lives():
    bare = BareFlood()
    run = run_jobs.Run([*run_jobs.ME, "4", "{report}"], ring=1)  # of half a megabyte
    try:
        assert run.code == 0, run.errors
        (run.dir / "stream0").unlink(missing_ok=True)
        (run.dir / "stream0").symlink_to("/dev/full")  # where no engine can record anything
        for engine in run.engines():
            processes.send(engine, run_jobs.signal.SIGKILL)
        run_jobs.wait_for(pathlib.Path(run.report).exists, "the job's end")
        allowed = bare.longest_gap()
        report = json.loads(pathlib.Path(run.report).read_text())
        check_kept_going("no engine lives", report, allowed)
        assert report["lines"] * 200 > 4 * 512 * 1024, "the job was held up"
        run_jobs.wait_for(lambda: not run_jobs.alive(run.keeper), "the keeper to give up", 60)
        assert not list(run.root.iterdir())
    finally:
        left = run.close()
    assert not left, f"left behind: {left}"


best_attempt(never_lives)
