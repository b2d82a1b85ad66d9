"""What running a job under gputop costs. Parts: throughput cpu attach memory walltime gaps (all of them when none is named).

Everything is measured beside its peers in one run, repeated interleaved (BENCH_REPEATS, 3; BENCH_MEGABYTES, 200) with the best of each compared, so
that a busy machine spoils the figures less than their ratios. The limits are the ones the product promises."""
import fcntl
import os
import pathlib
import pty
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import termios
import threading
import time

import run_jobs
import walltime as compute_bound
from bare_flood import BareFlood
from whole_run import GPUTOP, WholeRun

REPEATS = int(os.environ.get("BENCH_REPEATS", "3"))
MEGABYTES = int(os.environ.get("BENCH_MEGABYTES", "200"))
LINES = (f"{MEGABYTES} MB of lines", MEGABYTES << 20, "yes %s | head -c %d" % ("0123456789" * 10, MEGABYTES << 20))
UPDATES = ("1,000,000 \\r updates", 1_000_000,
           "awk 'BEGIN { for (i = 0; i < 1000000; i++) printf \"\\r 42%%|####      | %d/1000000\", i }'")


class Drained:
    """A program on a terminal that a thread reads and throws away."""

    def __init__(self, words, env=None, size=(200, 50)):
        self.received = bytearray()
        self.started = time.monotonic()
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
            os.execvpe(words[0], words, env if env is not None else os.environ)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        try:
            while chunk := os.read(self.master, 65536):
                if len(self.received) < 1 << 20:
                    self.received += chunk
                if b"\x1b[5n" in chunk:
                    os.write(self.master, b"\x1b[0n")  # as a terminal answers
        except OSError:
            pass

    def wait(self):
        _, status = os.waitpid(self.pid, 0)
        self.reader.join(5)
        os.close(self.master)
        return os.waitstatus_to_exitcode(status)

    def saw(self, text, seconds=20):
        end = time.monotonic() + seconds
        while text not in self.received:
            if time.monotonic() > end:
                raise AssertionError(f"waited in vain for {text!r}")
            time.sleep(0.001)
        return time.monotonic() - self.started


def on_terminal(run, *job, options=(), **more):
    return Drained(run.words(*job, options=options), run.env, **more)


# --- throughput ---
def bare_drain(command):
    Drained(["sh", "-c", command]).wait()


def bare_pipe(command):
    subprocess.run(["sh", "-c", f"({command}) | cat >/dev/null"], check=True)


def script(command):
    subprocess.run(["script", "-qc", command, "/dev/null"], stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, check=True)


def tmux(command):
    """With a client attached, as gputop has one."""
    server = ["tmux", "-L", f"bench{os.getpid()}", "-f", "/dev/null"]
    client = Drained([*server, "new-session", f"{command}"], {**os.environ, "TERM": "xterm-256color"})
    client.wait()


def attached(command):
    run = WholeRun()
    on_terminal(run, "sh", "-c", command).wait()
    run.close()


def headless(command):
    run = WholeRun()
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as reader:
        subprocess.run(run.words("sh", "-c", command), env=run.env, check=True, stdout=reader.stdin, stderr=subprocess.DEVNULL)
    run.close()


def throughput():
    ways = {"bare pty drain": bare_drain, "gputop, attached": attached, "gputop, headless": headless, "bare pipe": bare_pipe}
    for name, way in (("script", script), ("tmux", tmux)):
        if shutil.which(name):
            ways[name] = way
    for title, amount, command in (LINES, UPDATES):
        best = {name: float("inf") for name in ways}
        for _ in range(REPEATS):
            for name, way in ways.items():
                start = time.monotonic()
                way(command)
                best[name] = min(best[name], time.monotonic() - start)
        print(f"{title} (start and end of the programs included)")
        for name, seconds in sorted(best.items(), key=lambda item: item[1]):
            rate = f"{amount / seconds / 1e6:8.1f} MB/s" if amount > 10_000_000 else f"{amount / seconds / 1e3:8.0f} k/s "
            print(f"  {name:18} {rate}   {best['bare pty drain'] / seconds:5.2f} of the bare drain")
        for ours, theirs in (("gputop, headless", "script"), ("gputop, attached", "tmux")):
            if theirs in best:
                print(f"  {ours} is {best[theirs] / best[ours]:.2f} times {theirs} (promised: at least 1)")


