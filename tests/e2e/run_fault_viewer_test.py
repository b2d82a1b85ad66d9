"""The whole program under a flooding job: the terminal is closed or not read, the viewer is killed, stopped or resized wildly.
The job does not notice; attach brings the screen back."""
import os
import pathlib
import re
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import processes
import run_jobs  # noqa: E402
from bare_flood import BareFlood, best_attempt, check_kept_going  # noqa: E402
from sanitized import check_memory  # noqa: E402
from whole_run import GPUTOP, WholeRun  # noqa: E402

MB = 1 << 20
STOPPED = float(os.environ.get("GPUTOP_STOP_SECONDS", "10"))  # how long a viewer is stopped; 60 by hand


def attached_again(run):
    terminal = run.attach()
    terminal.wait(re.compile(r"\d{12} x+"), "the job's lines")
    return terminal


def hurt(what, fault, lasts=2.0):
    """A flooding job, the fault, a second viewer, the end."""
    run = WholeRun()
    bare = BareFlood()
    terminal = run.flood(lasts + 4)
    engine = run.engines()[-1]
    fault(run, terminal)
    second = attached_again(run)
    end = time.monotonic() + lasts
    while time.monotonic() < end:
        second.pump(0.1)
    assert run.engines() == [engine], "the engine was replaced"
    check_memory("the engine", run.rss(engine), 64 * MB)
    if fault is stopped:
        processes.send(terminal.pid, signal.SIGCONT)
        terminal.never_reads = False
    assert second.wait_end(60) == 0
    assert "finished" in second.text(), second.text()
    run.wait_end()
    allowed = bare.longest_gap()
    check_kept_going(what, run.check_flood(), allowed)
    return run


def closed(run, terminal):
    terminal.hang_up()
    assert terminal.wait_end() == 0


def killed(run, terminal):
    terminal.kill(signal.SIGKILL)
    terminal.wait_end()


def stopped(run, terminal):
    """Nothing is drawn on the terminal of a stopped viewer: the shell has it."""
    terminal.kill(signal.SIGSTOP)
    terminal.quiet(0.5)
    before = len(terminal.received)
    terminal.pump(0.7)
    assert len(terminal.received) == before, "a stopped viewer's terminal was drawn upon"


def never_read(run, terminal):
    terminal.never_reads = True
    time.sleep(1.5)


def suspended_and_back():
    """Ctrl-Z from outside, under a shell with job control: the terminal is given back intact; fg repaints."""
    run = WholeRun()
    os.mkfifo(run.dir / "fg")
    words = " ".join(run.words("sh", "-c", "'for i in $(seq 400); do echo line $i; sleep 0.05; done'"))
    terminal = run.on_terminal(["bash", "-mc", f"{words}; read x < {run.dir}/fg; fg >/dev/null"])
    terminal.wait("line 1")
    viewer = next(pid for pid, words in run_jobs.Run.processes(run) if words.startswith(GPUTOP))
    processes.send(viewer, signal.SIGTSTP)
    run_jobs.wait_for(lambda: terminal.pump(0.02) is None or state_of(viewer) == "T", "the viewer to stop")
    given_back = lambda: (terminal.pump(0.02), terminal.restored())[1]  # noqa: E731
    run_jobs.wait_for(given_back, "the terminal to be given back whole", 10)
    terminal.quiet(0.3)
    before = len(terminal.received)
    terminal.pump(0.5)
    assert len(terminal.received) == before, "a suspended viewer's terminal was drawn upon"
    (run.dir / "fg").write_text("\n")
    terminal.wait("BUSY")
    processes.send(run.pid("job"), signal.SIGKILL)
    assert terminal.wait_end() == 137
    assert "a process outside gputop" in terminal.text(), terminal.text()
    run.wait_end()
    return run


def state_of(pid):
    return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]


COUNTS_WINCH = """
import os, signal, time
n = 0
def count(*_):
    global n
    n += 1
signal.signal(signal.SIGWINCH, count)
print("ready", flush=True)
begin = time.time()
while not os.path.exists("{dir}/enough"):
    time.sleep(0.01)
    if int(time.time() * 10) % 10 == 0:
        print("tick", flush=True)
open("{dir}/counted", "w").write(f"{n} {time.time() - begin}")
"""


def resized_like_mad():
    run = WholeRun()
    terminal = run.open(sys.executable, "-c", COUNTS_WINCH)
    terminal.wait("ready")
    for i in range(1000):
        terminal._set_size(1 + i * 7 % 300, 1 + i * 3 % 90)
        drain(terminal)
        time.sleep(0.001)
    for size in ((1, 1), (1000, 500), (100, 30)):
        terminal._set_size(*size)
        for _ in range(20):
            drain(terminal)
            time.sleep(0.05)
    (run.dir / "enough").touch()
    drain_until_end(terminal)
    counted = (run.dir / "counted").read_text().split()
    print(f"resized: {counted[0]} SIGWINCH in {float(counted[1]):.1f} s", flush=True)
    assert 1 <= int(counted[0]) <= 10 * float(counted[1]) + 2, counted
    run.wait_end()
    return run


def drain(terminal):
    """Without showing it: the sizes are nonsense for pyte."""
    try:
        while os.read(terminal.master, 65536):
            pass
    except OSError:
        pass


def drain_until_end(terminal):
    end = time.monotonic() + 20
    while terminal.poll() is None and time.monotonic() < end:
        drain(terminal)
        time.sleep(0.01)
    assert terminal.poll() is not None


def keys_that_stop_others():
    """^S ^Q ^Z on the screen, also while typing into the job: it continues."""
    run = WholeRun()
    bare = BareFlood()
    terminal = run.flood(4)
    for keys in ("\x13", "\x1a", "i", "\x13", "\x1a", "\x1d", "\x1a", "\x11"):
        terminal.press(keys)
        terminal.pump(0.15)
    assert terminal.wait_end(60) == 0
    run.wait_end()
    allowed = bare.longest_gap()
    check_kept_going("^S ^Q ^Z", run.check_flood(echoes=(b"^S", b"^Z", b"^Q")), allowed)
    return run


for name, test in (("terminal closed", lambda: hurt("terminal closed", closed)),
                   ("viewer kill -9", lambda: hurt("viewer kill -9", killed)),
                   ("viewer stopped", lambda: hurt("viewer stopped", stopped, STOPPED)),
                   ("terminal never reads", lambda: hurt("terminal never reads", never_read)),
                   ("suspended", suspended_and_back), ("resized", resized_like_mad), ("keys", keys_that_stop_others)):
    run = best_attempt(test)
    left = run.close()
    assert not left, f"{name}: left behind: {left}"
    print("ok", name, flush=True)
