"""Hugging Face's TrainingArguments: overrides are applied before its own checks, so its arithmetic stays right."""
import functools
import json

from . import patches, wire
from .lens import fault, lens
from .tensors import plain

_TOLD = ("per_device_train_batch_size", "gradient_accumulation_steps", "dataloader_num_workers",
         "dataloader_pin_memory", "dataloader_prefetch_factor", "bf16", "fp16", "tf32", "torch_compile",
         "gradient_checkpointing", "learning_rate", "max_steps", "num_train_epochs")


def install(module):
    """`module` is transformers.training_args."""
    arguments = module.TrainingArguments
    original = arguments.__post_init__

    @functools.wraps(original)
    def __post_init__(self, *args, **kwargs):
        applied, refused = {}, {}
        if lens.on:
            try:
                for name, value in (lens.overrides.get("hf") or {}).items():
                    if name in self.__dict__:
                        applied[name] = [self.__dict__[name], value]
                        setattr(self, name, value)
                    else:
                        refused[name] = "no such argument"
            except Exception:
                fault()
        original(self, *args, **kwargs)
        if lens.on:
            try:
                settings = [dict(name=name, value=json.dumps(plain(self.__dict__.get(name)))) for name in _TOLD]
                wire.say("framework", dict(name="transformers.Trainer", settings=settings,
                                           applied=wire.changes(applied), refused=wire.refusals(refused)),
                         keep=("framework",))
            except Exception:
                fault()

    patches.replace(arguments, "__post_init__", __post_init__)
