"""The whole program: its keeper is killed -9, then everything that `pkill -9 gputop` finds, with a screen and headless. The job goes on,
everything comes back by itself, and its exit code is known."""
import os
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import processes
import run_jobs  # noqa: E402
from whole_run import WholeRun  # noqa: E402


def keeper_alone():
    run = WholeRun()
    terminal = run.flood(4)
    keeper = run.pid("keeper")
    processes.send(keeper, signal.SIGKILL)
    run_jobs.wait_for(lambda: run.pump() or run.pid("keeper") != keeper, "another keeper")
    run_jobs.wait_for(lambda: not os.path.exists(f"/proc/{keeper}"), "the killed one to be gone")
    terminal.pump(0.2)
    assert terminal.wait_end(60) == 0
    assert "exit status unknown" not in terminal.text(), terminal.text()
    run.wait_end()
    run.check_flood()
    assert run.events("run_ended")[-1]["exit_code"] == 0
    return run


def pkill(run):
    """Like `pkill -9 gputop`, but only for this run."""
    for pid, words in run_jobs.Run.processes(run):
        try:
            if "gputop" in pathlib.Path(f"/proc/{pid}/comm").read_text():
                processes.send(pid, signal.SIGKILL)
        except OSError:
            continue


def all_that_is_called_gputop():
    run = WholeRun()
    terminal = run.flood(6)
    job, keeper = run.pid("job"), run.pid("keeper")
    pkill(run)
    terminal.wait_end()  # the screen was one of them
    run_jobs.wait_for(lambda: run.pid("keeper") != keeper, "another keeper, without anybody's help")
    assert run_jobs.alive(job), "the job died with its keeper"
    second = run.attach()
    assert second.wait_end(60) == 0, second.text()
    run.wait_end()
    assert run.check_flood()["longest_gap"] < 1, "the job stood still"
    assert run.events("run_ended")[-1]["exit_code"] == 0
    return run


PACE = "0.002"  # a headless job is not held back for the recording's sake: no faster than a busy machine records


def headless():
    """Three times while it floods: not a byte lost or doubled on the user's stdout, in the recording, and its exit code."""
    run = WholeRun()
    target = run.dir / "stdout"
    with open(target, "wb") as out:
        gputop = subprocess.Popen(run.words(*run_jobs.ME, "4", "{report}", PACE), env=run.env, stdout=out, stderr=subprocess.PIPE)
    run_jobs.wait_for(run.engines, "the engine")
    for _ in range(3):
        time.sleep(0.5)
        pkill(run)
        run_jobs.wait_for(run.keepers, "another keeper")
    errors = gputop.communicate(timeout=60)[1]
    assert gputop.returncode == 0, errors
    run.wait_end()
    report = run.check_flood()
    assert target.read_bytes() == run.output(), "what the user got is not what was recorded"
    assert report["longest_gap"] < 1, report
    return run


for test in (keeper_alone, all_that_is_called_gputop, headless):
    run = test()
    left = run.close()
    assert not left, f"{test.__name__}: left behind: {left}"
    print("ok", test.__name__, flush=True)
