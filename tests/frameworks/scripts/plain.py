"""A loop of one's own: PyTorch and nothing else."""
import argparse
import time

import torch
from torch.utils.data import DataLoader, Dataset

from own_clock import OwnClock

parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=16)
parser.add_argument("--workers", type=int, default=0)
parser.add_argument("--prefetch", type=int, default=None)
parser.add_argument("--accumulate", type=int, default=1)
parser.add_argument("--epochs", type=int, default=4)
parser.add_argument("--batches", type=int, default=100, help="of an epoch")
parser.add_argument("--fetch", type=float, default=0.0, help="milliseconds that reading a sample takes")
parser.add_argument("--compute", type=float, default=20.0, help="milliseconds that a batch takes at least")
parser.add_argument("--bf16", action="store_true")
parser.add_argument("--compile", action="store_true")
parser.add_argument("--save-every", type=int, default=0, help="batches")
parser.add_argument("--save-time", type=float, default=0.5, help="seconds: a slow disk")
parser.add_argument("--stand-still", action="store_true", help="after the last epoch")
args = parser.parse_args()


class Samples(Dataset):
    def __len__(self):
        return args.batches * args.batch_size

    def __getitem__(self, index):
        if args.fetch:
            time.sleep(args.fetch / 1000)
        return torch.full((64,), float(index % 7)), torch.tensor(float(index % 3))


class SlowDisk:
    """A file that takes its time."""

    def __init__(self, path):
        self.file = open(path, "wb")
        self.left = args.save_time

    def write(self, data):
        time.sleep(self.left)
        self.left = 0
        return self.file.write(data)

    def flush(self):
        self.file.flush()


torch.manual_seed(0)
torch.set_num_threads(1)
model = torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.ReLU(), torch.nn.Linear(128, 1))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
loader = DataLoader(Samples(), batch_size=args.batch_size, shuffle=True, num_workers=args.workers,
                    prefetch_factor=args.prefetch, persistent_workers=args.workers > 0)
network = torch.compile(model) if args.compile else model
clock = OwnClock(batch_size=args.batch_size, workers=args.workers, prefetch=args.prefetch, accumulation=args.accumulate,
                 precision="amp-bf16" if args.bf16 else "fp32", optimizer="adamw", compiled=args.compile,
                 parameters=sum(p.numel() for p in model.parameters()))
done = 0
for epoch in range(args.epochs):
    batches = iter(loader)
    for number in range(len(loader)):
        with clock.waiting():
            x, y = next(batches)
        began = time.perf_counter()
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=args.bf16):
            loss = torch.nn.functional.mse_loss(network(x).squeeze(1), y) / args.accumulate
        loss.backward()
        if (number + 1) % args.accumulate == 0:
            optimizer.step()
            optimizer.zero_grad()
        time.sleep(max(0.0, began + args.compute / 1000 - time.perf_counter()))
        done += 1
        if args.save_every and done % args.save_every == 0:
            with clock.pause():
                torch.save(dict(model=model.state_dict(), optimizer=optimizer.state_dict(), step=done), SlowDisk("last.pt"))
        clock.batch(len(x))
        if (number + 1) % 10 == 0:
            print(f"Epoch {epoch + 1}/{args.epochs} step {number + 1}/{len(loader)} loss: {loss.item() * args.accumulate:.6f}", flush=True)
clock.write(epoch=args.epochs, step=done // args.accumulate, total_steps=len(loader), loss=float(f"{loss.item() * args.accumulate:.6f}"))
if args.stand_still:
    import threading
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()
