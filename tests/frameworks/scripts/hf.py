"""transformers: a small GPT-2 and the Trainer, its arguments from the command line or a YAML file as in the examples.
--lora wraps it with PEFT; with --slow both reading a batch and learning from it take their time."""
import sys
import time

import torch
from datasets import Dataset
from transformers import GPT2Config, GPT2LMHeadModel, HfArgumentParser, Trainer, TrainerCallback, TrainingArguments, set_seed

from own_clock import OwnClock


def tokens(index):
    generator = torch.Generator().manual_seed(index)
    return torch.randint(0, 256, (32,), generator=generator).tolist()


class Watch(TrainerCallback):
    """The script's own stop-watch."""

    def __init__(self, clock, slow):
        self.clock = clock
        self.slow = slow
        self.loss = None

    def on_train_begin(self, args, state, control, **_):
        print("begins at step", state.global_step, flush=True)

    def on_substep_end(self, args, state, control, **_):
        self.clock.batch(args.per_device_train_batch_size)

    def on_step_end(self, args, state, control, **_):
        time.sleep(0.06 if self.slow else 0)
        self.clock.batch(args.per_device_train_batch_size)

    def on_log(self, args, state, control, logs=None, **_):
        if "loss" in logs:
            self.loss = float(logs["loss"])


def slowly(rows):
    time.sleep(0.01 * len(rows["input_ids"]))
    return rows


def main():
    lora, slow = (word in sys.argv for word in ("--lora", "--slow"))
    sys.argv = [word for word in sys.argv if word not in ("--lora", "--slow")]
    parser = HfArgumentParser(TrainingArguments)
    if len(sys.argv) == 2 and sys.argv[1].endswith(".yaml"):
        (args,) = parser.parse_yaml_file(yaml_file=sys.argv[1])
    else:
        (args,) = parser.parse_args_into_dataclasses()
    set_seed(args.seed)
    torch.set_num_threads(1)
    model = GPT2LMHeadModel(GPT2Config(n_layer=2, n_head=2, n_embd=64, vocab_size=256, n_positions=64))
    if lora:
        from peft import LoraConfig, get_peft_model
        model = get_peft_model(model, LoraConfig(r=4, target_modules=["c_attn"], fan_in_fan_out=True, task_type="CAUSAL_LM"))
        model.print_trainable_parameters()
    samples = Dataset.from_dict({"input_ids": [tokens(i) for i in range(512)]}).map(lambda row: {"labels": row["input_ids"]})
    if slow:
        samples = samples.with_transform(slowly)
    clock = OwnClock(batch_size=args.per_device_train_batch_size, workers=args.dataloader_num_workers,
                     accumulation=args.gradient_accumulation_steps, optimizer="adamw",
                     precision="amp-bf16" if args.bf16 else "fp32", parameters=sum(p.numel() for p in model.parameters()),
                     trainable_parameters=sum(p.numel() for p in model.parameters() if p.requires_grad))
    watch = Watch(clock, slow)
    trainer = Trainer(model=model, args=args, train_dataset=samples, callbacks=[watch])
    trainer.train(resume_from_checkpoint=args.resume_from_checkpoint)
    clock.write(step=trainer.state.global_step, total_steps=trainer.state.max_steps, loss=watch.loss)


if __name__ == "__main__":
    main()
