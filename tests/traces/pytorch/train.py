"""A small PyTorch training run on the CPU whose trouble is made on purpose, so that its cause is known: see runs.txt."""
import argparse
import os
import random
import socket
import subprocess
import sys
import time
import zlib

import torch
from torch.utils.data import DataLoader, Dataset

OUT_OF_MEMORY = ("CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.69 GiB of which 1.02 GiB is free. "
                 "Including non-PyTorch memory, this process has 22.64 GiB memory in use. Of the allocated memory 22.10 GiB is "
                 "allocated by PyTorch, and 96.00 MiB is reserved by PyTorch but unallocated.")


class Samples(Dataset):
    """Each sample waits for a disk that is not there, computes, unpacks, or all of it."""

    def __init__(self, count, wait, compute, unpack=0):
        self.count, self.wait, self.compute = count, wait, compute
        self.packed = zlib.compress(bytes(random.Random(0).choices(range(16), k=unpack * 1024))) if unpack else b""
        self.data = torch.randn(256, 64)

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        if self.wait > 0:
            time.sleep(self.wait / 1000)
        end = time.thread_time() + self.compute / 1000  # CPU time: a crowded machine does not make it less work
        while time.thread_time() < end:
            pass
        if self.packed:
            torch.frombuffer(bytearray(zlib.decompress(self.packed)), dtype=torch.uint8).float().mean()
        return self.data[index % 256], index % 10


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=28)
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--prefetch", type=int, default=0)
    parser.add_argument("--wait", type=float, default=0, help="ms a sample waits for")
    parser.add_argument("--compute", type=float, default=0, help="ms of CPU a sample takes")
    parser.add_argument("--unpack", type=int, default=0, help="kB a sample has when it is unpacked")
    parser.add_argument("--width", type=int, default=128, help="of the model: its share of the step")
    parser.add_argument("--idle", type=float, default=0, help="ms a step sleeps, as it would while a GPU computes")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--epoch", type=int, default=2048, help="samples")
    parser.add_argument("--validate", type=int, default=0, help="samples after every epoch")
    parser.add_argument("--fail", choices=["exception", "oom"], help="after the time is over")
    parser.add_argument("--leak", type=int, default=0, help="kB kept at every step")
    parser.add_argument("--ranks", type=int, default=1)
    parser.add_argument("--straggler", type=float, default=0, help="ms more that a sample of the last rank waits for")
    parser.add_argument("--print-times", action="store_true", help="data time and step time, as timm prints them")
    return parser.parse_args()


def start_ranks(count):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    ranks = [subprocess.Popen([sys.executable, *sys.argv], env=dict(os.environ, RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=str(count),
                                                                     MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))) for rank in range(count)]
    sys.exit(max(rank.wait() for rank in ranks))


def main():
    args = parse()
    if args.ranks > 1 and "RANK" not in os.environ:
        start_ranks(args.ranks)
        return
    torch.manual_seed(0)
    torch.set_num_threads(args.threads)
    rank, world = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    model = torch.nn.Sequential(torch.nn.Linear(64, args.width), torch.nn.ReLU(), torch.nn.Linear(args.width, args.width),
                                torch.nn.ReLU(), torch.nn.Linear(args.width, 10))
    if world > 1:
        torch.distributed.init_process_group("gloo")
        model = torch.nn.parallel.DistributedDataParallel(model)
    wait = args.wait + (args.straggler if rank == world - 1 else 0)
    loader = DataLoader(Samples(args.epoch, wait, args.compute, args.unpack), batch_size=args.batch_size, num_workers=args.workers,
                        **({"prefetch_factor": args.prefetch} if args.prefetch and args.workers else {}))
    held_out = DataLoader(Samples(args.validate, args.wait, args.compute), batch_size=args.batch_size) if args.validate else []
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    kept, step, epoch, begin = [], 0, 0, time.monotonic()
    over = torch.zeros(1)
    while not over:
        before = time.monotonic()
        for inputs, labels in loader:
            loaded = time.monotonic()
            loss = torch.nn.functional.cross_entropy(model(inputs), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if args.idle:
                time.sleep(args.idle / 1000)
            step += 1
            if args.leak:
                kept.append(torch.zeros(args.leak * 256))
            now = time.monotonic()
            if args.print_times and step % 20 == 0:
                print(f"Train: {epoch} [{step:>5}/99999 (  1%)]  Loss: {loss.item():.4f} Time: {now - before:.3f}s,  "
                      f"{args.batch_size / (now - before):.2f}/s  LR: 1.000e-02  Data: {loaded - before:.3f}", flush=True)
            over = torch.tensor([float(now - begin > args.seconds)])
            if world > 1 and step % 20 == 0:
                torch.distributed.all_reduce(over)
            elif world > 1:
                over.zero_()
            if over:
                break
            before = time.monotonic()
        epoch += 1
        if not over:
            model.eval()
            with torch.no_grad():
                for inputs, _ in held_out:
                    model(inputs)
            model.train()
        if rank == 0 and not args.print_times:
            print(f"epoch {epoch} step {step} loss {loss.item():.4f}", flush=True)
    if args.fail == "exception":
        raise ValueError("a label of 11 where there are 10 classes")
    if args.fail == "oom":
        raise torch.cuda.OutOfMemoryError(OUT_OF_MEMORY) if hasattr(torch.cuda, "OutOfMemoryError") else RuntimeError(OUT_OF_MEMORY)


if __name__ == "__main__":
    main()
