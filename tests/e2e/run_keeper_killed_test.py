"""The keeper is killed -9, then keeper and engine together: the job lives and is taken over."""
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import processes
import run_jobs  # noqa: E402

ENDED_UNKNOWN = 4  # run::JobState


def keeper_alone():
    run = run_jobs.Run([*run_jobs.ME, "4", "{report}"])
    try:
        assert run.code == 0, run.errors
        run.engine()
        time.sleep(0.5)
        processes.send(run.keeper, signal.SIGKILL)
        new = run_jobs.wait_for(lambda: (k := run.current_keeper()) != run.keeper and k, "a second keeper")
        time.sleep(0.3)
        processes.send(new, signal.SIGKILL)  # and the one that took over, too
        run_jobs.wait_for(lambda: (k := run.current_keeper()) not in (run.keeper, new) and k, "a third keeper")
        assert run_jobs.alive(run.job)
        end = run.end()
        report = run.check_flood()
        assert end["state"] == ENDED_UNKNOWN and end["exit_code"] is None, f"nobody was told how it ended, yet: {end}"
        print(f"keeper killed twice: longest gap of the job {report['longest_gap'] * 1000:.1f} ms, 0 bytes lost")
    finally:
        left = run.close()
    assert not left, f"left behind: {left}"


def both():
    run = run_jobs.Run([*run_jobs.ME, "5", "{report}"])
    try:
        assert run.code == 0, run.errors
        engine = run.engine()
        time.sleep(0.3)
        processes.send(run.keeper, signal.SIGSTOP)  # so that neither can bring the other back
        processes.send(engine, signal.SIGKILL)
        processes.send(run.keeper, signal.SIGKILL)
        run_jobs.wait_for(lambda: not run_jobs.alive(run.keeper), "the keeper's death")
        assert run_jobs.alive(run.job), "the job died with its keeper"
        run_jobs.wait_for(lambda: "adrift" in run.listed(), "the run to be listed as adrift")
        taken = subprocess.run([run_jobs.TOOL, "take-over", str(run.root), run.id], capture_output=True, text=True)
        assert taken.returncode == 0, taken.stderr
        again = subprocess.run([run_jobs.TOOL, "take-over", str(run.root), run.id], capture_output=True, text=True)
        assert again.returncode != 0 and "already" in again.stderr, again.stdout + again.stderr
        end = run.end()
        report = run.check_flood()
        assert end["exit_code"] is None, end
        print(f"keeper and engine killed, taken over: longest gap of the job {report['longest_gap'] * 1000:.1f} ms, 0 bytes lost")
    finally:
        left = run.close()
    assert not left, f"left behind: {left}"


def engine_after_take_over():
    """An adopted job has an engine that can be killed again."""
    run = run_jobs.Run([*run_jobs.ME, "3", "{report}"])
    try:
        run.engine()
        processes.send(run.keeper, signal.SIGKILL)
        run_jobs.wait_for(lambda: (k := run.current_keeper()) != run.keeper and k, "a second keeper")
        engine = run.engine()
        processes.send(engine, signal.SIGKILL)
        run_jobs.wait_for(lambda: run.engines()[-1] != engine, "another engine")
        run.end()
        run.check_flood()
    finally:
        left = run.close()
    assert not left, f"left behind: {left}"


keeper_alone()
both()
engine_after_take_over()
