"""timm: its model, loader, optimizer and scheduler, as its own training script puts them together."""
import pathlib
import sys

import timm
import torch
from PIL import Image
from timm.data import create_dataset, create_loader
from timm.loss import LabelSmoothingCrossEntropy
from timm.optim import create_optimizer_v2
from timm.scheduler import create_scheduler_v2
from timm.utils import AverageMeter

from own_clock import OwnClock

BATCH_SIZE = 8
WORKERS = 1
EPOCHS = 3


def images(folder, count):
    for index in range(count):
        path = pathlib.Path(folder, f"class{index % 4}", f"{index}.png")
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            Image.new("RGB", (48, 48), (index * 7 % 256, index * 13 % 256, index * 29 % 256)).save(path)
    return folder


def main():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    dataset = create_dataset("", root=images("images", 320))
    loader = create_loader(dataset, input_size=(3, 32, 32), batch_size=BATCH_SIZE, is_training=True, use_prefetcher=False,
                           num_workers=WORKERS, use_multi_epochs_loader="--multi-epochs" in sys.argv, device=torch.device("cpu"), pin_memory=False)
    model = timm.create_model("resnet10t", num_classes=4)
    optimizer = create_optimizer_v2(model, opt="lamb", lr=1e-3, weight_decay=0.02)
    scheduler, _ = create_scheduler_v2(optimizer, sched="cosine", num_epochs=EPOCHS)
    loss_of = LabelSmoothingCrossEntropy(0.1)
    clock = OwnClock(batch_size=BATCH_SIZE, workers=WORKERS, prefetch=2, accumulation=1, precision="fp32", optimizer="lamb",
                     parameters=sum(p.numel() for p in model.parameters()))
    for epoch in range(EPOCHS):
        model.train()
        meter = AverageMeter()
        for number, (x, y) in enumerate(loader):
            loss = loss_of(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            clock.batch(len(x))
            meter.update(loss.item(), len(x))
            if number % 10 == 0 or number == len(loader) - 1:
                print(f"Train: {epoch} [{number:>4d}/{len(loader)} ({100. * number / (len(loader) - 1):>3.0f}%)]  "
                      f"Loss: {meter.val:#.3g} ({meter.avg:#.3g})  LR: {optimizer.param_groups[0]['lr']:.3e}", flush=True)
        scheduler.step(epoch + 1)
    clock.write(epoch=EPOCHS - 1, step=EPOCHS * len(loader), total_steps=len(loader), loss=float(f"{meter.val:#.3g}"))


if __name__ == "__main__":
    main()
