from dataclasses import dataclass, field
from typing import List, Optional


@dataclass
class LoaderConfig:
    batch_size: int = 16
    num_workers: int = 4
    pin_memory: bool = True
    prefetch_factor: Optional[int] = None


@dataclass
class OptimConfig:
    lr: float = 1e-3
    betas: tuple = (0.9, 0.999)
    name: str = "adamw"
    warmup_steps: int = 1_000


@dataclass(frozen=True)
class TrainConfig:
    loader: LoaderConfig = field(default_factory=LoaderConfig)
    optim: OptimConfig = field(default_factory=lambda: OptimConfig(lr=5e-4))
    stages: List[int] = field(default_factory=lambda: [1, 2, 3])
    accumulation_steps: int = field(default=4, metadata={"help": "batch_size * this"})
    max_steps: int = field(default=-1)
