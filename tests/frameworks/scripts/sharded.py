"""FSDP2 or DDP on two ranks, started by torchrun."""
import sys

import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

from own_clock import OwnClock


def main():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    model = torch.nn.Sequential(torch.nn.Linear(64, 256), torch.nn.ReLU(), torch.nn.Linear(256, 1))
    parameters = sum(p.numel() for p in model.parameters())
    if "--fsdp" in sys.argv:
        from torch.distributed.device_mesh import init_device_mesh
        from torch.distributed.fsdp import fully_shard
        mesh = init_device_mesh("cpu", (dist.get_world_size(),))
        for layer in (model[0], model[2]):
            fully_shard(layer, mesh=mesh)
        fully_shard(model, mesh=mesh)
    else:
        model = torch.nn.parallel.DistributedDataParallel(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    data = TensorDataset(torch.randn(1600, 64), torch.randn(1600, 1))
    sampler = DistributedSampler(data, seed=0)
    loader = DataLoader(data, batch_size=8, sampler=sampler)
    clock = OwnClock(batch_size=8, workers=0, accumulation=1, optimizer="adamw", precision="fp32", parameters=parameters, world_size=2)
    for epoch in range(4):
        sampler.set_epoch(epoch)
        for step, (x, y) in enumerate(loader):
            loss = torch.nn.functional.mse_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            clock.batch(len(x) * dist.get_world_size())
            if rank == 0 and (step + 1) % 20 == 0:
                print(f"epoch {epoch + 1}/4 step {step + 1}/{len(loader)} loss {loss.item():.6f}", flush=True)
    if rank == 0:
        clock.write(epoch=4, step=4 * len(loader), total_steps=len(loader), loss=float(f"{loss.item():.6f}"))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
