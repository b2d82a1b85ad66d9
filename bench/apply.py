"""bench/apply: see there."""
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
GPUTOP = os.environ.get("GPUTOP", str(ROOT / "build" / "release" / "gputop"))
PYTHON = os.environ.get("GPUTOP_TORCH_PYTHON") or "/usr/bin/python3"
# 80 ms to fetch a batch and 70 ms to learn from it, both spent waiting, as for a store and for a GPU: what is compared is two
# measurements, not how much else this machine has to do.
TRAIN = """
import argparse, time
import torch
from torch.utils.data import DataLoader, Dataset
parser = argparse.ArgumentParser()
parser.add_argument("--workers", type=int, default=0)
parser.add_argument("--steps", type=int, default=1 << 40)
settings = parser.parse_args()

class Slow(Dataset):
    def __len__(self):
        return 8 * 100
    def __getitem__(self, index):
        time.sleep(0.01)
        return torch.full((16,), float(index % 7))

torch.set_num_threads(1)
model = torch.nn.Linear(16, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-4)
loader = DataLoader(Slow(), batch_size=8, num_workers=settings.workers, persistent_workers=settings.workers > 0)
step, counted, spent, last = 0, 0, 0.0, None
while step < settings.steps:
    last = None
    for x in loader:
        optimizer.zero_grad()
        model(x).pow(2).mean().backward()
        optimizer.step()
        time.sleep(0.07)
        now = time.perf_counter()
        step += 1
        if last is not None and step > 20:
            spent += now - last
            counted += 1
        last = now
        if step >= settings.steps:
            break
print("RATE", 8 * counted / spent)
"""


def rate(script, workers, steps):
    done = subprocess.run([PYTHON, "-B", script, "--workers", str(workers), "--steps", str(steps)], capture_output=True, text=True, check=True)
    return float(done.stdout.split("RATE")[1])


def independent(script, chosen, rounds):
    """Pairs of no worker and `chosen`, each first in turn: the gain in percent and half of its 95 % interval."""
    gains = []
    for number in range(rounds):
        rates = {workers: rate(script, workers, 100) for workers in ((0, chosen) if number % 2 == 0 else (chosen, 0))}
        gains.append(math.log(rates[chosen] / rates[0]))
        print("  round %d: %.1f and %.1f samples/s: %+.1f %%" % (number + 1, rates[0], rates[chosen], 100 * (rates[chosen] / rates[0] - 1)), flush=True)
    mean, error = statistics.mean(gains), statistics.stdev(gains) / math.sqrt(rounds)
    t = {2: 12.7, 3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36}.get(rounds, 2.2)
    return 100 * (math.exp(mean) - 1), 100 * math.exp(mean) * t * error


def by_gputop(script, home):
    """The workers that gputop chose by itself, and what it says of them: the gain in percent and its uncertainty."""
    folder = home / ".config" / "gputop"
    folder.mkdir(parents=True)
    (folder / "advisor.yaml").write_text("thresholds:\n  cpu_full: 100\n")  # the bench itself keeps the machine busy
    env = dict(os.environ, HOME=str(home), XDG_STATE_HOME=str(home / "state"), XDG_CONFIG_HOME=str(home / ".config"))
    process = subprocess.Popen([GPUTOP, "--headless", "--auto", "--max-changes", "1", "--allow", "workers,persistent_workers",
                                "--source", "sim:idle", "--", PYTHON, "-B", script, "--workers", "0"],
                               env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    chosen = None
    try:
        for line in process.stderr:
            if "change:" in line:
                print("  " + line.strip(), flush=True)
            if found := re.search(r"workers 0 → (\d+)", line):
                chosen = int(found.group(1))
            if found := re.search(r"([+-][\d.]+) % ± ([\d.]+) % samples/s", line):
                return chosen, float(found.group(1)), float(found.group(2))
    finally:
        process.terminate()
        process.wait()
    raise SystemExit("gputop made no change")


def main(rounds):
    with tempfile.TemporaryDirectory() as home:
        script = os.path.join(home, "train.py")
        pathlib.Path(script).write_text(TRAIN)
        print("a change made and measured by gputop:")
        chosen, said, uncertainty = by_gputop(script, pathlib.Path(home))
        print("the same, workers 0 against %d, each in its own process, in turn:" % chosen)
        gain, error = independent(script, chosen, rounds)
    noise = math.hypot(error, uncertainty)
    print("independent %+.1f %% ± %.1f %%   gputop %+.1f %% ± %.1f %%   they differ by %.1f, noise is %.1f: %s"
          % (gain, error, said, uncertainty, abs(gain - said), noise, "within noise" if abs(gain - said) <= noise else "NOT within noise"))


main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
