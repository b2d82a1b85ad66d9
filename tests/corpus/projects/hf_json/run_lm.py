import sys

from transformers import AutoModelForCausalLM, HfArgumentParser, Trainer, TrainingArguments

parser = HfArgumentParser((TrainingArguments,))
if len(sys.argv) == 2 and sys.argv[1].endswith(".json"):
    (training_args,) = parser.parse_json_file(json_file=sys.argv[1], allow_extra_keys=True)
else:
    (training_args,) = parser.parse_args_into_dataclasses()
Trainer(model=AutoModelForCausalLM.from_pretrained("gpt2-medium"), args=training_args).train()
