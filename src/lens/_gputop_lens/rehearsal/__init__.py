"""A rehearsal: the script runs as it is, with a card that is only believed in. The host's part is real; what would be on
the GPU are ghosts (ghost.py), tensors without data; each storage's life is written down (ledger.py).

    stage.py      the card, the switches, what was assumed      moves.py       copies, numbers and sizes that are asked for
    mode.py       every operation, played on meta tensors       values.py      small values that are followed, or made up
    card.py       torch.cuda's answers                          parameters.py  models are ghosts from the start
    autocast.py   casts as on a GPU                             kernels.py     what torch builds differently on a GPU
    phases.py     forward, backward, optimizer; the end         files.py       nothing of the user's is written
    script.py     loaders, compiling, saving                    distributed.py one rank among others
    changes.py    the same run, played differently              threads.py     the mode in the script's other threads
    watch.py      estimate --profile: nothing is pretended, what happens is written down
    typed.py      torch.cuda.FloatTensor and the like
    loops.py      whether the script waits for a value
    repeats.py    what a step repeats is played a few times
    sharded.py    FSDP: a rank's share, gathered and given back        recurrent.py   LSTM and the like as cuDNN's
"""
import atexit
import json
import os
import sys
import threading
import time


def before_all():
    """At the start of any Python of the job, torch or not: nothing of the user's is written, and there is an end."""
    from .. import patches
    from . import files
    wish = json.loads(os.environ["GPUTOP_REHEARSAL"])
    files.arrive(patches.replace, wish.get("scratch"), wish.get("guard"))


def on_import(name, module):
    if name == "torch":
        begin(module)
        at_the_end()
    elif name == "bitsandbytes.nn.modules":
        from .. import patches
        from . import script
        script.refuse_quantized(module, patches.replace)
    elif name == "safetensors.torch":
        from .. import patches
        from . import script
        script.save_nothing(module, patches.replace)


def begin(torch):
    """Called once torch has been imported."""
    from .. import patches
    from .ledger import Ledger
    from .stage import stage
    stage.ledger = Ledger(stage.trace, os.path.dirname(os.path.abspath(torch.__file__)))
    stage.ledger.enter("model")
    stage.ledger.say(torch=torch.__version__, cuda=torch.version.cuda, python=sys.version.split()[0], world=stage.world)
    from . import autocast, card, changes, distributed, ghost, kernels, moves, parameters, phases, recurrent, script, sharded, threads, typed, watch  # noqa: F401
    from .mode import Mode
    pretended = (ghost, card, autocast, kernels, recurrent, parameters, script, distributed, sharded, changes, phases, threads, typed)
    for part in (watch, script, phases, threads) if stage.watch else pretended:
        part.arrive(patches.replace)
    stage.mode = watch.Watching() if stage.watch else Mode()
    stage.mode.__enter__()
    os.register_at_fork(after_in_child=leave)


def at_the_end():
    """However it ends, what was seen is told; and it ends."""
    from .stage import stage
    usual = sys.excepthook

    def failed(kind, value, traceback):
        try:
            lines = str(value).strip().splitlines() or [""]
            stage.ledger.say(error="%s: %s" % (kind.__name__, lines[0][:300]), error_at=_where(traceback))
        except Exception:
            pass
        usual(kind, value, traceback)
    sys.excepthook = failed
    atexit.register(lambda: close("exit"))
    late = threading.Timer(stage.seconds, lambda: close("timeout"))
    late.daemon = True
    late.start()


def _where(traceback):
    """The last line of the user's own."""
    from .stage import stage
    where = ""
    while traceback is not None:
        name = traceback.tb_frame.f_code.co_filename
        if not name.startswith(stage.ledger.skip) and "site-packages" not in name:
            where = "%s:%d" % (name, traceback.tb_lineno)
        traceback = traceback.tb_next
    return where


def leave():
    """In a forked child, a loader's worker mostly: all it does is the host's."""
    from .stage import stage
    stage.ledger.silent = True
    try:
        stage.mode.__exit__(None, None, None)
    except Exception:
        pass


def close(why):
    from . import phases, script, watch
    from .stage import stage
    ledger = stage.ledger
    if os.getpid() != ledger.pid or ledger.closed:
        return
    if why == "timeout" and ledger.file is None:
        return      # a launcher that waits for its workers has nothing to tell; gputop ends what never comes to an end
    ledger.closed = True
    ledger.end()
    ledger.assumed(dict(stage.assumed))
    ledger.say(end=why, steps=phases.steps(), seconds="%.1f" % (time.perf_counter() - phases.began()),
               **{name: value for name, value in dict(script.seen, **watch.measured()).items() if value})
    ledger.flush()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except Exception:
        pass
    os._exit(0)
