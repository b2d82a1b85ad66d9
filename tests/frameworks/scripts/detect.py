"""Ultralytics' Python API: a small detector trained from scratch."""
import torch
import yolo_data
from ultralytics import YOLO

from own_clock import OwnClock

torch.set_num_threads(1)
BATCH, WORKERS, EPOCHS = 8, 2, 3
clock = OwnClock(batch_size=BATCH, precision="fp32", accumulation=1)
model = YOLO("yolo11n.yaml")


def on_train_start(trainer):
    momentum = max(group["momentum"] for group in trainer.optimizer.param_groups)
    clock.facts.update(parameters=sum(p.numel() for p in trainer.model.parameters()), optimizer="sgd-momentum" if momentum > 0 else "sgd",
                       total_steps=len(trainer.train_loader), workers=trainer.train_loader.num_workers)


def on_train_batch_end(trainer):
    clock.batch(BATCH)


def on_train_epoch_end(trainer):
    clock.pausing = clock.pause()
    clock.pausing.__enter__()


def on_fit_epoch_end(trainer):
    if getattr(clock, "pausing", None):
        clock.pausing.__exit__(None, None, None)
        clock.pausing = None


for event in (on_train_start, on_train_batch_end, on_train_epoch_end, on_fit_epoch_end):
    model.add_callback(event.__name__, event)
model.train(data=str(yolo_data.write("things")), epochs=EPOCHS, imgsz=64, batch=BATCH, workers=WORKERS, device="cpu", optimizer="SGD",
            warmup_epochs=0, nbs=BATCH, plots=False, amp=False, seed=0, project="runs", name="t", exist_ok=True)
clock.write(epoch=EPOCHS)
