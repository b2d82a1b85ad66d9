"""Several viewers of different sizes, many runs at once, names that are not unique, and parts of a run
that are missing when the job ends."""
import json
import pathlib
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import processes
import run_jobs  # noqa: E402
from whole_run import GPUTOP, WholeRun  # noqa: E402

TELLS_ITS_SIZE = """
import os, signal, time
sizes = []
def note(*_):
    sizes.append(os.get_terminal_size(0).columns)
    open("{dir}/sizes.new", "w").write(" ".join(map(str, sizes)))
    os.rename("{dir}/sizes.new", "{dir}/sizes")
signal.signal(signal.SIGWINCH, note)
note()
print("ready", flush=True)
while True:
    time.sleep(0.02)
"""


def viewers_of_different_sizes_do_not_fight():
    """The job's terminal fits the viewer that attached or typed last; when that leaves, it fits another."""
    run = WholeRun()
    first = run.open(sys.executable, "-c", TELLS_ITS_SIZE, options=("--interval", "100ms"), size=(150, 50))
    first.wait("ready")
    sizes = lambda: (run.pump(), (run.dir / "sizes").read_text().split())[1]  # noqa: E731
    fits_first = lambda: run_jobs.wait_for(lambda: sizes()[-1] == first_size, "the first viewer's size again")  # noqa: E731
    run_jobs.wait_for(lambda: len(sizes()) >= 1, "a size")
    first.quiet(0.3)
    first_size = sizes()[-1]
    small = run.attach(size=(60, 20))
    run_jobs.wait_for(lambda: sizes()[-1] != first_size, "the second viewer's size")
    changes = len(sizes())
    end = time.monotonic() + 1.5  # many frames of both
    while time.monotonic() < end:
        run.pump()
        time.sleep(0.01)
    assert len(sizes()) == changes, f"the job was resized again and again: {sizes()}"
    first.press("i", "x")
    fits_first()
    small.resize(70, 20)
    run_jobs.wait_for(lambda: sizes()[-1] != first_size, "the size of the viewer that was resized")
    small.press("D")
    assert small.wait_end() == 0
    fits_first()
    run.gputop("stop")
    assert first.wait_end() == 143
    run.wait_end()
    return run


def runs_started_in_the_same_second_record_apart():
    run = WholeRun()
    words = [GPUTOP, "--source", "sim:idle", "--", "sh", "-c"]
    together = [subprocess.Popen([*words, f"echo number {i}"], env=run.env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, text=True) for i in range(5)]
    paths = [re.search(r"recorded in (.*)", process.communicate(timeout=60)[1]).group(1) for process in together]
    assert len(set(paths)) == len(paths) and all(path.endswith(".gputop") for path in paths), paths
    for i, path in enumerate(paths):
        run.recording = pathlib.Path(path)
        assert run.output() == f"number {i}\n".encode(), (path, run.output())
    folder = run.recording.parent
    before = len(list(folder.iterdir()))
    assert run.gputop("--", "no-such-command").returncode == 127
    assert len(list(folder.iterdir())) == before, "a run that never was left a recording"
    run.wait_end()
    return run


