"""Trains together with the other ranks, over gloo, on the CPU. A fault begins when its file is there: FOLDER/fault says {"rank", "kind"}.

    loader  its dataset takes longer, waiting        disk   its dataset waits for its disk
    heavy   its batches are longer                   sleep  its own code waits
    hang    its own code waits for ever
"""
import argparse
import json
import os
import pathlib
import time

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Dataset

parser = argparse.ArgumentParser()
parser.add_argument("folder", type=pathlib.Path)
parser.add_argument("--seconds", type=float, default=60)
parser.add_argument("--step-ms", type=float, default=100)
parser.add_argument("--work-ms", type=float, default=20, help="CPU time of each step: what a neighbor on its cores slows down")
options = parser.parse_args()

rank = int(os.environ.get("RANK", os.environ.get("SLURM_PROCID", "0")))
world = int(os.environ.get("WORLD_SIZE", os.environ.get("SLURM_NTASKS", "1")))
torch.set_num_threads(1)
host_work = torch.randn(128, 128)
fault = {}
looked = 0.0
PIECE = os.urandom(4096)


def look():
    """What is wrong with this rank by now."""
    global looked, fault
    if time.monotonic() - looked > 0.5:
        looked = time.monotonic()
        try:
            told = json.loads((options.folder / "fault").read_text())
            fault = told if told["rank"] == rank else {}
        except (OSError, ValueError):
            fault = {}
    return fault.get("kind")


class Data(Dataset):
    def __len__(self):
        return 1 << 20

    def __getitem__(self, index):
        kind = look()
        if kind == "loader" and index % 8 == 0:
            time.sleep(0.25)
        if kind == "disk" and index % 8 == 0:
            self.use_disk()
        return torch.randn(256 if kind == "heavy" else 64)

    def use_disk(self):
        """Waits for the disk and does little else: what is written must be on it."""
        file = os.open(options.folder / ("disk-%d" % rank), os.O_RDWR | os.O_CREAT, 0o600)
        until = time.monotonic() + 0.25
        while time.monotonic() < until:
            os.pwrite(file, PIECE, 0)
            os.fsync(file)
        os.close(file)


class Net(torch.nn.Module):
    """As long a step as its batch is: the sleep stands for a device that computes, the products for what the host does in it."""
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(64, 256), torch.nn.ReLU(), torch.nn.Linear(256, 64))

    def forward(self, batch):
        time.sleep(options.step_ms / 1e3 * batch.shape[1] / 64)
        until = time.thread_time() + options.work_ms / 1e3
        while time.thread_time() < until:
            host_work @ host_work
        return sum(self.layers(part).pow(2).mean() for part in batch.split(64, dim=1))


dist.init_process_group("gloo", init_method="file://%s" % (options.folder / "meet"), rank=rank, world_size=world)
model = DistributedDataParallel(Net())
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
(options.folder / ("pid-%d" % rank)).write_text(str(os.getpid()))
ends = time.monotonic() + options.seconds
step = 0
for batch in DataLoader(Data(), batch_size=8):
    kind = look()
    if kind == "sleep":
        time.sleep(0.25)
    while look() == "hang":
        time.sleep(0.1)
    optimizer.zero_grad()
    loss = model(batch)
    loss.backward()
    optimizer.step()
    step += 1
    if step % 50 == 0 and rank == 0:
        print("step %d loss %.4f" % (step, loss.item()), flush=True)
    # All of them leave at the same step.
    if step % 10 == 0:
        late = torch.tensor([1.0 if time.monotonic() > ends else 0.0])
        dist.all_reduce(late)
        if late.item() > 0:
            break
dist.destroy_process_group()
