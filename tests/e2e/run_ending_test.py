"""The terminal, ls and the recording say who ended a run; nothing is left behind."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import processes
import run_jobs  # noqa: E402
from terminal import Terminal  # noqa: E402
from whole_run import GPUTOP, WholeRun  # noqa: E402

SLEEPS = ("sh", "-c", "echo ready; exec sleep 60")
DEAF = ("sh", "-c", "trap 'echo no, thanks' TERM; echo ready; while :; do sleep 0.05; done")


def ended(run, terminal, code, words, by):
    assert terminal.wait_end(30) == code, terminal.text()
    shown = " ".join(terminal.text().split())
    assert words in shown, shown
    run.wait_end()
    event = run.events("run_ended")[-1]
    assert event.get("by", "") == by, event
    assert words in event["text"], event
    return run


def by_the_stop_command():
    run = WholeRun()
    terminal = run.open(*SLEEPS)
    terminal.wait("ready")
    done = run.gputop("stop")
    assert done.returncode == 0 and "was stopped" in done.stdout, done
    return ended(run, terminal, 143, "was killed by SIGTERM from gputop stop", "gputop stop")


def by_the_screen():
    run = WholeRun()
    terminal = run.open(*SLEEPS)
    terminal.wait("ready")
    terminal.press("q")
    terminal.wait("Detach or stop?")
    terminal.press("s")
    return ended(run, terminal, 143, "was killed by SIGTERM from the screen", "the screen")


def by_the_mouse():
    """The buttons of both questions: one is declined, then the run is stopped."""
    run = WholeRun()
    terminal = run.open(*SLEEPS)
    terminal.wait("ready")
    terminal.press("\x03")
    terminal.wait("Interrupt the run")
    terminal.click_on(" n no ")
    terminal.wait_gone("Interrupt the run")
    terminal.press("q")
    terminal.wait("Detach or stop?")
    terminal.click_on("Esc stay")
    terminal.wait_gone("Detach or stop?")
    terminal.press("q")
    terminal.wait("Detach or stop?")
    terminal.click_on("s stop the run")
    return ended(run, terminal, 143, "was killed by SIGTERM from the screen", "the screen")


def by_ctrl_c():
    run = WholeRun()
    terminal = run.open(*SLEEPS)
    terminal.wait("ready")
    terminal.press("\x03")
    terminal.wait("nterrupt")
    terminal.press("y")
    return ended(run, terminal, 130, "was killed by SIGINT from Ctrl-C on the screen", "Ctrl-C on the screen")


def from_outside():
    run = WholeRun()
    terminal = run.open(*SLEEPS)
    terminal.wait("ready")
    processes.send(run.pid("job"), signal.SIGTERM)
    return ended(run, terminal, 143, "was killed by SIGTERM from a process outside gputop", "a process outside gputop")


def by_a_signal_to_gputop():
    """Headless, gputop takes the job's place: SIGTERM to it is for the job."""
    run = WholeRun()
    process = subprocess.Popen(run.words("sh", "-c", "echo ready; exec sleep 60"), env=run.env, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    process.terminate()
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 143, (process.returncode, errors)
    assert f"SIGTERM from process {os.getpid()} (sent to gputop)" in errors, errors
    run.wait_end()
    return run


def headless_by_the_stop_command():
    run = WholeRun()
    process = subprocess.Popen(run.words("sh", "-c", "echo ready; exec sleep 60"), env=run.env, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    run_jobs.wait_for(lambda: list(run.root.glob("*/socket")), "the engine's socket")
    done = run.gputop("stop")
    assert done.returncode == 0, done
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 143 and "gputop stop" in errors, (process.returncode, errors)
    run.wait_end()
    return run


def deaf_ones_are_asked_about():
    """SIGKILL only after a yes: from the command line, then from the screen."""
    run = WholeRun()
    terminal = run.open(*DEAF)
    terminal.wait("ready")
    done = run.gputop("stop", "--duration", "1s")
    assert done.returncode == 1 and "--kill" in done.stderr, done
    listed = json.loads(run.gputop("ls", "--json").stdout)["runs"][0]
    assert listed["ended_by"] == "gputop stop", listed
    assert "asked to end by gputop stop" in run.gputop("ls").stdout
    asking = Terminal([GPUTOP, "stop", "--duration", "1s"], run.env)
    run.terminals.append(asking)
    asking.wait("Kill it (SIGKILL)?")
    asking.type("n\n")
    assert asking.wait_end() == 1
    terminal.press("q")
    terminal.wait("Detach or stop?")
    terminal.press("s")
    terminal.wait("no, thanks")
    terminal.wait("it did not stop when asked", seconds=20)  # comes by itself
    terminal.press("k")
    return ended(run, terminal, 137, "was killed by SIGKILL from the screen", "the screen")


def daemons_are_followed():
    """A daemonized child is in the process list, is named at the end, and is not killed with the run."""
    run = WholeRun()
    terminal = run.open("sh", "-c", "setsid sleep 123 >/dev/null 2>&1 </dev/null & echo $! > {dir}/daemon; echo ready; "
                        "while [ ! -e {dir}/enough ]; do sleep 0.05; done",
                        options=("--interval", "200ms"), size=(120, 40))
    terminal.wait("ready")
    daemon = int(run_jobs.wait_for(lambda: (run.dir / "daemon").exists() and (run.dir / "daemon").read_text(), "the daemon"))
    terminal.wait("sleep 123", seconds=20)
    (run.dir / "enough").touch()
    assert terminal.wait_end(30) == 0
    assert f"go on: {daemon}" in " ".join(terminal.text().split()), terminal.text()
    assert run_jobs.alive(daemon)
    processes.send(daemon, signal.SIGKILL)
    run.wait_end()
    return run


def at(run, kind):
    return [event["seconds"] for event in run.events() if event["kind"] == kind]


def a_run_lasts_from_its_start_to_its_end():
    """From the job's own start and end, not from when an engine was ready, nor to when one learned of its end."""
    run = WholeRun()
    terminal = run.open(*SLEEPS)
    terminal.wait("ready")
    job, engine = run.pid("job"), run.engines()[-1]
    ticks = int(pathlib.Path(f"/proc/{job}/stat").read_text().rsplit(")", 1)[1].split()[19])
    started = ticks / os.sysconf("SC_CLK_TCK")
    processes.send(engine, signal.SIGSTOP)
    ended = time.clock_gettime(time.CLOCK_BOOTTIME)
    processes.send(job, signal.SIGTERM)
    assert terminal.wait_end(30) == 143  # said by another engine, which is gone as soon as that is said
    assert not run_jobs.alive(engine)
    run.wait_end()
    assert at(run, "run") == [0], at(run, "run")
    lasted = at(run, "run_ended")[-1]
    assert abs(lasted - (ended - started)) < 0.2, (lasted, ended - started)
    return run


def an_end_is_told_once():
    """Even if the engine that reported it is killed before it leaves: without a viewer it waits for one."""
    run = WholeRun()
    terminal = run.open("sh", "-c", "echo ready; while [ ! -e {dir}/enough ]; do sleep 0.02; done")
    terminal.wait("ready")
    terminal.kill(signal.SIGKILL)
    terminal.wait_end()
    first = run.engines()[-1]
    processes.send(first, signal.SIGKILL)
    second = run_jobs.wait_for(lambda: [engine for engine in run.engines() if engine != first], "another engine")[-1]
    (run.dir / "enough").touch()
    run_jobs.wait_for(lambda: at(run, "run_ended"), "the end in the recording")
    assert processes.send(second, signal.SIGKILL), "it had left already"
    run.wait_end()
    assert len(at(run, "run_ended")) == 1, run.events("run_ended")
    assert len(at(run, "run")) == 1, run.events("run")
    return run


def files_that_were_removed_come_back():
    import shutil
    run = WholeRun()
    terminal = run.open(*SLEEPS)
    terminal.wait("ready")
    identity = run.record()["id"]
    files = [run.root / identity / name for name in ("run.json", "socket", "lens.socket", "lens/inject/sitecustomize.py")]
    assert all(file.exists() for file in files), [file for file in files if not file.exists()]
    for remove in (lambda: (run.root / identity / "socket").unlink(), lambda: (run.root / identity / "run.json").unlink(),
                   lambda: (run.root / identity / "lens.socket").unlink(), lambda: shutil.rmtree(run.root / identity / "lens"),
                   lambda: shutil.rmtree(run.root), lambda: shutil.rmtree(run.runtime)):
        remove()
        at = time.monotonic()
        run_jobs.wait_for(lambda: run.pump() or all(file.exists() for file in files), "the run's files to be there again")
        took = time.monotonic() - at
        assert took < 10, f"there again after {took:.1f} s"
        print(f"removed files: there again after {took:.1f} s (limit 5 s)")
    second = run.attach()
    second.press("D")
    assert second.wait_end() == 0
    assert run.gputop("stop").returncode == 0
    assert terminal.wait_end() == 143
    run.wait_end()
    return run


for test in (by_the_stop_command, by_the_screen, by_the_mouse, by_ctrl_c, from_outside, by_a_signal_to_gputop, headless_by_the_stop_command,
             deaf_ones_are_asked_about, daemons_are_followed,
             a_run_lasts_from_its_start_to_its_end, an_end_is_told_once, files_that_were_removed_come_back):
    run = test()
    left = run.close()
    assert not left, f"{test.__name__}: left behind: {left}"
    print("ok", test.__name__, flush=True)
