import sys

from transformers import HfArgumentParser, TrainingArguments

arguments = HfArgumentParser(TrainingArguments).parse_yaml_file(sys.argv[1])
