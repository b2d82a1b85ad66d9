"""gputop's lens: watches a PyTorch training process, and changes something in it only when gputop was asked to.

No thread, no signal handler, no output. Counters are kept in memory and sent as one JSON datagram at most every half
second, from inside the hooks (wire.py, ticks.py). Each hook is guarded: at the third fault the lens goes dark
(lens.py). Nothing of it is kept on an object of the user's that could be pickled.

    lens.py         what the lens knows of itself: on, steps, faults     loaders.py      time spent waiting for batches
    patches.py      what was replaced in torch, and putting it back      loader_set.py   other workers, other batch size
    wire.py         the socket to gputop                                 optimizers.py   steps, learning rate
    roles.py        which processes may speak at all                     models.py       parameters and wrappers
    ticks.py        the regular report, and commands that came           activations.py  bytes kept for the backward pass
    commands.py     live switches                                        precision.py    autocast, scaler, TF32
    farewell.py     how it ended                                         pauses.py       checkpoints, compilation
    tracebacks.py   no frame of ours in the user's                       flops.py        operations of one step
    exchange.py     ranks that wait for each other
"""
from .life import on_import  # noqa: F401  what inject/sitecustomize.py calls
