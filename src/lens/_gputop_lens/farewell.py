"""The last message of a process: how it ended, and where in the code it ran out of memory."""
import os
import sys
import time
from multiprocessing import util

from . import ticks, wire
from .lens import CLOCK, hot, lens

_PHASES = (("backward", ("backward",)), ("optimizer", ("step",)), ("data", ("__next__",)),
           ("forward", ("forward", "_call_impl")))
_armed = set()  # pids


def arm():
    """Children of multiprocessing exit without atexit, and drop what their parent had registered."""
    if os.getpid() not in _armed:
        _armed.add(os.getpid())
        util.Finalize(None, bye, exitpriority=100)


def bye():
    if wire.wire.socket is None or os.getpid() != wire.wire.pid:
        return
    try:
        ticks.flush(time.perf_counter(), last=True)
        error = getattr(sys, "last_value", None)  # of an uncaught exception
        if error is not None and is_out_of_memory(error):
            shapes = hot[CLOCK].shapes if hot[CLOCK] is not None else None
            wire.say("oom", dict(step=lens.steps, phase=phase_of(error), shapes=shapes, text=str(error)[:600]))
        wire.say("bye", dict(steps=lens.steps, faults=lens.faults,
                             exception=type(error).__name__ if error is not None else None))
        wire.hang_up()
        lens.on = False
    except Exception:
        pass


def is_out_of_memory(error):
    text = str(error)
    return ("OutOfMemory" in type(error).__name__ or "out of memory" in text or "can't allocate memory" in text)


def phase_of(error):
    trace, names = error.__traceback__, set()
    while trace is not None:
        names.add(trace.tb_frame.f_code.co_name)
        trace = trace.tb_next
    for phase, functions in _PHASES:
        if names.intersection(functions):
            return phase
    return "other"
