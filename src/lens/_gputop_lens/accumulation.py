"""Gradient accumulation for a script that has none, if gputop asks for it.

The optimizer, its zero_grad and its schedulers act only at every n-th step; gradients are averaged over those n.
"""
import functools
import sys

from . import patches, wire
from .lens import lens

_every = {}   # optimizer class → n
_micro = {}   # id(optimizer) → calls of step() so far; never stored on the optimizer, which may be pickled


def install_if_asked(optimizer_class):
    n = int(lens.overrides.get("accum") or 0)
    if n > 1 and install(optimizer_class, n):
        wire.say("applied", dict(what="accum", text="every %d steps of %s" % (n, optimizer_class.__name__)),
                 keep=("applied", "accum"))


def install(optimizer_class, n):
    """False: it was active already, and only n changed."""
    known = optimizer_class in _every
    _every[optimizer_class] = n
    if known:
        return False
    _hold_back(optimizer_class)
    schedulers = sys.modules["torch"].optim.lr_scheduler
    _hold_back_schedulers(getattr(schedulers, "LRScheduler", None) or schedulers._LRScheduler)
    return True


def is_between(optimizer):
    """Gradients are still being accumulated, so nothing may use them yet."""
    return bool(_micro.get(id(optimizer), 0) % _every.get(type(optimizer), 1))


def _hold_back(optimizer_class):
    step, zero_grad = optimizer_class.step, optimizer_class.zero_grad

    @functools.wraps(step)
    def held_step(self, closure=None, *args, **kwargs):
        n = _every.get(type(self), 1)
        if closure is not None or n <= 1:
            return step(self, closure, *args, **kwargs) if closure is not None else step(self, *args, **kwargs)
        _micro[id(self)] = _micro.get(id(self), 0) + 1
        if is_between(self):
            return None
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is not None:
                    parameter.grad.div_(n)
        return step(self, *args, **kwargs)

    @functools.wraps(zero_grad)
    def held_zero_grad(self, *args, **kwargs):
        return None if is_between(self) else zero_grad(self, *args, **kwargs)

    patches.replace(optimizer_class, "step", held_step)
    patches.replace(optimizer_class, "zero_grad", held_zero_grad)


def _hold_back_schedulers(scheduler_class):
    if patches.is_ours(scheduler_class, "step"):
        return
    step = scheduler_class.step

    @functools.wraps(step)
    def held_step(self, *args, **kwargs):
        between = getattr(self, "_step_count", 0) >= 1 and is_between(getattr(self, "optimizer", None))
        return None if between else step(self, *args, **kwargs)

    patches.replace(scheduler_class, "step", held_step)
