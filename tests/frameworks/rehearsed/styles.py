"""Training loops in the styles people write them, one function each, none of them written for a rehearsal: styles.py NAME [FOLDER]."""
import sys

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, Dataset, TensorDataset

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def images(count=256, classes=10):
    return TensorDataset(torch.randn(count, 3, 32, 32), torch.randint(0, classes, (count,)))


def net():
    return nn.Sequential(nn.Conv2d(3, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.Dropout(0.1), nn.AdaptiveAvgPool2d(1),
                         nn.Flatten(), nn.Linear(32, 10))


def plain():
    model = net().to(DEVICE)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for images_, labels in DataLoader(images(), batch_size=16):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(images_.to(DEVICE)), labels.to(DEVICE))
        loss.backward()
        optimizer.step()
        print(f"loss {loss.item():.4f} {loss:.3f}")


def cuda_calls():
    torch.backends.cudnn.benchmark = True
    torch.cuda.manual_seed_all(1)
    print(torch.cuda.get_device_name(), torch.cuda.get_device_properties(0).total_memory, torch.cuda.get_device_capability())
    model = net().cuda()
    stream, begin, end = torch.cuda.Stream(), torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    optimizer = torch.optim.Adam(model.parameters(), fused=True)
    for images_, labels in DataLoader(images(), batch_size=16, pin_memory=True, num_workers=1):
        begin.record()
        with torch.cuda.stream(stream):
            images_, labels = images_.cuda(non_blocking=True), labels.cuda(non_blocking=True)
        torch.cuda.current_stream().wait_stream(stream)
        nn.functional.cross_entropy(model(images_), labels).backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        end.record()
        torch.cuda.synchronize()
        print(begin.elapsed_time(end), torch.cuda.memory_allocated() > 0, torch.cuda.max_memory_reserved() > 0)


def mixed():
    model = net().to(DEVICE)
    optimizer = torch.optim.AdamW(model.parameters())
    scaler = torch.amp.GradScaler("cuda")
    for images_, labels in DataLoader(images(), batch_size=16):
        with torch.autocast("cuda", dtype=torch.float16):
            loss = nn.functional.cross_entropy(model(images_.to(DEVICE)), labels.to(DEVICE))
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()


def accumulated():
    model = net().to(DEVICE)
    optimizer = torch.optim.AdamW(model.parameters())
    for step, (images_, labels) in enumerate(DataLoader(images(), batch_size=8)):
        (nn.functional.cross_entropy(model(images_.to(DEVICE)), labels.to(DEVICE)) / 4).backward()
        if (step + 1) % 4 == 0:
            optimizer.step()
            optimizer.zero_grad()


def transformer(use=lambda block, value: block(value), heads=4):
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.embed = nn.Embedding(1000, 64)
            self.blocks = nn.ModuleList(nn.TransformerEncoderLayer(64, heads, 128, batch_first=True) for _ in range(4))
            self.head = nn.Linear(64, 1000)

        def forward(self, tokens):
            value = self.embed(tokens)
            for block in self.blocks:
                value = use(block, value)
            return self.head(value)
    model = Net().to(DEVICE)
    optimizer = torch.optim.AdamW(model.parameters())
    for (tokens,) in DataLoader(TensorDataset(torch.randint(0, 1000, (64, 32))), batch_size=4):
        tokens = tokens.to(DEVICE)
        logits = model(tokens)
        loss = nn.functional.cross_entropy(logits.view(-1, 1000), tokens.view(-1))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def checkpointed():
    transformer(lambda block, value: checkpoint(block, value, use_reentrant=False))


def checkpointed_reentrant():
    transformer(lambda block, value: checkpoint(block, value, use_reentrant=True))


def compiled():
    model = torch.compile(net().to(DEVICE))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for images_, labels in DataLoader(images(), batch_size=16):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(images_.to(DEVICE)), labels.to(DEVICE)).backward()
        optimizer.step()


class Square(torch.autograd.Function):
    @staticmethod
    def forward(context, value):
        context.save_for_backward(value)
        return value * value

    @staticmethod
    def backward(context, grad):
        (value,) = context.saved_tensors
        return 2 * value * grad


def own_function():
    weight = nn.Parameter(torch.randn(64, 64, device=DEVICE))
    optimizer = torch.optim.Adam([weight])
    for (rows,) in DataLoader(TensorDataset(torch.randn(64, 64)), batch_size=8):
        Square.apply(rows.to(DEVICE) @ weight).mean().backward()
        optimizer.step()
        optimizer.zero_grad()


def masks():
    """Shapes that depend on values, some of which only a GPU would know."""
    model = nn.Linear(16, 16).to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters())
    for (rows,) in DataLoader(TensorDataset(torch.randn(64, 16)), batch_size=8):
        rows = rows.to(DEVICE)
        made = model(rows)
        chosen = made[made > 0]
        where = torch.nonzero(rows[:, 0] > 0).squeeze(1)
        if torch.isnan(made).any():
            raise SystemExit("not a number")
        loss = chosen.sum() + made[where].mean() + made.masked_select(made < 0).sum()
        loss.backward()
        if not torch.isfinite(loss):
            print("skipped")
        optimizer.step()
        optimizer.zero_grad()


