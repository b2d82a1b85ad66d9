"""Time between two batches that a run does not spend on training: writing checkpoints, compiling.

It is subtracted from its step: the loader's clock continues where it stopped. Only on the thread that trains: whatever another
thread writes meanwhile delays no step.
"""
import functools
import sys
import threading
import time

from . import patches
from .lens import CLOCK, fault, hot, lens

# Functions that write checkpoints, by imported module; nested ones are counted once. Those of frameworks are listed
# because they write files themselves after torch.save, or gather data before it.
SAVING = {
    "torch": (("torch", "save"), ("torch.serialization", "save")),
    "safetensors.torch": (("safetensors.torch", "save_file"),),
    "torch.distributed.checkpoint.state_dict_saver": (("torch.distributed.checkpoint.state_dict_saver", "save"),),
    "transformers.trainer": (("transformers.trainer", "Trainer._save_checkpoint"),),
    "accelerate.accelerator": (("accelerate.accelerator", "Accelerator.save_state"),),
    "lightning.pytorch.trainer.trainer": (("lightning.pytorch.trainer.trainer", "Trainer.save_checkpoint"),),
    "pytorch_lightning.trainer.trainer": (("pytorch_lightning.trainer.trainer", "Trainer.save_checkpoint"),),
    "ultralytics.engine.trainer": (("ultralytics.engine.trainer", "BaseTrainer.save_model"),),
}
COMPILING = "torch._dynamo.callback"


class Pauses(object):
    saves = 0            # checkpoints written since the first batch
    saving = 0.0         # seconds spent on them
    compiling = 0.0
    depth = 0            # of nested saves and compilations
    began = 0.0
    thread = None        # on which it began


state = Pauses()


def install(name):
    """Called when the module of that name has been imported."""
    replaced = {}
    for module, place in SAVING[name]:
        owner = sys.modules[module]
        *outer, last = place.split(".")
        for part in outer:
            owner = getattr(owner, part, None)
        original = owner.__dict__.get(last) if owner is not None else None
        if callable(original):
            if original not in replaced:
                replaced[original] = _timed(original)
            patches.replace(owner, last, replaced[original])


def install_compiling(module):
    handler = module.callback_handler
    handler.register_start_callback(_compiling_began)
    handler.register_end_callback(_compiling_ended)


def _timed(original):
    @functools.wraps(original)
    def save(*args, **kwargs):
        entered = _enter()
        try:
            return original(*args, **kwargs)
        finally:
            if entered:
                _leave("saving")
    return save


def _compiling_began(_):
    _enter()


def _compiling_ended(_):
    if state.depth:
        _leave("compiling")


def _enter():
    """True: _leave() must follow."""
    try:
        if not lens.on or (state.depth and state.thread != threading.get_ident()):
            return False
        state.depth += 1
        if state.depth == 1:
            state.thread = threading.get_ident()
            state.began = time.perf_counter()
        return True
    except Exception:
        fault()
        return False


def _leave(what):
    try:
        state.depth -= 1
        if state.depth or state.thread != threading.get_ident():
            return
        took = time.perf_counter() - state.began
        clock = hot[CLOCK]
        if clock is None or clock.thread != state.thread:
            return
        clock.leave_out(took, what == "saving")
        if what == "saving":
            state.saves += 1
            state.saving += took
        else:
            state.compiling += took
    except Exception:
        fault()


def after_fork():
    state.saves, state.saving, state.compiling, state.depth = 0, 0.0, 0.0, 0
