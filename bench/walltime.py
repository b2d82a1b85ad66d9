"""How much longer a compute-bound job takes under gputop. Part of bench/passthrough.

A job, pinned to one core, hashes a buffer that fits into the nearest cache (an interpreter's loop is some per cent faster or
slower by where its memory happens to lie) and times every slice of it. Three such jobs take turns, in an order that is drawn for
each round and then walked back, so that what the machine does meanwhile falls on all alike:
  under         the job under gputop, on a terminal with a viewer; gputop's processes are stopped while the others work
  bare, again   two without gputop: against each other they are the null comparison, which shows what this machine's noise
                makes of no difference
The answer is the mean over the rounds with a bootstrap interval. A slice that takes much longer than most was interrupted by
another machine on the same host; only the first part of it counts, alike in all three, and how often that happened is told for
each: were it gputop's doing, the job under gputop would have more of them. gputop's processes may run where they like, as they
do in earnest; then once more on the job's own core, where nothing is for free. Beside it the CPU time that they took, which
needs no luck and bounds the slow-down."""
import glob
import os
import pathlib
import random
import signal
import statistics
import sys
import time

SLICES, SLICE = 40, 0.025                             # a turn: 1 s, gputop's interval
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "24"))    # two turns of each job in every one
JOBS = 4                                              # sets of processes
SETTLE = 0.1                                          # seconds: what gputop makes up for after a stop is the stop's
WAYS = ("under", "bare", "again")
LONG = 1.3                                            # of the median slice; what gputop does in one go takes a sixth of that
LIMIT = 0.5                                           # per cent

WORKER = """
import hashlib, os, sys, time
os.sched_setaffinity(0, {int(sys.argv[3])})
orders, answers = open(sys.argv[1]), open(sys.argv[2], "w")
data = bytes(16384)
for line in orders:
    slices, steps = map(int, line.split())
    times = [time.monotonic()]
    for _ in range(slices):
        for _ in range(steps):
            hashlib.sha256(data).digest()
        times.append(time.monotonic())
    print(*(b - a for a, b in zip(times, times[1:])), file=answers, flush=True)
"""


class Worker:
    """The job, started by `start(words)`; turn() has it do some slices and tells how long each took."""

    def __init__(self, folder, name, core, start):
        orders, answers = (str(folder / f"{name}.{end}") for end in ("orders", "answers"))
        os.mkfifo(orders)
        os.mkfifo(answers)
        self.process = start([sys.executable, "-c", WORKER, orders, answers, str(core)])
        self.orders, self.answers = open(orders, "w"), open(answers)

    def turn(self, slices, steps):
        print(slices, steps, file=self.orders, flush=True)
        return [float(seconds) for seconds in self.answers.readline().split()]

    def end(self):
        self.orders.close()
        self.process.wait()


def cpu_seconds(pids):
    """Of all their threads, as exact as the scheduler knows it."""
    return sum(int(pathlib.Path(path).read_text().split()[0]) for pid in pids for path in glob.glob(f"/proc/{pid}/task/*/schedstat")) / 1e9


def measure(new_run, start_bare, start_under, core, rounds, chance):
    """One set of processes: per round every way's slices; gputop's CPU time, in so many seconds."""
    run = new_run()
    workers = {"under": Worker(run.dir, "under", core, lambda words: start_under(run, words))}
    workers.update({way: Worker(run.dir, way, core, start_bare) for way in ("bare", "again")})
    parts = run.engines() + run.keepers() + [workers["under"].process.pid]
    steps = int(1000 * SLICE / statistics.median(workers["bare"].turn(9, 1000)))
    times, spent, seconds = [], 0.0, 0.0
    for _ in range(rounds):
        slices = {way: [] for way in WAYS}
        order = chance.sample(WAYS, len(WAYS))
        for way in order + order[::-1]:
            for pid in parts:
                os.kill(pid, signal.SIGCONT if way == "under" else signal.SIGSTOP)
            time.sleep(SETTLE)
            before, began = cpu_seconds(parts), time.monotonic()
            slices[way] += workers[way].turn(SLICES, steps)
            if way == "under":
                spent, seconds = spent + cpu_seconds(parts) - before, seconds + time.monotonic() - began
        times.append(slices)
    for pid in parts:
        os.kill(pid, signal.SIGCONT)
    assert run.engines() == parts[:1], "the engine was replaced: nothing was measured"
    for worker in workers.values():
        worker.end()
    run.close()
    return times, spent, seconds


def interval(values, rounds=2000):
    """Mean and its 95 % bootstrap interval."""
    chance = random.Random(1)
    means = sorted(statistics.fmean(chance.choices(values, k=len(values))) for _ in range(rounds))
    return statistics.fmean(values), means[rounds * 25 // 1000], means[rounds * 975 // 1000]


def report(title, times, spent, seconds):
    print(f"{title}: {len(times)} rounds of 2 x {SLICES} slices of {SLICE * 1000:g} ms of each")
    long = LONG * statistics.median(seconds for slices in times for way in WAYS for seconds in slices[way])
    cut = [{way: sum(min(seconds, long) for seconds in slices[way]) for way in WAYS} for slices in times]
    under = interval([100 * (2 * each["under"] / (each["bare"] + each["again"]) - 1) for each in cut])
    null = interval([100 * (each["again"] / each["bare"] - 1) for each in cut])
    for name, (middle, low, high) in (("under gputop, against bare", under), ("bare against bare: the null", null)):
        print(f"  {'wall time, ' + name:40} {middle:+.2f} % (95 %: {low:+.2f} to {high:+.2f} %)")
    interrupted = {way: 100 * statistics.fmean(seconds > long for slices in times for seconds in slices[way]) for way in WAYS}
    print(f"  {'interrupted slices':40} " + ", ".join(f"{way} {share:.2f} %" for way, share in interrupted.items()))
    print(f"  {'CPU time of keeper, engine and viewer':40} {100 * spent / seconds:.3f} % of the job's time")
    verdict = "met" if under[2] < LIMIT else "missed" if under[1] > LIMIT else "not shown: more rounds are needed (BENCH_ROUNDS)"
    print(f"  limit {LIMIT} % of wall time: {verdict}", flush=True)


def walltime(new_run, start_bare, start_under):
    cores = os.sched_getaffinity(0)
    core, chance = max(cores), random.Random(2)
    print(f"load {os.getloadavg()[0]:.1f} before")
    for title, allowed in (("compute-bound job on its core, gputop on any", cores), ("both on one core: the worst case", {core})):
        os.sched_setaffinity(0, allowed)  # inherited by what is started here
        try:
            times, spent, seconds = [], 0.0, 0.0
            for _ in range(JOBS):
                more = measure(new_run, start_bare, start_under, core, max(1, ROUNDS // JOBS), chance)
                times, spent, seconds = times + more[0], spent + more[1], seconds + more[2]
        finally:
            os.sched_setaffinity(0, cores)
        report(title, times, spent, seconds)
    print(f"load {os.getloadavg()[0]:.1f} after, of which 1 or 2 are ours")
