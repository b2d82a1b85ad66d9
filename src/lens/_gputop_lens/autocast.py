"""Runs the model under autocast (bf16) if gputop asks for it.

Wraps forward of the model's class, which looks up the chosen instances: a mark on the instance would be copied and
pickled with the model.
"""
import functools
import sys

from . import models, patches, wire
from .lens import lens
from .module_tree import parameters

_meant = set()  # ids of modules


def install_if_asked():
    wanted = lens.overrides.get("autocast")
    if wanted and models.roots():
        wire.say("applied", dict(what="autocast", text=switch(wanted)), keep=("applied", "autocast"))


def switch(dtype):
    found = models.roots()
    if not found:
        raise RuntimeError("no model was found")
    module = found[0]
    if not dtype:
        _meant.discard(id(module))
        return "off"
    if dtype != "bf16":
        raise ValueError("only bf16: fp16 needs a GradScaler in the script")
    if type(module).__name__ == "OptimizedModule" or module.__dict__.get("_compiled_call_impl"):
        raise RuntimeError("the model is compiled")
    _wrap(type(module), parameters(module)[0].device.type)
    _meant.add(id(module))
    return "bf16 for " + type(module).__name__


def _wrap(module_class, device):
    if patches.is_ours(module_class, "forward"):
        return
    torch = sys.modules["torch"]
    original = module_class.forward

    @functools.wraps(original)
    def forward(self, *args, **kwargs):
        if id(self) not in _meant:
            return original(self, *args, **kwargs)
        with torch.autocast(device, dtype=torch.bfloat16):
            result = original(self, *args, **kwargs)
        return _as_float(torch, result)

    patches.replace(module_class, "forward", forward)


def _as_float(torch, value):
    """The loss, computed outside, is not affected."""
    if isinstance(value, torch.Tensor):
        return value.float() if value.dtype is torch.bfloat16 else value
    if type(value) in (list, tuple):
        return type(value)(_as_float(torch, item) for item in value)
    if isinstance(value, dict):
        for key in list(value):
            value[key] = _as_float(torch, value[key])
    return value