# --- cpu ---
def ticks(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


STEADY = """
import os, time
line = b"step 1234 loss 0.4312 lr 3.0e-4 throughput 412.3 samples/s grad_norm 1.23 mem 12.3 GiB\\n" * 115
begin, sent = time.monotonic(), 0
while time.monotonic() < begin + 6:
    sent += os.write(1, line)
    time.sleep(max(0, begin + sent / 10e6 - time.monotonic()))
"""


def cpu():
    run = WholeRun()
    terminal = on_terminal(run, sys.executable, "-c", STEADY)
    terminal.saw(b"GPU")
    engine, keeper = run.engines()[-1], run.keepers()[-1]
    time.sleep(1)
    before, start = (ticks(engine), ticks(keeper)), time.monotonic()
    time.sleep(3)
    took = time.monotonic() - start
    print(f"CPU at 10 MB/s, attached: engine {100 * (ticks(engine) - before[0]) / took:.0f} % of a core, "
          f"keeper {100 * (ticks(keeper) - before[1]) / took:.0f} %")
    terminal.wait()
    run.close()


# --- attach ---
def attach():
    run = WholeRun()
    terminal = on_terminal(run, *run_jobs.ME, "30", "{report}")
    terminal.saw(b"GPU")
    time.sleep(3)
    times = []
    for _ in range(20):
        viewer = Drained([GPUTOP, "attach"], run.env)
        times.append(viewer.saw(b"GPU"))
        os.kill(viewer.pid, signal.SIGTERM)
        viewer.wait()
    print(f"attach to a flooding run, start to first frame: median {1000 * statistics.median(times):.0f} ms, "
          f"worst of 20 {1000 * max(times):.0f} ms (limit 200 ms)")
    run.close()
    terminal.wait()


# --- memory ---
def memory():
    run = WholeRun()
    first = on_terminal(run, "sh", "-c", "seq 100000; exec sleep 60")
    first.saw(b"GPU")
    viewers = [Drained([GPUTOP, "attach"], run.env) for _ in range(31)]
    for viewer in viewers:
        viewer.saw(b"GPU")
    time.sleep(2)
    engine = run.engines()[-1]
    status = dict(line.split(":", 1) for line in pathlib.Path(f"/proc/{engine}/status").read_text().splitlines() if ":" in line)
    print(f"engine with 32 viewers of 200x50: RSS {int(status['VmRSS'].split()[0]) / 1024:.0f} MB "
          f"({int(status['RssAnon'].split()[0]) / 1024:.0f} MB its own, {int(status['RssShmem'].split()[0]) / 1024:.0f} MB the ring)")
    run.close()
    for viewer in [first, *viewers]:
        viewer.wait()


# --- walltime ---
def walltime():
    def under(run, words):
        terminal = on_terminal(run, *words)
        terminal.saw(b"GPU")
        return terminal
    compute_bound.walltime(WholeRun, Drained, under)


# --- gaps ---
def gap(what, limit, fault, seconds=8):
    run = WholeRun()
    bare = BareFlood()
    terminal = on_terminal(run, *run_jobs.ME, str(seconds), "{report}")
    terminal.saw(b"GPU")
    time.sleep(0.5)
    fault(run, terminal)
    report = run.flood_report()
    print(f"  {what:34} longest gap {1000 * report['longest_gap']:6.1f} ms (limit {1000 * limit:.0f} ms beyond a bare terminal beside it: "
          f"{1000 * bare.longest_gap():.1f} ms)")
    run.wait_end()
    run.check_flood()
    run.close()
    terminal.wait()


def kill_engine(run, _):
    last = 0
    for _ in range(20):
        engine = run_jobs.wait_for(lambda: [e for e in run.engines() if e != last], "an engine")[-1]
        time.sleep(0.15)
        os.kill(engine, signal.SIGKILL)
        last = engine


def gaps():
    print("the job's own progress while printing as fast as it can")
    gap("nothing happens", 0.05, lambda *_: None)
    gap("engine kill -9, 20 times", 0.05, kill_engine)
    gap("engine SIGSTOP", 1, lambda run, _: os.kill(run.engines()[-1], signal.SIGSTOP))
    gap("viewer kill -9", 0.05, lambda _, terminal: os.kill(terminal.pid, signal.SIGKILL))
    gap("viewer SIGSTOP", 0.05, lambda _, terminal: (os.kill(terminal.pid, signal.SIGSTOP), time.sleep(6),
                                                     os.kill(terminal.pid, signal.SIGCONT)))
    gap("keeper kill -9", 0.05, lambda run, _: os.kill(run.pid("keeper"), signal.SIGKILL))


PARTS = {part.__name__: part for part in (throughput, cpu, attach, memory, walltime, gaps)}
for part in sys.argv[1:] or PARTS:
    PARTS[part]()
    sys.stdout.flush()
