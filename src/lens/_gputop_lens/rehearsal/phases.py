"""In which part of a step something happens, and the end of the rehearsal."""
import functools
import os
import sys
import time
import weakref

import torch
from torch import nn

from . import repeats, script
from .ghost import Ghost
from .parameters import name_parts
from .stage import stage

VALIDATION_WITHIN = 4       # the last step's time, this often: a validation that comes sooner is waited for
_state = dict(steps=0, began=time.perf_counter(), depth=0, optimizers=0, passed=False, validated=False, last=None, enough=None, passes=0, samples=None)

_taken = weakref.WeakKeyDictionary()    # optimizer → its steps


def steps():
    return _state["steps"]


def began():
    return _state["began"]


def _grads_of(optimizer):
    for group in optimizer.param_groups:
        for param in group["params"]:
            if stage.counts(param):
                yield param


def before_step(optimizer, args, kwargs):
    repeats.forget()
    for param in _grads_of(optimizer):
        if param.grad is not None and stage.counts(param.grad):
            stage.ledger.call_it(param.grad, "gradients")
    _state["before"] = stage.ledger.enter("optimizer")


def after_step(optimizer, args, kwargs):
    for held in optimizer.state.values():
        if isinstance(held, dict):
            for value in held.values():
                if isinstance(value, torch.Tensor) and stage.counts(value):
                    stage.ledger.call_it(value, "optimizer")
    before = _state.pop("before", None)
    stage.ledger.enter("backward" if before == "backward" else "forward")
    taken = _taken[optimizer] = _taken.get(optimizer, 0) + 1
    if taken > _state["steps"]:     # else another optimizer of the same step: an adversary's, or one parameter's while gradients still come
        _complete(taken)


def _complete(number):
    _state["steps"] = number
    now = time.perf_counter()
    stage.ledger.step(_state["steps"])
    _state["last"] = now
    if _state["steps"] >= stage.steps and _state["enough"] is None:
        _state["enough"] = now
        stage.ledger.say(enough=_state["steps"])
    watch()


def _begin_pass(module, args, kwargs):
    script.feed(module, args, kwargs, _state["steps"])
    if _state["passed"] and not _state["optimizers"]:       # the script changes its parameters by itself
        _state["passed"] = False
        repeats.forget()
        _complete(_state["steps"] + 1)


def watch():
    """Ends the rehearsal when it has seen enough, or has taken too long."""
    now = time.perf_counter()
    if now - _state["began"] > stage.seconds:
        finish("timeout")
    enough = _state["enough"]
    if enough is not None and (_state["validated"] or stage.brief or _state["steps"] >= stage.steps + 2 or
                               now - enough > max(1.0, (enough - _state["began"]) / 4)):
        finish("complete")


def finish(why):
    from . import close
    close(why)


def arrive(replace):
    from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook
    from torch.utils import _foreach_utils
    for module in (_foreach_utils, sys.modules["torch.optim.optimizer"]):
        kinds = getattr(module, "_foreach_supported_types", None)
        if isinstance(kinds, list) and Ghost not in kinds:
            kinds.append(Ghost)    # on a GPU the optimizers of torch take all parameters at once
    group = torch._C._group_tensors_by_device_and_dtype

    def grouped(lists, with_indices=False):
        return {(stage.place if device.type == "meta" else device, dtype): held
                for (device, dtype), held in group(lists, with_indices).items()}
    replace(torch._C, "_group_tensors_by_device_and_dtype", grouped)
    make = torch.optim.Optimizer.__init__

    @functools.wraps(make)
    def init(self, *args, **kwargs):
        _state["optimizers"] += 1
        return make(self, *args, **kwargs)
    replace(torch.optim.Optimizer, "__init__", init)
    register_optimizer_step_pre_hook(before_step)
    register_optimizer_step_post_hook(after_step)
    run = torch.autograd.graph._engine_run_backward

    @functools.wraps(run)
    def backward(*args, **kwargs):
        before = stage.ledger.enter("backward")
        try:
            return run(*args, **kwargs)
        finally:
            repeats.passed_back()
            _state["passed"] = True
            stage.ledger.enter(before or "forward")
    replace(torch.autograd.graph, "_engine_run_backward", backward)
    replace(torch.autograd, "_engine_run_backward", backward)

    call = nn.Module.__call__

    def forward(self, *args, **kwargs):
        if _state["depth"]:
            return call(self, *args, **kwargs)
        _state["depth"] = 1
        before = stage.ledger.phase
        try:
            if before not in ("backward", "optimizer"):
                if torch.is_grad_enabled():
                    _begin_pass(self, args, kwargs)
                validating = not torch.is_grad_enabled() and not self.training and _state["steps"] > 0
                stage.ledger.enter("validation" if validating else "forward")
                if validating:
                    _state["passes"] += 1
                    if _state["passes"] >= 2:
                        _state["validated"] = True
            if stage.watch or before in ("backward", "optimizer"):
                return call(self, *args, **kwargs)
            return repeats.play(self, call, args, kwargs)
        finally:
            _state["depth"] = 0
            if _state["validated"] and _state["enough"] is not None:
                watch()
    replace(nn.Module, "__call__", forward)
