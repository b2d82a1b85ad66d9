"""gputop's lens: watches a PyTorch training process, and changes it only if gputop asks.

No signal handler, no output, and no thread but one, in ranks (whereabouts.py). Counters are kept in memory and sent as one JSON datagram at most every half
second, from inside the hooks (wire.py, ticks.py). Each hook is guarded: at the third fault the lens switches itself
off (lens.py). Nothing is stored on the user's objects, because they could be pickled.

    lens.py         the lens's own state: on, steps, faults              loaders.py      time spent waiting for batches
    patches.py      replacements in torch, and how to undo them          loader_set.py   other workers, other batch size
    wire.py         the socket to gputop                                 optimizers.py   steps, learning rate
    roles.py        which processes may report at all                    models.py       parameters and wrappers
    ticks.py        the regular report, and new commands                 activations.py  bytes kept for the backward pass
    commands.py     live switches                                        precision.py    autocast, scaler, TF32
    farewell.py     how it ended                                         pauses.py       checkpoints, compilation
    tracebacks.py   no frame of ours in the user's                       flops.py        operations of one step
    exchange.py     ranks that wait for each other                       copies.py       bytes copied to the GPU
    whereabouts.py  where a rank stands that does not come               ray_workers.py  the way to workers of a Ray cluster
"""
from .life import on_import  # noqa: F401  what inject/sitecustomize.py calls
