"""How much longer a compute-bound job takes under gputop. Part of bench/passthrough.

A job does fixed pieces of work when told to and times each. One such job runs bare, one under gputop on a terminal with a
viewer, all of it pinned to one core: the worst case, nothing runs beside the job for free. Pieces are interleaved there and
back (bare, stopped, running, running, stopped, bare), so that what the machine does meanwhile falls on all alike. `stopped`
is the job under gputop while gputop's processes are stopped: the same process and the same memory, so that only what gputop
does makes the difference. Machines have moods that last longer than a piece: the answer is the median over many such rounds
with a bootstrap interval, and beside it the CPU time gputop took, which needs no luck and bounds the slow-down."""
import glob
import os
import pathlib
import random
import signal
import statistics
import sys
import time

PIECE = float(os.environ.get("BENCH_PIECE", "1.0"))   # seconds of work: a whole interval, so that each has its reading
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "24"))
JOBS = 4                                              # pairs of processes: where memory lies differs between processes
LIMIT = 0.5                                           # per cent

WORKER = """
import sys, time
orders, answers = open(sys.argv[1]), open(sys.argv[2], "w")
def work(steps):
    s = 0
    for i in range(steps):
        s = (s * 31 + i) & 0xffffffff
    return s
for line in orders:
    wall, cpu = time.monotonic(), time.process_time()
    work(int(line))
    print(time.monotonic() - wall, time.process_time() - cpu, file=answers, flush=True)
"""


class Worker:
    """The job, started by `start(words)`; piece() has it do one."""

    def __init__(self, folder, name, start):
        orders, answers = (str(folder / f"{name}.{end}") for end in ("orders", "answers"))
        os.mkfifo(orders)
        os.mkfifo(answers)
        self.process = start([sys.executable, "-c", WORKER, orders, answers])
        self.orders, self.answers = open(orders, "w"), open(answers)

    def piece(self, steps):
        print(steps, file=self.orders, flush=True)
        wall, cpu = self.answers.readline().split()
        return float(wall), float(cpu)

    def end(self):
        self.orders.close()
        self.process.wait()


def cpu_seconds(pids):
    """Of all their threads, as exact as the scheduler knows it."""
    return sum(int(pathlib.Path(path).read_text().split()[0]) for pid in pids for path in glob.glob(f"/proc/{pid}/task/*/schedstat")) / 1e9


def interval(values, rounds=2000):
    """Median and its 95 % bootstrap interval."""
    chance = random.Random(1)
    medians = sorted(statistics.median(chance.choices(values, k=len(values))) for _ in range(rounds))
    return statistics.median(values), medians[rounds * 25 // 1000], medians[rounds * 975 // 1000]


def measure(new_run, start_bare, start_under, rounds):
    """One pair of processes: per round and way the wall and CPU time of two pieces; gputop's CPU time per second of the job."""
    run = new_run()
    bare = Worker(run.dir, "bare", start_bare)
    under = Worker(run.dir, "under", lambda words: start_under(run, words))
    parts = run.engines() + run.keepers() + [under.process.pid]
    steps = 1_000_000
    for worker in (bare, under):
        wall, _ = worker.piece(steps)
    steps = max(1, int(steps * PIECE / wall))
    times, spent, seconds = [], 0.0, 0.0
    for _ in range(rounds):
        sums = {"bare": [0.0, 0.0], "stopped": [0.0, 0.0], "running": [0.0, 0.0]}
        for way in ("bare", "stopped", "running", "running", "stopped", "bare"):
            for pid in parts:
                os.kill(pid, signal.SIGCONT if way == "running" else signal.SIGSTOP)
            before = cpu_seconds(parts)
            wall, cpu = (bare if way == "bare" else under).piece(steps)
            sums[way][0] += wall
            sums[way][1] += cpu
            if way == "running":
                spent, seconds = spent + cpu_seconds(parts) - before, seconds + wall
        times.append(sums)
    for pid in parts:
        os.kill(pid, signal.SIGCONT)
    assert run.engines() == parts[:1], "the engine was replaced: nothing was measured"
    under.end()
    bare.end()
    run.close()
    return times, spent, seconds


def walltime(new_run, start_bare, start_under):
    load, cores = os.getloadavg()[0], os.sched_getaffinity(0)
    core = max(cores)
    os.sched_setaffinity(0, {core})  # inherited by what is started here
    try:
        times, spent, seconds = [], 0.0, 0.0
        for _ in range(JOBS):
            more = measure(new_run, start_bare, start_under, max(1, ROUNDS // JOBS))
            times, spent, seconds = times + more[0], spent + more[1], seconds + more[2]
    finally:
        os.sched_setaffinity(0, cores)
    print(f"compute-bound job beside gputop on one core, {len(times)} rounds of 2 x 3 pieces of {PIECE:g} s "
          f"(load {load:.1f} before; 1 or 2 of what it is now, {os.getloadavg()[0]:.1f}, are ours)")
    shown = None
    for title, of, against, index in (("wall time, gputop running or stopped (same process)", "running", "stopped", 0),
                                      ("wall time, under gputop or bare (two processes)", "running", "bare", 0),
                                      ("the job's own CPU time, running or stopped", "running", "stopped", 1),
                                      ("the job's own CPU time, under gputop or bare", "running", "bare", 1)):
        middle, low, high = interval([100 * (each[of][index] / each[against][index] - 1) for each in times])
        print(f"  {title:52} {middle:+.2f} % (95 %: {low:+.2f} to {high:+.2f} %)")
        shown = shown or (low, high)
    print(f"  {'CPU time of keeper, engine and viewer':52} {100 * spent / seconds:.3f} % of the job's time")
    low, high = shown
    verdict = "met" if high < LIMIT else "missed" if low > LIMIT else "not shown by wall time: this machine's noise is wider; the CPU time bounds it"
    print(f"  limit {LIMIT} % of wall time: {verdict}")
