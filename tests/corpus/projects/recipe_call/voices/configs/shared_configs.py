from dataclasses import dataclass


@dataclass
class BaseTrainingConfig:
    batch_size: int = 4
    num_loader_workers: int = 0
