"""Two processes (or more) train one model: DistributedDataParallel over gloo, each with its share of the data.

By itself it starts as many as its settings say; under torchrun it is one of those that torchrun started.
"""
import math
import os
import socket
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

from settings import read_settings


def make_data(samples, features):
    random = torch.Generator().manual_seed(1)
    x = torch.randn(samples, features, generator=random)
    return TensorDataset(x, torch.tanh(x @ torch.randn(features, 1, generator=random)))


def train(settings, rank):
    torch.manual_seed(settings["seed"])
    torch.set_num_threads(1)
    data = make_data(settings["samples"], settings["features"])
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=settings["batch_size"], sampler=sampler, num_workers=settings["workers"])
    hidden = settings["hidden"]
    model = DistributedDataParallel(nn.Sequential(nn.Linear(settings["features"], hidden), nn.ReLU(),
                                                  nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1)))
    optimizer = torch.optim.SGD(model.parameters(), lr=settings["learning_rate"], momentum=0.9)
    left = settings["steps"] or math.inf
    for epoch in range(settings["epochs"]):
        sampler.set_epoch(epoch)
        began = time.perf_counter()
        for number, (x, y) in enumerate(loader, 1):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            if rank == settings["slow_rank"]:
                time.sleep(settings["slow_ms"] / 1e3)
            optimizer.step()
            left -= 1
            if rank == 0 and (number % 50 == 0 or left <= 0):
                rate = number * settings["batch_size"] * dist.get_world_size() / (time.perf_counter() - began)
                print("epoch %d step %d/%d loss %.4f %.1f samples/s" % (epoch, number, len(loader), loss.item(), rate), flush=True)
            if left <= 0:
                return


def run_rank(rank, settings, port):
    os.environ.update(RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=str(settings["processes"]),
                      MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    run(settings)


def run(settings):
    dist.init_process_group("gloo")
    try:
        train(settings, dist.get_rank())
    finally:
        dist.destroy_process_group()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def main():
    settings = read_settings(__file__)
    if "RANK" in os.environ:
        run(settings)
    else:
        torch.multiprocessing.spawn(run_rank, (settings, free_port()), nprocs=settings["processes"])


if __name__ == "__main__":
    main()
