"""Ranks that train together: when each is ready for the exchange, and how long it stays in it.

All ranks leave an exchange at the same moment, so the time each spent in it tells how much earlier than the last one it arrived;
no common clock is needed. A rank is ready when its own gradients are done: a callback queued at the start of the backward pass
runs after the last of them and before DDP waits for its buckets. Collectives called by the script itself count as well.

The current phase of the process, since when, and where it stands if that is long ago (whereabouts.py) are in a small file that
gputop maps: a process that hangs, or is stopped, cannot be asked. A process that trains alone does none of this.
"""
import functools
import gc
import mmap
import os
import struct
import sys
import time

from . import patches, roles, whereabouts
from .lens import CLOCK, PHASE, WAITED, fault, hot, lens

INPUT, COMPUTE, EXCHANGE = 1, 2, 3
MOST_STEPS = 64  # in a report
LAYOUT = struct.Struct("<QdB")  # step, monotonic seconds, phase
COLLECTIVES = ("all_reduce", "all_gather", "all_gather_into_tensor", "all_gather_object", "all_to_all", "all_to_all_single", "barrier",
               "broadcast", "broadcast_object_list", "reduce", "reduce_scatter", "reduce_scatter_tensor", "monitored_barrier",
               "_broadcast_coalesced")

_now = time.perf_counter


class State(object):
    on = False         # this process trains with others
    checked = 0.0      # when that was last checked
    steps = 0
    waited = 0.0
    collecting = 0.0
    collection = 0.0   # when the garbage collector began
    period = 0.0       # when the last step's exchange ended
    ready = 0.0        # when the current backward pass was
    inside = 0.0       # seconds in collectives since the last step
    depth = 0
    before_input = 0.0
    before_cpu = 0.0
    lately = []        # (own, input, exchange, cpu, items)
    phase = None       # the mapped file
    path = None


state = State()


def install(torch):
    original = torch.autograd.backward

    @functools.wraps(original)
    def backward(*args, **kwargs):
        if not (state.on or _joined()) or state.depth or not lens.on:
            return original(*args, **kwargs)
        handle = None
        try:
            handle = _watch(args[0] if args else kwargs.get("tensors"))
        except Exception:
            fault()
        try:
            return original(*args, **kwargs)
        finally:
            try:
                if handle is not None:
                    handle.remove()
                _step_done(_now())
            except Exception:
                fault()

    patches.replace(torch.autograd, "backward", backward)
    distributed = sys.modules.get("torch.distributed")
    for name in COLLECTIVES if distributed is not None else ():
        if callable(distributed.__dict__.get(name)):
            patches.replace(distributed, name, _timed(distributed.__dict__[name]))


def _joined():
    """Whether there are other ranks; checked rarely until there are."""
    now = _now()
    if now - state.checked < 0.2:
        return False
    state.checked = now
    distributed = sys.modules.get("torch.distributed")
    if distributed is None or not distributed.is_available() or not distributed.is_initialized():
        return False
    if distributed.get_world_size() < 2 or roles.is_silent():
        return False
    state.on = True
    state.period = 0.0
    gc.callbacks.append(_collected)
    _map_phase()
    hot[PHASE] = at
    return True


def _watch(tensors):
    root = tensors if hasattr(tensors, "register_hook") else next(iter(tensors), None)
    state.ready = 0.0
    state.depth = 1
    if root is None or not root.requires_grad:
        return None
    queue = sys.modules["torch"].autograd.Variable._execution_engine.queue_callback

    def begin(_):
        queue(_ready)
    return root.register_hook(begin)


def _ready():
    state.ready = _now()
    at(EXCHANGE)


def _step_done(ended):
    state.depth = 0
    waited = ended - state.ready if state.ready else 0.0
    state.waited += waited
    exchange = waited + state.inside
    state.inside = 0.0
    cpu = time.process_time()
    state.steps += 1
    if state.period:
        wait = hot[WAITED] - state.before_input
        own = ended - state.period - exchange - wait
        clock = hot[CLOCK]
        state.lately.append((own if own > 0.0 else 0.0, wait, exchange, cpu - state.before_cpu, clock.items if clock is not None else 0))
        if len(state.lately) > 4 * MOST_STEPS:
            del state.lately[:-MOST_STEPS]
    state.period = ended
    state.before_input = hot[WAITED]
    state.before_cpu = cpu
    at(COMPUTE)


def _timed(original):
    @functools.wraps(original)
    def collective(*args, **kwargs):
        if not (state.on or _joined()) or state.depth or not lens.on or kwargs.get("async_op"):
            return original(*args, **kwargs)
        began = _now()
        state.depth = 1
        at(EXCHANGE)
        try:
            return original(*args, **kwargs)
        finally:
            took = _now() - began
            state.depth = 0
            state.inside += took
            state.waited += took
            at(COMPUTE)
    return collective


def _collected(when, info):
    if when == "start":
        state.collection = _now()
    elif state.collection:
        state.collecting += _now() - state.collection
        state.collection = 0.0


def at(phase):
    if state.phase is not None:
        LAYOUT.pack_into(state.phase, 0, state.steps, time.monotonic(), phase)


def report():
    """For a tick: everything since the last one, or None."""
    if not state.on:
        return []
    lately, state.lately = state.lately[-MOST_STEPS:], []
    columns = list(zip(*lately)) or [(), (), (), (), ()]
    milliseconds = [[round(1e3 * value, 2) for value in column] for column in columns[:4]]
    return [dict(steps=state.steps, waited=round(state.waited, 4), collecting=round(state.collecting, 4), starved=_starved(),
                 first=state.steps - len(lately) + 1, own=milliseconds[0], input=milliseconds[1], exchange=milliseconds[2],
                 cpu=milliseconds[3], items=list(columns[4]))]


def _starved():
    """Seconds that the main thread waited in the run queue; None if the kernel does not count them."""
    try:
        with open("/proc/self/schedstat") as file:
            return round(int(file.read().split()[1]) / 1e9, 4)
    except (OSError, ValueError, IndexError):
        return None


def _map_phase():
    """Next to the lens's own files, which are removed with the run."""
    path = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "phase-%d" % os.getpid())
    try:
        with open(path, "w+b") as file:
            file.write(b"\0" * whereabouts.BYTES)
            file.flush()
            state.phase = mmap.mmap(file.fileno(), whereabouts.BYTES)
        state.path = path
        at(COMPUTE)
        whereabouts.start(state, LAYOUT)
    except (OSError, ValueError):
        state.phase = None


def after_fork():
    if _collected in gc.callbacks:
        gc.callbacks.remove(_collected)
    state.__dict__.clear()
    state.lately = []
    hot[PHASE] = None
