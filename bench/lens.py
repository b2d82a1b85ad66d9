"""bench/lens: see there. Parts: step, slow, start, workers; without a word all of them."""
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tests" / "support"))
from lens_monitor import TORCH_PYTHON, Monitor  # noqa: E402

# What the lens adds to a step, by two independent measures in one process (it talks to a socket that is read, as in a run):
# - pairs of equal blocks of steps, one as the lens left torch, one with everything it replaced put back, in turn. CPU time of
#   the thread that trains, because the lens never waits and other programs do not count then.
# - inside: the time between entering a hook and what it hooks, and from there to leaving it, step by step, less the same for a
#   hook that does nothing. Reports are among them.
STEPS = """
import random, statistics, sys, time
import torch
from torch.utils.data import DataLoader, Dataset
work, steps, pairs = float(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
torch.set_num_threads(1)
torch.manual_seed(0)
now = time.perf_counter

class Ready(Dataset):
    def __init__(self):
        self.x = torch.randn(16, 32)
    def __len__(self):
        return 1 << 40
    def __getitem__(self, index):
        return self.x

data = Ready()
model = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.ReLU(), torch.nn.Linear(64, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=1e-5)
loader = DataLoader(data, batch_size=None, sampler=range(1 << 40))
cold = torch.zeros(1 << 21)
batches = iter(loader)
def rest(start):
    if work:                     # a step of a fixed length, whose work throws ours out of the caches
        cold.add_(1)
        time.sleep(max(0, start + work - now()))
def block(count):
    began = time.thread_time()
    for _ in range(count):
        start = now()
        x = next(batches)
        optimizer.zero_grad(set_to_none=True)
        model(x).pow(2).mean().backward()
        optimizer.step()
        rest(start)
    return (time.thread_time() - began) / count

patches = sys.modules["_gputop_lens.patches"]
block(200)                       # past the scan, the probe and the counted steps
replaced = list(patches._done)
posts = getattr(sys.modules["torch.optim.optimizer"], "_global_optimizer_post_hooks", None) or {}  # torch 2: ours is among them
kept = dict(posts)
def switch(on):
    posts.update(kept) if on else posts.clear()
    for owner, name, original, ours in replaced:
        if original is patches._MISSING:
            setattr(owner, name, ours) if on else delattr(owner, name) if name in owner.__dict__ else None
        else:
            setattr(owner, name, ours if on else original)
found = []
for turn in range(pairs):
    times = {}
    for on in (turn % 2 == 0, turn % 2 != 0):
        switch(on)
        times[on] = block(steps)
    found.append((times[False], times[True] - times[False]))
switch(True)

inner = [0.0]
def timed(function):
    def call(*words, **more):
        began = now()
        try:
            return function(*words, **more)
        finally:
            inner[0] += now() - began
    return call
def hooked(owner, name):
    hook = owner.__dict__[name]
    cell = hook.__closure__[hook.__code__.co_freevars.index("original")]
    cell.cell_contents = timed(cell.cell_contents)
    original = cell.cell_contents
    def nothing(self, *words, **more):
        return original(self, *words, **more)
    return hook, nothing
after = [0.0]
def timed_hook(function):
    def call(*words):
        began = now()
        function(*words)
        after[0] += now() - began
    return call
def no_hook(*words):
    pass
hooks = [hooked(torch.utils.data.dataloader._BaseDataLoaderIter, "__next__")]
if not kept:
    hooks.append(hooked(type(optimizer), "step"))
inside = {True: [], False: []}
for count in range(steps * pairs):
    on = count // 100 % 2 == 0   # long enough for a report now and then
    for key, function in kept.items():
        posts[key] = timed_hook(function if on else no_hook)
    start = now()
    took = 0.0
    inner[0], began = 0.0, now()
    x = hooks[0][0 if on else 1](batches)
    took += now() - began - inner[0]
    optimizer.zero_grad(set_to_none=True)
    model(x).pow(2).mean().backward()
    if kept:
        after[0] = 0.0
        optimizer.step()
        took += after[0]
    else:
        inner[0], began = 0.0, now()
        hooks[1][0 if on else 1](optimizer)
        took += now() - began - inner[0]
    inside[on].append(took)
    rest(start)
figures = [statistics.median(t for t, _ in found), *(d for _, d in found)]
print(*(figure * 1e6 for figure in figures))
print(*((figure(inside[True]) - figure(inside[False])) * 1e6 for figure in (statistics.median, statistics.fmean)))
"""


