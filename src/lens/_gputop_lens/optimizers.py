"""Optimizers: what they are, and when they step."""
import functools
import sys
import time
import weakref

from . import accumulation, activations, commands, flops, models, patches, roles, ticks, wire
from .lens import CAREFUL, CLOCK, DRAWN, NEXT, fault, hot, lens
from .tensors import count_and_bytes, plain

_records = {}  # id(optimizer) → Record
_taken = []    # id(optimizer) of each step not yet added up


_watched = set()  # classes whose steps are counted
_last_rates = None


def _nobody():
    return None


class Record(object):
    """One optimizer and its steps. It holds only a weak reference to the optimizer."""

    __slots__ = ("number", "optimizer", "steps")

    def __init__(self, optimizer):
        self.number = len(_records) + 1
        self.optimizer = _nobody if optimizer is None else weakref.ref(optimizer)
        self.steps = 0


def install(torch):
    base = torch.optim.Optimizer
    # torch.optim hides its own sub-modules: look where they were loaded.
    register = getattr(sys.modules.get("torch.optim.optimizer"), "register_optimizer_step_post_hook", None)
    if register is not None:  # torch 2
        taken = _taken.append

        def after(optimizer, args, kwargs):
            taken(id(optimizer))
            if hot[CAREFUL] or not hot[DRAWN]:
                _carefully(optimizer)
            hot[DRAWN] = False
        patches.keep(register(after))
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
    """torch 1: each class's step, the way torch wraps it for its profiler."""
    if optimizer_class in _watched:
        return
    _watched.add(optimizer_class)
    original = optimizer_class.step
    taken = _taken.append

    @functools.wraps(original)
    def step(self, *args, **kwargs):
        result = original(self, *args, **kwargs)
        if type(self) is optimizer_class:  # otherwise a subclass called its base class's step
            taken(id(self))
            if hot[CAREFUL] or not hot[DRAWN]:
                _carefully(self)
            hot[DRAWN] = False
        return result

    patches.replace(optimizer_class, "step", step)


def made(optimizer):
    add_up()
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
        groups=len(optimizer.param_groups), lr=_rates(optimizer), momentum=_momentum(optimizer),
        tensors=len(parameters), fused=_flag(optimizer, "fused"), foreach=_flag(optimizer, "foreach"), lr_scale=scale), keep=("optimizer", record.number))


def add_up():
    """Adds up the steps since the last call; they belong to the loader whose batch is being processed."""
    taken = _taken[:]
    del _taken[:len(taken)]
    if hot[CLOCK] is not None:
        hot[CLOCK].steps += len(taken)
    for number in set(taken):
        record = _records.get(number)
        if record is None:  # created before the lens was active
            record = _records[number] = Record(None)
        record.steps += taken.count(number)
        lens.steps = max(lens.steps, record.steps)


def _carefully(optimizer):
    """Everything that is not done at every step: the first inspection, waiting commands, and the report if no watched
    loader is in use, which would send it."""
    if not lens.on:
        del _taken[:]
        return
    try:
        if hot[CAREFUL]:
            before = lens.steps
            if id(optimizer) not in _records:
                _records[id(optimizer)] = Record(optimizer)
            add_up()
            if lens.steps > before:
                _at_step(optimizer)
            hot[CAREFUL] = bool(commands.waiting) or not models.scanned or activations.wanted() or flops.wanted()
        if not hot[DRAWN]:
            now = time.perf_counter()
            if now > hot[NEXT]:
                ticks.flush(now)
    except Exception:
        fault()


def _at_step(optimizer):
    if roles.is_silent():
        return
    wire.connect()
    if not models.scanned:
        models.scan(optimizer)
    commands.run_due()
    activations.step_done()
    flops.step_done()


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
    """Of the last optimizer; if none is left, the last known ones."""
    global _last_rates
    for optimizer in all_optimizers():
        _last_rates = _rates(optimizer)
    return _last_rates


def backwards_per_step():
    """How many gradients go into one step. With several optimizers, the counts alone do not tell."""
    return activations.passes_per_step() if len(_records) == 1 else None


def after_fork():
    del _taken[:]
    hot[CAREFUL] = True
    flops.after_fork()
    for record in _records.values():
        record.steps = 0


def _momentum(optimizer):
    """The largest value of its groups; None: it has none."""
    found = [plain(group.get("momentum")) for group in optimizer.param_groups]
    return max((value for value in found if isinstance(value, (int, float))), default=None)


def _flag(optimizer, name):
    """The value of its first group; None: unspecified, so torch chooses."""
    value = optimizer.param_groups[0].get(name) if optimizer.param_groups else None
    return value if isinstance(value, bool) else None


def _rates(optimizer):
    return [plain(group.get("lr")) for group in optimizer.param_groups[:4]]