def rejection():
    """A loop that ends when a value of the GPU allows it."""
    model = nn.Linear(4, 4).to(DEVICE)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(6):
        sample = torch.rand(4, device=DEVICE)
        while not sample.sum() < 3:
            sample = torch.rand(4, device=DEVICE)
        model(sample).sum().backward()
        optimizer.step()
        optimizer.zero_grad()


def validated():
    model = net().to(DEVICE)
    optimizer = torch.optim.AdamW(model.parameters())
    for epoch in range(3):
        model.train()
        for images_, labels in DataLoader(images(64), batch_size=16):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(images_.to(DEVICE)), labels.to(DEVICE)).backward()
            optimizer.step()
        model.eval()
        right = 0
        with torch.no_grad():
            for images_, labels in DataLoader(images(64), batch_size=64):
                right += (model(images_.to(DEVICE)).argmax(1) == labels.to(DEVICE)).sum().item()
        print("accuracy", right / 64)


def saved(folder="."):
    """Writes checkpoints, logs and metrics."""
    import json
    import os
    import pathlib
    out = pathlib.Path(folder) / "out"
    os.makedirs(out / "logs", exist_ok=True)
    model = net().to(DEVICE)
    optimizer = torch.optim.AdamW(model.parameters())
    log = open(out / "logs" / "train.log", "a")
    for step, (images_, labels) in enumerate(DataLoader(images(), batch_size=16)):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(images_.to(DEVICE)), labels.to(DEVICE))
        loss.backward()
        optimizer.step()
        print(step, loss.item(), file=log, flush=True)
        (out / "metrics.json").write_text(json.dumps({"loss": loss.item()}))
        assert json.loads((out / "metrics.json").read_text())["loss"] == loss.item()
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, out / "last.pt")
        existing = pathlib.Path(folder) / "data.txt"
        if existing.exists():
            existing.write_text("overwritten")
            existing.unlink()


def averaged():
    """A copy of the model that follows it."""
    import copy
    model = net().to(DEVICE)
    shadow = copy.deepcopy(model).eval()
    optimizer = torch.optim.AdamW(model.parameters())
    for images_, labels in DataLoader(images(), batch_size=16):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(images_.to(DEVICE)), labels.to(DEVICE)).backward()
        optimizer.step()
        with torch.no_grad():
            for old, new in zip(shadow.parameters(), model.parameters()):
                old.mul_(0.99).add_(new, alpha=0.01)


def recurrent():
    model = nn.LSTM(16, 32, num_layers=2, batch_first=True).to(DEVICE)
    head = nn.Linear(32, 1).to(DEVICE)
    optimizer = torch.optim.Adam([*model.parameters(), *head.parameters()])
    for (rows,) in DataLoader(TensorDataset(torch.randn(64, 10, 16)), batch_size=8):
        made, _ = model(rows.to(DEVICE))
        head(made[:, -1]).pow(2).mean().backward()
        optimizer.step()
        optimizer.zero_grad()


def adversarial():
    generator = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 32)).to(DEVICE)
    critic = nn.Sequential(nn.Linear(32, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1)).to(DEVICE)
    first, second = torch.optim.Adam(generator.parameters()), torch.optim.Adam(critic.parameters())
    for (real,) in DataLoader(TensorDataset(torch.randn(64, 32)), batch_size=8):
        real = real.to(DEVICE)
        made = generator(torch.randn(len(real), 16, device=DEVICE))
        loss = nn.functional.softplus(critic(made.detach())).mean() + nn.functional.softplus(-critic(real)).mean()
        second.zero_grad()
        loss.backward()
        second.step()
        first.zero_grad()
        nn.functional.softplus(-critic(made)).mean().backward()
        first.step()


def parallel():
    import torch.distributed as dist
    dist.init_process_group("nccl", rank=0, world_size=4, init_method="tcp://127.0.0.1:29599")
    model = nn.parallel.DistributedDataParallel(net().to(DEVICE), device_ids=[0])
    optimizer = torch.optim.AdamW(model.parameters())
    sampler = torch.utils.data.DistributedSampler(images())
    for images_, labels in DataLoader(images(), batch_size=8, sampler=sampler):
        with model.no_sync():
            loss = nn.functional.cross_entropy(model(images_.to(DEVICE)), labels.to(DEVICE))
        loss.backward()
        dist.all_reduce(loss.detach())
        optimizer.step()
        optimizer.zero_grad()
    dist.destroy_process_group()


def default_device():
    torch.set_default_device("cuda")
    model = nn.Linear(32, 32)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(8):
        optimizer.zero_grad()
        model(torch.randn(16, 32)).sum().backward()
        optimizer.step()


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
