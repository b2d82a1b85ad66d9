"""How much longer a compute-bound job takes under gputop. Part of bench/passthrough.

A job, pinned to one core, does fixed pieces of work when told to and times each: wall and CPU time (user + system). Four
ways take turns, in an order that is drawn for each round and then walked back, so that what the machine does meanwhile falls
on all alike:
  bare, again   two jobs without gputop: the null comparison, which shows what this machine's noise makes of no difference
  stopped       the job under gputop, on a terminal with a viewer, while gputop's processes are stopped
  running       the same process, the same memory: only what gputop does makes the difference
The answer is the median over the rounds with a bootstrap interval. gputop's processes may run where they like, as they do in
earnest; then once more on the job's own core, where nothing is for free. Where the noise is wider than the limit, gputop is
made to do ten times as much (ten readings and screens a second instead of one): a tenth of what that costs is what one costs.
Beside it the CPU time that they took, which needs no luck and bounds the slow-down."""
import glob
import os
import pathlib
import random
import signal
import statistics
import sys
import time

PIECE = float(os.environ.get("BENCH_PIECE", "0.5"))   # seconds of work; two of each way in a round: gputop's interval
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "40"))
JOBS = 4                                              # sets of processes: where memory lies differs between processes
SETTLE = 0.1                                          # seconds: what gputop makes up for after a stop is the stop's
WAYS = ("bare", "again", "stopped", "running")
LIMIT = 0.5                                           # per cent

WORKER = """
import os, sys, time
os.sched_setaffinity(0, {int(sys.argv[3])})
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

    def __init__(self, folder, name, core, start):
        orders, answers = (str(folder / f"{name}.{end}") for end in ("orders", "answers"))
        os.mkfifo(orders)
        os.mkfifo(answers)
        self.process = start([sys.executable, "-c", WORKER, orders, answers, str(core)])
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


def measure(new_run, start_bare, start_under, core, rounds, chance, options):
    """One set of processes: per round and way the wall and CPU time of two pieces; gputop's CPU time, in so many seconds."""
    run = new_run()
    under = Worker(run.dir, "under", core, lambda words: start_under(run, words, options))
    workers = {way: Worker(run.dir, way, core, start_bare) for way in ("bare", "again")}
    workers.update(stopped=under, running=under)
    parts = run.engines() + run.keepers() + [under.process.pid]
    steps = 1_000_000
    for way in WAYS:
        wall, _ = workers[way].piece(steps)
    steps = max(1, int(steps * PIECE / wall))
    times, spent, seconds = [], 0.0, 0.0
    for _ in range(rounds):
        sums = {way: [0.0, 0.0] for way in WAYS}
        order = chance.sample(WAYS, len(WAYS))
        for way in order + order[::-1]:
            for pid in parts:
                os.kill(pid, signal.SIGCONT if way == "running" else signal.SIGSTOP)
            time.sleep(SETTLE)
            before = cpu_seconds(parts)
            wall, cpu = workers[way].piece(steps)
            sums[way][0] += wall
            sums[way][1] += cpu
            if way == "running":
                spent, seconds = spent + cpu_seconds(parts) - before, seconds + wall
        times.append(sums)
    for pid in parts:
        os.kill(pid, signal.SIGCONT)
    assert run.engines() == parts[:1], "the engine was replaced: nothing was measured"
    for worker in (under, workers["bare"], workers["again"]):
        worker.end()
    run.close()
    return times, spent, seconds


def compare(times, of, against, index):
    """(median, low, high) of the difference in per cent; 0: wall time, 1: the job's CPU time."""
    return interval([100 * (each[of][index] / each[against][index] - 1) for each in times])


def report(title, times, spent, seconds, amplified):
    """`amplified`: gputop did so many times what it does; the figures are divided by that."""
    print(f"{title}, {len(times)} rounds of 2 x {len(WAYS)} pieces of {PIECE:g} s")
    figures = []
    for name, of, against, index in (("wall time, gputop running or stopped (same process)", "running", "stopped", 0),
                                     ("wall time, under gputop or bare (two processes)", "running", "bare", 0),
                                     ("wall time, bare or bare (two processes): the null", "again", "bare", 0),
                                     ("the job's own CPU time, running or stopped", "running", "stopped", 1),
                                     ("the job's own CPU time, bare or bare: the null", "again", "bare", 1)):
        middle, low, high = (figure / amplified for figure in compare(times, of, against, index))
        figures.append((middle, low, high))
        print(f"  {name:52} {middle:+.2f} % (95 %: {low:+.2f} to {high:+.2f} %)")
    print(f"  {'CPU time of keeper, engine and viewer':52} {100 * spent / seconds / amplified:.3f} % of the job's time")
    (_, low, high), _, (_, null_low, null_high), *_ = figures
    noisy = max(-null_low, null_high) > LIMIT
    verdict = ("not shown: the machine's own noise (the null) is wider than that" if noisy else "met" if high < LIMIT else
               "missed" if low > LIMIT else "not shown: more rounds are needed (BENCH_ROUNDS)")
    print(f"  limit {LIMIT} % of wall time: {verdict}", flush=True)


def walltime(new_run, start_bare, start_under):
    cores = os.sched_getaffinity(0)
    core, chance = max(cores), random.Random(2)
    print(f"load {os.getloadavg()[0]:.1f} before")
    for title, allowed, amplified in (("compute-bound job on its core, gputop on any", cores, 1),
                                      ("both on one core: the worst case", {core}, 1),
                                      ("both on one core, a tenth of what ten readings a second cost", {core}, 10)):
        options = ("--interval", f"{1000 // amplified}ms")
        os.sched_setaffinity(0, allowed)  # inherited by what is started here
        try:
            times, spent, seconds = [], 0.0, 0.0
            for _ in range(JOBS):
                more = measure(new_run, start_bare, start_under, core, max(1, ROUNDS // JOBS), chance, options)
                times, spent, seconds = times + more[0], spent + more[1], seconds + more[2]
        finally:
            os.sched_setaffinity(0, cores)
        report(title, times, spent, seconds, amplified)
    print(f"load {os.getloadavg()[0]:.1f} after, of which 1 or 2 are ours")
