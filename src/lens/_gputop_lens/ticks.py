"""The regular report, at most once a second, and the commands that arrived since the last one."""
import sys

from . import wire
from .lens import NEXT, hot, lens

ENVIRONMENT_EVERY = 5  # reports: its switches rarely change, and reading them is expensive

_said = {}       # the last environment
_reports = 0


def flush(now, last=False):
    global _reports
    from . import commands, exchange, loaders, optimizers, pauses, precision
    hot[NEXT] = now + lens.flush_every
    optimizers.add_up()
    reports = [clock.report() for clock in loaders.clocks.values() if clock.used()][-16:]
    if wire.wire.socket is None and not wire.connect():
        return
    _reports += 1
    if _reports % ENVIRONMENT_EVERY == 1 or last or precision.seen.news:
        precision.seen.news = False
        environment = precision.environment()
        if environment != _said.get("env"):
            _said["env"] = environment
            wire.say("env", dict(environment), keep=("env",))
    wire.say("tick", dict(
        steps=lens.steps, backwards_per_step=optimizers.backwards_per_step(), lr=optimizers.learning_rates(),
        loaders=reports, cuda=_cuda_memory(), dropped=wire.wire.dropped, saves=pauses.state.saves,
        saving=round(pauses.state.saving, 4), compiling=round(pauses.state.compiling, 4),
        sync=exchange.report()))
    if not last:
        commands.take()


def _cuda_memory():
    cuda = sys.modules["torch"].cuda
    if not cuda.is_initialized():
        return None
    found = []
    for device in range(cuda.device_count()):
        stats = cuda.memory_stats(device)
        if stats.get("reserved_bytes.all.peak"):
            found.append(dict(
                device=device, allocated=stats.get("allocated_bytes.all.current"),
                allocated_peak=stats.get("allocated_bytes.all.peak"), reserved=stats.get("reserved_bytes.all.current"),
                reserved_peak=stats.get("reserved_bytes.all.peak"), ooms=stats.get("num_ooms"),
                retries=stats.get("num_alloc_retries")))
    return found or None