def steps(title, work, count, pairs):
    with Monitor() as monitor:
        heard = monitor.run(TORCH_PYTHON, "-B", monitor.script(STEPS), str(work), str(count), str(pairs), timeout=600)
    assert heard.code == 0, heard.stderr
    first, second = heard.stdout.splitlines()
    base, *added = map(float, first.split())
    inside, with_reports = map(float, second.split())
    whole = work * 1e6 or base
    low, high = median_interval(added)
    print("%s: %.1f µs a step (%.0f it/s), the lens adds %+.2f µs = %+.3f %%, 95 %%: %+.2f … %+.2f µs (%d pairs of %d steps)"
          % (title, whole, 1e6 / whole, statistics.median(added), 100 * statistics.median(added) / whole, low, high, pairs, count))
    print("  time inside the hooks: %.2f µs a step (median), %.2f µs = %.3f %% with the reports among them (mean)"
          % (inside, with_reports, 100 * with_reports / whole))


def median_interval(values):
    """Where the median lies with a probability of 95 %, whatever the values are distributed like."""
    ordered, half = sorted(values), 0.98 * len(values) ** 0.5
    middle = (len(values) - 1) / 2
    return ordered[max(0, int(middle - half))], ordered[min(len(values) - 1, int(middle + half + 1))]


def start_up(runs=40):
    """A Python that never imports torch, with and without the lens in its way, in turn."""
    with Monitor() as monitor:
        without = {name: value for name, value in monitor.environment.items() if name not in ("PYTHONPATH", "GPUTOP_LENS_SOCKET")}
        times = {True: [], False: []}
        for _ in range(runs):
            for lens in (False, True):
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                subprocess.run([TORCH_PYTHON, "-c", "pass"], env=monitor.environment if lens else without, check=True)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                times[lens].append((after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1e3)
    plain, with_lens = statistics.median(times[False]), statistics.median(times[True])
    print("start-up without torch: %.1f ms of CPU, with the lens %+.1f ms (%d of each)" % (plain, with_lens - plain, runs))


# A loader that waits (as for a disk) or computes for each batch, and a model that takes its time.
LOADED = """
import sys, time
import torch
from torch.utils.data import DataLoader, Dataset
kind, fetch, compute, workers, steps = sys.argv[1], float(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5])
torch.set_num_threads(1)
class Data(Dataset):
    def __len__(self):
        return 8 * steps
    def __getitem__(self, index):
        if kind == "waits":
            time.sleep(fetch / 8)
        else:
            end = time.thread_time() + fetch / 8
            while time.thread_time() < end: pass
        return torch.zeros(3, 32, 32)
model = torch.nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
for x in DataLoader(Data(), batch_size=8, num_workers=workers):
    time.sleep(compute)          # a GPU would compute, and leave the cores alone
    model(x.mean((2, 3))).sum().backward()
    optimizer.step()
"""
HANDING_OVER = 0.0005  # seconds a batch from a worker takes the main process (queue, unpickling, shared memory)


def measured(kind, fetch, compute, workers):
    """(wait, user) in seconds per batch, as the lens has them."""
    with Monitor(GPUTOP_LENS_FLUSH="0.1") as monitor:
        heard = monitor.run(TORCH_PYTHON, "-B", monitor.script(LOADED), kind, str(fetch), str(compute), str(workers), "120",
                            timeout=600)
    assert heard.code == 0, heard.stderr
    ticks = [tick for tick in heard.of("tick") if tick["steps"] >= 20]
    first, last = (tick["loaders"][0] for tick in (ticks[0], ticks[-1]))
    batches = last["batches"] - first["batches"]
    return (last["wait"] - first["wait"]) / batches, (last["user"] - first["user"]) / batches


def workers():
    cores = len(os.sched_getaffinity(0))
    print("more workers: what the run without any foretells, and what they bring (%d cores)" % cores)
    for kind, fetch, compute, counts in (("waits", 0.040, 0.010, (1, 2, 4)), ("waits", 0.012, 0.012, (1, 2)),
                                         ("computes", 0.020, 0.010, (1,)), ("waits", 0.002, 0.020, (1,))):
        wait, user = measured(kind, fetch, compute, 0)
        print("  loader %s %.0f ms, step %.0f ms: %.1f ms a batch, input wait %.0f %%"
              % (kind, fetch * 1e3, compute * 1e3, (wait + user) * 1e3, 100 * wait / (wait + user)))
        for count in counts:
            # The loader works beside the step; those that compute cannot be more at a time than there are cores left.
            at_a_time = count if kind == "waits" else min(count, max(1, cores - 1))
            foretold = (wait + user) / max(user + HANDING_OVER, wait / at_a_time)
            now = sum(measured(kind, fetch, compute, count))
            brought = (wait + user) / now
            print("    %d workers: foretold ×%.2f, brought ×%.2f: %+.0f %%" % (count, foretold, brought, 100 * (foretold / brought - 1)))


PARTS = {
    "step": lambda: steps("fast loop", 0, 200, 100),
    "slow": lambda: steps("20 ms steps", 0.020, 10, 100),
    "start": start_up,
    "workers": workers,
}

if __name__ == "__main__":
    for word in sys.argv[1:] or PARTS:
        PARTS[word]()
