"""A rehearsal: the script runs as it is, with a card that is only believed in. The host's part is real; what would be on
the GPU are ghosts (ghost.py), tensors without data; each storage's life is written down (ledger.py).

    stage.py      the card, the switches, what was assumed      moves.py       copies, numbers and sizes that are asked for
    mode.py       every operation, played on meta tensors       values.py      small values that are followed, or made up
    card.py       torch.cuda's answers                          parameters.py  models are ghosts from the start
    autocast.py   casts as on a GPU                             kernels.py     what torch builds differently on a GPU
    phases.py     forward, backward, optimizer; the end         files.py       nothing of the user's is written
"""
import os
import sys


def begin(torch):
    """Called once torch has been imported."""
    from .. import patches
    from .ledger import Ledger
    from .stage import stage
    stage.ledger = Ledger(stage.trace, os.path.dirname(os.path.abspath(torch.__file__)))
    stage.ledger.enter("model")
    stage.ledger.say(torch=str(torch.__version__), cuda=torch.version.cuda, python=sys.version.split()[0], world=stage.world,
                     name=stage.name, memory=stage.memory)
    from . import autocast, card, kernels, moves, parameters, phases  # noqa: F401
    from .mode import Mode
    for part in (card, autocast, kernels, parameters, phases):
        part.arrive(patches.replace)
    stage.mode = Mode()
    stage.mode.__enter__()
    os.register_at_fork(after_in_child=lambda: leave(stage))


def leave(stage):
    """In a forked child, a loader's worker mostly: all it does is the host's."""
    try:
        stage.mode.__exit__(None, None, None)
    except Exception:
        pass
    stage.ledger.file = None


def close(why):
    from . import phases
    from .stage import stage
    ledger = stage.ledger
    if os.getpid() != ledger.pid:
        return
    ledger.end()
    ledger.assumed(stage.assumed)
    ledger.say(end=why, steps=phases.steps())
    if ledger.file is not None:
        ledger.file.flush()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
