"""The share of time a run waits for its data: high for a slow loader, low for a run that computes, and why it waits."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from lens_monitor import Monitor, python  # noqa: E402

# item: seconds each sample sleeps or computes in the dataset; layers: how much the model has to do.
# It prints what it measures itself: the median time of a step, the share of the time in which it waited for a batch, and the share
# of a fetch in which it did not ask to sleep. On a busy machine, these are the truth: there a thread also waits for a processor.
RUN = """
import sys, time
import torch
from torch.utils.data import DataLoader, Dataset

kind, item, size, steps, workers = sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5])
slept = fetching = 0.0

class Data(Dataset):
    def __len__(self):
        return 8 * steps
    def __getitem__(self, index):
        global slept, fetching
        began = time.perf_counter()
        if kind == "computes":
            end = time.thread_time() + item
            while time.thread_time() < end:
                pass
        else:
            seconds = item / 20 if kind == "stumbles" and index % 160 else item
            time.sleep(seconds)
            slept += seconds
        fetching += time.perf_counter() - began
        return torch.full((size,), float(index % 7))

torch.set_num_threads(1)
model = torch.nn.Sequential(*[torch.nn.Linear(size, size) for _ in range(4)])
optimizer = torch.optim.SGD(model.parameters(), lr=1e-4)
batches = iter(DataLoader(Data(), batch_size=8, num_workers=workers))
times, waits = [time.perf_counter()], []
while True:
    began = time.perf_counter()
    x = next(batches, None)
    if x is None:
        break
    waits.append(time.perf_counter() - began)
    loss = model(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    times.append(time.perf_counter())
median = sorted(after - before for before, after in zip(times, times[1:]))[len(times) // 2]
print(median, sum(waits[3:]) / (times[-1] - times[3]), 1 - slept / fetching if fetching else 1)
"""


class InputWait(unittest.TestCase):
    def run_it(self, kind, item, size, steps, workers=0):
        """What the lens said, and what the script measured."""
        with Monitor(GPUTOP_LENS_FLUSH="0.05") as monitor:
            heard = monitor.run(*python(monitor.script(RUN), kind, str(item), str(size), str(steps), str(workers)))
        self.assertEqual(0, heard.code, heard.stderr)
        self.assertEqual([], heard.of("fault"))
        median, waited, busy = (float(word) for word in heard.stdout.split())
        self.assertAlmostEqual(heard.wait_share(skip=3), waited, delta=0.1)
        return heard, median, busy

    def test_a_loader_that_waits_for_its_disk(self):
        heard, _, busy = self.run_it("sleeps", 0.002, 64, 60)
        self.assertAlmostEqual(heard.loader()["fetch_cpu"], busy, delta=0.25)

    def test_a_loader_that_computes(self):
        heard, _, _ = self.run_it("computes", 0.002, 64, 60)
        self.assertGreaterEqual(heard.wait_share(skip=3), 0.5)
        self.assertGreater(heard.loader()["fetch_cpu"], 0.5)

    def test_a_run_that_computes_hardly_waits(self):
        self.run_it("sleeps", 0.0, 768, 60)

    def test_with_workers_the_wait_is_what_they_cannot_hide(self):
        heard, _, _ = self.run_it("sleeps", 0.004, 64, 60, workers=1)
        self.assertIsNone(heard.loader()["fetch_cpu"])  # theirs cannot be seen from here

    def test_steps_that_vary(self):
        heard, median, _ = self.run_it("stumbles", 0.02, 64, 200)
        loader = heard.loader()
        self.assertGreater(loader["p99"], 1.5 * loader["p50"])
        self.assertAlmostEqual(median, loader["p50"], delta=0.3 * median)


if __name__ == "__main__":
    unittest.main()
