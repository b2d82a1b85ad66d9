"""The lens's own state, and what happens to its own errors."""
import json
import os

PROTOCOL = 1
MOST_FAULTS = 3

# Everything that each step looks at is in one list: after milliseconds of other work, each touched place is a cache
# miss.
NEXT, CLOCK, DRAWN, CAREFUL, WAITED, PHASE = range(6)
hot = [0.0,    # perf_counter() of the next report
       None,   # clock of the loader whose batch is being processed
       False,  # a batch was taken since the last step
       True,   # a step has to do more than be counted
       0.0,    # seconds spent waiting for batches, of all loaders
       None]   # exchange.at, in a process that trains with others


class Lens(object):
    on = True            # False: switched off for good
    steps = 0            # of the busiest optimizer, as of the last optimizers.add_up()
    faults = 0
    forked = False       # this process was forked from one in which the lens was active
    overrides = {}       # the changes requested for this launch

    def __init__(self):
        self.flush_every = float(os.environ.get("GPUTOP_LENS_FLUSH", "1"))    # seconds
        self.probe_at = int(os.environ.get("GPUTOP_LENS_PROBE", "3"))         # step of the memory probe, 0: never
        try:
            self.overrides = dict(json.loads(os.environ.get("GPUTOP_LENS_SET") or "{}"))
        except ValueError:
            self.overrides = {}


lens = Lens()


def fault():
    """Called while handling one of the lens's own exceptions: reported to gputop, hidden from the run."""
    lens.faults += 1
    try:
        import traceback
        from . import wire
        wire.say("fault", dict(count=lens.faults, text=traceback.format_exc()[-600:]), keep=("fault", lens.faults))
    except Exception:
        pass
    if lens.faults >= MOST_FAULTS:
        go_dark()


def go_dark():
    lens.on = False
    try:
        from . import patches
        patches.restore_all()
    except Exception:
        pass
