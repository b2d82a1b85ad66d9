import lightning as L
import torch
from torch.utils.data import DataLoader

from net import Net, Patches


def main():
    train = DataLoader(Patches("data/train"), batch_size=64, shuffle=True, num_workers=2)
    trainer = L.Trainer(max_epochs=20, devices=1)
    trainer.fit(Net(lr=1e-3), train)


if __name__ == "__main__":
    main()
