"""From the import of torch to the end of the process."""
import atexit
import os
import sys

from . import activations, commands, exchange, farewell, huggingface, loaders, optimizers, pauses, precision, ray_workers, tracebacks, wire
from .lens import CLOCK, DRAWN, fault, hot, lens


def on_import(name, module):
    if os.environ.get("GPUTOP_REHEARSAL"):
        from . import rehearsal
        rehearsal.on_import(name, module)
        return
    if name == "torch.utils.checkpoint":
        precision.install_checkpoint(module)
    elif name == "transformers.training_args":
        huggingface.install(module)
    elif name == "ray":
        ray_workers.install(module)
    elif name == pauses.COMPILING:
        pauses.install_compiling(module)
    elif name == "torch":
        wake(module)
    if name in pauses.SAVING:
        pauses.install(name)


def wake(torch):
    """Each hook separately: a torch that lacks one place still gets the others."""
    for install, target in ((loaders.install, sys.modules.get("torch.utils.data.dataloader")),
                            (optimizers.install, torch), (exchange.install, torch), (activations.install, torch), (precision.install, torch)):
        try:
            install(target)
        except Exception:
            fault()
    os.register_at_fork(after_in_child=after_fork)
    atexit.register(farewell.bye)
    tracebacks.install()
    try:
        commands.apply_overrides()
    except Exception:
        fault()


def after_fork():
    lens.forked = True
    lens.steps = 0
    hot[CLOCK], hot[DRAWN] = None, False
    try:
        wire.after_fork()
        loaders.forget_all()
        pauses.after_fork()
        exchange.after_fork()
        optimizers.after_fork()
    except Exception:
        fault()
