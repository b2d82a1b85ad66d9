"""Optimizers: what they are, and when they step."""
import functools
import sys
import time
import weakref

from . import accumulation, activations, commands, models, patches, roles, ticks, wire
from .lens import fault, lens
from .tensors import count_and_bytes, plain

_records = {}  # id(optimizer) → Record


class Record(object):
    """One optimizer and its steps. The optimizer itself is only referred to weakly."""

    __slots__ = ("number", "optimizer", "steps", "draws")

    def __init__(self, optimizer):
        self.number = len(_records) + 1
        self.optimizer = weakref.ref(optimizer)
        self.steps = 0
        self.draws = 0  # lens.draws at the last step


def install(torch):
    base = torch.optim.Optimizer
    # torch.optim hides its own sub-modules: look where they were loaded.
    register = getattr(sys.modules.get("torch.optim.optimizer"), "register_optimizer_step_post_hook", None)
    if register is not None:  # torch 2
        patches.keep(register(lambda optimizer, args, kwargs: stepped(optimizer)))
    original = base.__init__

    @functools.wraps(original)
    def __init__(self, *args, **kwargs):
        original(self, *args, **kwargs)
        if not lens.on:
            return
        try:
            if register is None:
                _watch_steps(type(self))
            if not roles.is_silent():
                made(self)
        except Exception:
            fault()

    patches.replace(base, "__init__", __init__)


def _watch_steps(optimizer_class):
    """torch 1: each class's own step, the way torch wraps it for its profiler."""
    original = optimizer_class.step
    if getattr(original, "_gputop", False):
        return

    @functools.wraps(original)
    def step(self, *args, **kwargs):
        if lens.stepping:  # the step of a base class, called by its own
            return original(self, *args, **kwargs)
        lens.stepping = True
        try:
            result = original(self, *args, **kwargs)
        finally:
            lens.stepping = False
        stepped(self)
        return result

    step._gputop = True
    patches.replace(optimizer_class, "step", step)


def made(optimizer):
    record = Record(optimizer)
    _records[id(optimizer)] = record
    accumulation.install_if_asked(type(optimizer))
    scale = lens.overrides.get("lr_scale")
    if scale:
        scale_groups(optimizer, scale)
    parameters = parameters_of(optimizer)
    count, size = count_and_bytes(parameters)
    cls = type(optimizer)
    wire.say("optimizer", dict(
        {"class": cls.__module__ + "." + cls.__name__}, id=record.number, params=count, bytes=size,
        groups=len(optimizer.param_groups), lr=_rates(optimizer), momentum=plain(optimizer.defaults.get("momentum")),
        lr_scale=scale), keep=("optimizer", record.number))


def stepped(optimizer):
    if not lens.on:
        return
    try:
        record = _records.get(id(optimizer))
        if record is None:
            record = _records[id(optimizer)] = Record(optimizer)
        record.steps += 1
        if lens.clock is not None:
            lens.clock.steps += 1
        if record.steps > lens.steps:
            lens.steps = record.steps
            if commands.waiting or not models.scanned or activations.wanted():
                _at_step(optimizer)
        if record.draws == lens.draws:  # no loader of ours is at work, which would see to the reports
            now = time.perf_counter()
            if now > ticks.next_at:
                ticks.flush(now)
        record.draws = lens.draws
    except Exception:
        fault()


def _at_step(optimizer):
    """What is not done at every step."""
    if roles.is_silent():
        return
    wire.connect()
    if not models.scanned:
        models.scan(optimizer)
    commands.run_due()
    activations.step_done()


def all_optimizers():
    return [optimizer for optimizer in (record.optimizer() for record in _records.values()) if optimizer is not None]


def parameters_of(optimizer):
    return [parameter for group in optimizer.param_groups for parameter in group["params"]]


def scale_groups(optimizer, factor):
    for group in optimizer.param_groups:
        for name in ("lr", "initial_lr"):
            if name in group:
                group[name] = group[name] * factor


def learning_rates():
    rates = None
    for optimizer in all_optimizers():
        rates = _rates(optimizer)
    return rates


def backwards_per_step():
    """How many gradients go into one step. With several optimizers nobody can tell from the counts alone."""
    return activations.passes_per_step() if len(_records) == 1 else None


def after_fork():
    for record in _records.values():
        record.steps = 0


def _rates(optimizer):
    return [plain(group.get("lr")) for group in optimizer.param_groups[:4]]