def names_that_are_not_unique():
    run = WholeRun()
    started = [subprocess.Popen([GPUTOP, "--name", name, "--source", "sim:idle", "--", "sleep", "60"], env=run.env,
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
               for name in ("twin", "twin", "single")]
    listed = lambda: json.loads(run.gputop("ls", "--json").stdout)["runs"]  # noqa: E731
    run_jobs.wait_for(lambda: len(listed()) == 3, "three runs")
    twins = [each["id"] for each in listed() if each["name"] == "twin"]
    assert all(each["age_seconds"] >= 0 for each in listed()), listed()
    for words in (("stop", "twin"), ("attach", "twin"), ("stop", "twi")):
        done = run.gputop(*words)
        assert done.returncode == 1 and all(each in done.stderr for each in twins), done
    assert len(listed()) == 3, "one of several was stopped"
    for which in ("sing", twins[0], twins[1][:5]):
        done = run.gputop("stop", which)
        assert done.returncode == 0, done
    assert sorted(process.wait(30) for process in started) == [143] * 3
    run.wait_end()
    return run


def an_engine_that_is_stopped_when_the_job_ends():
    """Another takes its place; the viewer is still told how it ended."""
    run = WholeRun()
    terminal = run.open("sh", "-c", "while [ ! -e {dir}/enough ]; do sleep 0.05; done; echo bye; exit 3")
    processes.send(run.engines()[-1], signal.SIGSTOP)
    (run.dir / "enough").touch()
    assert terminal.wait_end(30) == 3, terminal.text()
    assert "exited with code 3" in terminal.text(), terminal.text()
    run.wait_end()
    return run


def an_engine_that_is_killed_is_told_of():
    run = WholeRun()
    terminal = run.open("sleep", "60", size=(160, 50))
    run_jobs.wait_for(lambda: run.pump() or run.recording.exists() and run.recording.stat().st_size > 0, "something recorded")
    processes.send(run.engines()[-1], signal.SIGKILL)
    terminal.wait(re.compile("gputop's engine was killed"))
    terminal.pump(0.5)
    assert "gputop's engine was killed" in terminal.text(), terminal.text()  # also when the past is there again
    assert run.gputop("stop").returncode == 0
    assert terminal.wait_end() == 143
    run.wait_end()
    return run


def a_signal_to_the_viewer_detaches():
    run = WholeRun()
    terminal = run.open("sleep", "60")
    terminal.quiet(0.3)  # the first frames are drawn, and the terminal has answered what it was asked
    terminal.kill(signal.SIGTERM)
    assert terminal.wait_end() == 0
    terminal.quiet(0.1)
    assert "the run continues (gputop attach)" in terminal.text() and terminal.restored(), terminal.text()
    assert run_jobs.alive(run.pid("job"))
    assert run.gputop("stop").returncode == 0
    run.wait_end()
    return run


def a_recording_that_is_removed():
    run = WholeRun()
    terminal = run.open("sh", "-c", "while [ ! -e {dir}/enough ]; do sleep 0.05; done; exit 3")
    run_jobs.wait_for(run.recording.exists, "the recording")
    run.recording.unlink()
    (run.dir / "enough").touch()
    assert terminal.wait_end(30) == 3
    assert "that file is gone" in terminal.text(), terminal.text()
    run.wait_end()
    return run


def output_that_goes_nowhere():
    """stdout is on a full disk: the job continues, and gputop reports the loss."""
    run = WholeRun()
    with open("/dev/full", "wb") as full:
        done = subprocess.run(run.words("sh", "-c", "echo lost; echo said >&2; exit 3"), env=run.env, stdin=subprocess.DEVNULL,
                              stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 3 and done.stderr.startswith("said\n"), done
    assert "5 bytes of its stdout could not be written" in done.stderr, done.stderr
    assert run.output() == b"lost\n"
    run.wait_end()
    return run


def a_runtime_folder_with_a_long_name():
    """Too long for a socket: another place is used."""
    run = WholeRun()
    long = run.dir / ("y" * 90)
    long.mkdir(mode=0o700)
    run.env["XDG_RUNTIME_DIR"] = str(long)
    del run.env["GPUTOP_RUNTIME_DIR"]
    name = run.dir.name  # others may have runs in that other place
    terminal = run.on_terminal(run.words("sh", "-c", "echo ready; exec sleep 60", options=("--name", name)), until="ready")
    done = run.gputop("stop", name)
    assert done.returncode == 0, done
    assert terminal.wait_end() == 143
    run.wait_end()
    return run


for test in (viewers_of_different_sizes_do_not_fight, runs_started_in_the_same_second_record_apart, names_that_are_not_unique,
             an_engine_that_is_stopped_when_the_job_ends, an_engine_that_is_killed_is_told_of, a_signal_to_the_viewer_detaches,
             a_recording_that_is_removed, output_that_goes_nowhere, a_runtime_folder_with_a_long_name):
    run = test()
    left = run.close()
    assert not left, f"{test.__name__}: left behind: {left}"
    print("ok", test.__name__, flush=True)
