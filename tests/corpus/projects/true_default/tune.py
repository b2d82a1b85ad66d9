from dataclasses import dataclass, field

import transformers


@dataclass
class TrainingArguments(transformers.TrainingArguments):
    gradient_checkpointing: bool = field(default=True)


if __name__ == "__main__":
    (args,) = transformers.HfArgumentParser((TrainingArguments,)).parse_args_into_dataclasses()
