"""Holder, spare and keeper of a run are killed -9, alone and together with the engine: the job lives, is taken over automatically,
and its exit status is known as long as its parent, the holder, lives."""
import pathlib
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import processes
import run_jobs  # noqa: E402

ENDED, ENDED_UNKNOWN = 3, 4  # run::JobState


def begin(seconds):
    run = run_jobs.Run([*run_jobs.ME, str(seconds), "{report}"])
    assert run.code == 0, run.errors
    run.engine()
    run_jobs.wait_for(lambda: run.processes_by_role().get("spare"), "the spare")
    time.sleep(0.3)
    return run


def finish(run, what, known):
    """Every byte once, and nothing left."""
    assert run_jobs.alive(run.job), f"{what}: the job died"
    end = run.end()
    report = run.check_flood()
    assert (end["state"], end["exit_code"]) == ((ENDED, 0) if known else (ENDED_UNKNOWN, None)), (what, end)
    left = run.close()
    assert not left, f"{what}: left behind: {left}"
    print(f"{what}: longest gap of the job {report['longest_gap'] * 1000:.1f} ms, 0 bytes lost", flush=True)


def another_keeper(run, old):
    return run_jobs.wait_for(lambda: (k := run.processes_by_role().get("keeper")) and k != old and k, "another keeper")


def keeper_twice():
    run = begin(4)
    processes.send(run.keeper, signal.SIGKILL)
    second = another_keeper(run, run.keeper)
    time.sleep(0.2)
    processes.send(second, signal.SIGKILL)
    another_keeper(run, second)
    finish(run, "the keeper killed twice", True)


def together(*roles, known=True, stopped=()):
    run = begin(4)
    roles_now = {**run.processes_by_role(), "engine": run.engine()}
    for role in stopped:
        processes.send(roles_now[role], signal.SIGSTOP)
    for role in roles:
        processes.send(roles_now[role], signal.SIGKILL)
    if "keeper" in roles:
        keeper = another_keeper(run, roles_now["keeper"])
        engine = run.engine()
        time.sleep(0.2)
        processes.send(engine, signal.SIGKILL)  # what was restored is whole: it restores in turn
        run_jobs.wait_for(lambda: run.engines()[-1] != engine, "another engine")
        assert keeper
    if set(roles) & {"holder", "spare"}:
        run_jobs.wait_for(lambda: (r := run.processes_by_role()).get("spare") not in (None, roles_now["spare"]) and r.get("holder"),
                          "another holder and spare")
    finish(run, " + ".join(roles) + (f" with the {stopped[0]} stopped" if stopped else ""), known)


def stopped_keeper_is_sent_on():
    run = begin(3)
    processes.send(run.keeper, signal.SIGSTOP)
    run_jobs.wait_for(lambda: run.output(), "output")
    finish(run, "a stopped keeper", True)


keeper_twice()
together("keeper", "engine")
together("engine", "keeper")
together("keeper", stopped=("engine",))
together("keeper", "engine", stopped=("holder",))
together("spare", "keeper")
together("holder", known=False)
together("spare", "holder", known=False)
together("holder", "keeper", known=False)
together("spare", "holder", "keeper", known=False)
together("holder", "keeper", "engine", known=False)
stopped_keeper_is_sent_on()
