from dataclasses import dataclass, field
from typing import Optional

from transformers import AutoModelForSequenceClassification, HfArgumentParser, Trainer, TrainingArguments


@dataclass
class DataArguments:
    task_name: Optional[str] = field(default=None)
    max_seq_length: int = field(default=128)
    preprocessing_num_workers: Optional[int] = field(default=None)


@dataclass
class ModelArguments:
    model_name_or_path: str = field()


def main():
    parser = HfArgumentParser((ModelArguments, DataArguments, TrainingArguments))
    model_args, data_args, training_args = parser.parse_args_into_dataclasses()
    model = AutoModelForSequenceClassification.from_pretrained(model_args.model_name_or_path)
    Trainer(model=model, args=training_args).train()


if __name__ == "__main__":
    main()
