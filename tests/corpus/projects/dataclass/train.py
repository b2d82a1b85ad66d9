from dataclasses import dataclass, field

import torch
from torch.utils.data import DataLoader


@dataclass
class TrainConfig:
    batch_size: int = 24
    num_workers: int = 3
    lr: float = 5e-4
    betas: tuple = field(default=(0.9, 0.999))


@dataclass
class EvalConfig:
    batch_size: int = 100


def main(cfg=TrainConfig(), ev=EvalConfig()):
    train = DataLoader(range(10000), batch_size=cfg.batch_size, num_workers=cfg.num_workers)
    test = DataLoader(range(1000), batch_size=ev.batch_size)
    return train, test


main()
