"""The whole program: its keeper is killed -9, then keeper and engine together. The job lives, attach takes it over, and how it
ended is said to be unknown."""
import os
import pathlib
import signal
import sys

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
    run_jobs.wait_for(lambda: not os.path.exists(f"/proc/{keeper}"), "the killed one to be gone, though the screen started it")
    terminal.pump(0.2)
    assert terminal.wait_end(60) != 0
    assert "exit status unknown: its keeper was killed" in terminal.text(), terminal.text()
    run.wait_end()
    run.check_flood()
    assert "exit_code" not in run.events("run_ended")[-1]
    return run


def both():
    run = WholeRun()
    terminal = run.flood(6)
    job, keeper, engine = run.pid("job"), run.pid("keeper"), run.engines()[-1]
    processes.send(keeper, signal.SIGSTOP)  # so that neither can bring the other back
    processes.send(engine, signal.SIGKILL)
    processes.send(keeper, signal.SIGKILL)
    run_jobs.wait_for(lambda: run.pump() or "adrift" in run.gputop("ls").stdout, "the run to be adrift")
    assert run_jobs.alive(job), "the job died with its keeper"
    second = run.attach()
    assert run_jobs.alive(job)
    assert second.wait_end(60) != 0
    assert "exit status unknown: its keeper was killed" in second.text(), second.text()
    run.wait_end()
    run.check_flood()
    return run


for test in (keeper_alone, both):
    run = test()
    left = run.close()
    assert not left, f"{test.__name__}: left behind: {left}"
    print("ok", test.__name__, flush=True)
