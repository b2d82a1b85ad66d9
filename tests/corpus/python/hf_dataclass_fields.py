from dataclasses import dataclass, field

from transformers import TrainingArguments


@dataclass
class Arguments(TrainingArguments):
    per_device_train_batch_size: int = field(
        default=8, metadata={"help": "Batch size per GPU/TPU core/CPU for training."}
    )
    gradient_accumulation_steps: int = field(default=2)
    learning_rate: float = field(default=2e-5)
    dataloader_num_workers: int = field(default=0)
    bf16: bool = field(default=False)
