"""Live switches: requests from gputop during the run, because its user applied a change."""
import gc
import sys

from . import accumulation, activations, autocast, loader_set, patches, precision, wire
from .lens import CAREFUL, go_dark, hot, lens

waiting = []  # commands for a later step: all ranks of a run change at the same one


def take():
    """All new commands."""
    while True:
        command = wire.receive()
        if command is None:
            return
        if command.get("at_step", 0) > lens.steps:
            waiting.append(command)
            hot[CAREFUL] = True
            _answer(command, True, "queued for step %d" % command["at_step"])
        else:
            run(command)


def run_due():
    for command in [c for c in waiting if c["at_step"] <= lens.steps]:
        waiting.remove(command)
        run(command)


def run(command):
    action = _ACTIONS.get(command.get("op"))
    if action is None:
        _answer(command, False, "unknown command %r" % (command.get("op"),))
        return
    try:
        text = action(command)
    except Exception as error:
        _answer(command, False, "%s: %s" % (type(error).__name__, error))
        return
    _answer(command, True, text)
    if command["op"] == "detach":
        wire.hang_up()
        go_dark()


def apply_overrides():
    """The overrides of this launch that can be applied as soon as torch is imported."""
    for op in ("tf32", "cudnn_benchmark"):
        if lens.overrides.get(op) is not None:
            text = _ACTIONS[op](dict(value=lens.overrides[op]))
            wire.say("applied", dict(what=op, text=text), keep=("applied", op))


def _answer(command, ok, text):
    wire.say("ack", dict(id=command.get("id"), op=command.get("op"), ok=ok, step=lens.steps, text=str(text)[:300]))


def _loader(command):
    loader_set.from_next_epoch.setdefault(command.get("site", "*"), {}).update(command["set"])
    return "from the next epoch on"


def _tf32(command):
    backends = sys.modules["torch"].backends
    backends.cuda.matmul.allow_tf32 = bool(command["value"])  # the old names keep old and new ones consistent
    backends.cudnn.allow_tf32 = bool(command["value"])
    return "tf32 " + ("on" if precision.environment()["tf32_matmul"] else "off")


def _cudnn_benchmark(command):
    sys.modules["torch"].backends.cudnn.benchmark = bool(command["value"])
    return "cudnn.benchmark " + ("on" if command["value"] else "off")


def _lr_scale(command):
    from . import optimizers
    factor = float(command["value"])
    found = optimizers.all_optimizers()
    for optimizer in found:
        optimizers.scale_groups(optimizer, factor)
    schedulers = sys.modules["torch"].optim.lr_scheduler
    base = getattr(schedulers, "LRScheduler", None) or schedulers._LRScheduler
    scaled = 0
    for thing in gc.get_objects():
        if base in type(thing).__mro__ and "base_lrs" in thing.__dict__:
            thing.base_lrs = [rate * factor for rate in thing.base_lrs]
            scaled += 1
    return "%d optimizers and %d schedulers scaled by %g" % (len(found), scaled, factor)


def _accumulate(command):
    from . import optimizers
    for optimizer in optimizers.all_optimizers():
        accumulation.install(type(optimizer), int(command["value"]))
    return "every %d steps" % int(command["value"])


def _probe(command):
    activations.again()
    return "at the next backward pass"


def _detach(command):
    return "%d hooks are being removed" % patches.count()


_ACTIONS = {
    "loader": _loader, "tf32": _tf32, "cudnn_benchmark": _cudnn_benchmark, "lr_scale": _lr_scale,
    "accum": _accumulate, "probe": _probe, "detach": _detach,
    "autocast": lambda command: autocast.switch(command["value"]),
}
