from dataclasses import dataclass, field
from typing import Dict, List, Optional, Tuple


@dataclass
class OptimConfig:
    lr: float = 3e-4
    betas: Tuple[float, float] = (0.9, 0.95)
    weight_decay: float = 0.1


@dataclass
class TrainConfig:
    """batch_size: int = 1 (documentation, not code)"""
    batch_size: int = 16
    grad_accum_steps: int = field(default=4, metadata={"help": "micro-steps"})
    num_workers: Optional[int] = 2
    pin_memory: bool = True
    optim: OptimConfig = field(default_factory=OptimConfig)
    tags: List[str] = field(default_factory=list)
    extra: Dict[str, int] = field(default_factory=lambda: {"batch_size": 3})

    @property
    def effective(self) -> int:
        return self.batch_size * self.grad_accum_steps
