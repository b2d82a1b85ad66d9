"""Lightning: a module, a data module and the Trainer, with accumulation and validation. Run as a script or through LightningCLI."""
import sys
import time

import torch
import lightning as L
from lightning.pytorch.cli import LightningCLI
from torch.utils.data import DataLoader, Dataset

from own_clock import OwnClock


class Samples(Dataset):
    def __init__(self, count, fetch):
        self.count = count
        self.fetch = fetch

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        if self.fetch:
            time.sleep(self.fetch / 1000)
        return torch.full((64,), float(index % 7)), torch.tensor(float(index % 3))


class Data(L.LightningDataModule):
    def __init__(self, batch_size: int = 16, num_workers: int = 0, fetch: float = 0.0, batches: int = 200):
        super().__init__()
        self.save_hyperparameters()

    def train_dataloader(self):
        p = self.hparams
        return DataLoader(Samples(p.batches * p.batch_size, p.fetch), batch_size=p.batch_size, shuffle=True, num_workers=p.num_workers)

    def val_dataloader(self):
        p = self.hparams
        return DataLoader(Samples(20 * p.batch_size, p.fetch), batch_size=p.batch_size, num_workers=p.num_workers)


class Net(L.LightningModule):
    def __init__(self, learning_rate: float = 1e-3, compute: float = 0.0):
        super().__init__()
        self.save_hyperparameters()
        self.layers = torch.nn.Sequential(torch.nn.Linear(64, 512), torch.nn.ReLU(), torch.nn.Linear(512, 512), torch.nn.ReLU(), torch.nn.Linear(512, 1))

    def training_step(self, batch, number):
        x, y = batch
        time.sleep(self.hparams.compute / 1000)
        loss = torch.nn.functional.mse_loss(self.layers(x).squeeze(1), y)
        self.log("train_loss", loss, prog_bar=True)
        return loss

    def validation_step(self, batch, number):
        x, y = batch
        self.log("val_loss", torch.nn.functional.mse_loss(self.layers(x).squeeze(1), y), prog_bar=True)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=self.hparams.learning_rate)


class Watch(L.Callback):
    """The script's own stop-watch: samples by time, less what validation and the checkpoint behind it take."""

    def __init__(self):
        self.clock = self.pausing = None
        self.losses = []

    def on_train_start(self, trainer, module):
        self.clock = OwnClock(batch_size=trainer.datamodule.hparams.batch_size, workers=trainer.datamodule.hparams.num_workers,
                              accumulation=trainer.accumulate_grad_batches, precision="fp32", optimizer="adam",
                              parameters=sum(p.numel() for p in module.parameters()))

    def on_train_batch_end(self, trainer, module, outputs, batch, number):
        self.clock.batch(len(batch[0]))
        self.losses.append(outputs["loss"].item())

    def on_validation_start(self, trainer, module):
        if self.clock:
            self.pausing = self.clock.pause()
            self.pausing.__enter__()

    def on_train_epoch_start(self, trainer, module):  # behind validation comes the checkpoint
        if self.pausing:
            self.pausing.__exit__(None, None, None)
            self.pausing = None

    def on_train_end(self, trainer, module):
        # Epochs are counted from 0, as in its bar.
        self.clock.write(step=trainer.global_step, total_steps=trainer.num_training_batches, epoch=trainer.current_epoch - 1,
                         loss=float(f"{trainer.progress_bar_metrics['train_loss']:.3g}"))  # as its bar prints it
        print("losses", *(f"{loss:.6f}" for loss in self.losses[::50]))


if __name__ == "__main__":
    torch.set_num_threads(1)
    if len(sys.argv) > 1:
        LightningCLI(Net, Data, seed_everything_default=0, trainer_defaults={"callbacks": [Watch()]}, save_config_callback=None)
    else:
        L.seed_everything(0)
        trainer = L.Trainer(accelerator="cpu", max_epochs=4, accumulate_grad_batches=2, logger=False, callbacks=[Watch()])
        trainer.fit(Net(), datamodule=Data())
