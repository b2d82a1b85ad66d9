from dataclasses import dataclass


@dataclass
class Config:
    batch_size: int = 32
    learning_rate: float = 1e-3


CONFIG_DEBUG = Config(batch_size=32)
CONFIG_PHASE1 = Config(batch_size=128)
