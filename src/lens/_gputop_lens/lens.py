"""What the lens knows of itself, and what becomes of its own errors."""
import json
import os

PROTOCOL = 1
MOST_FAULTS = 3


class Lens(object):
    on = True            # false: dark, for good
    steps = 0            # of the busiest optimizer
    draws = 0            # batches taken from any loader
    clock = None         # of the loader whose batch is being worked on
    stepping = False     # inside an optimizer's step
    faults = 0
    forked = False       # this process was forked off one the lens was awake in
    overrides = {}       # what this launch was asked to change

    def __init__(self):
        self.flush_every = float(os.environ.get("GPUTOP_LENS_FLUSH", "0.5"))  # seconds
        self.probe_at = int(os.environ.get("GPUTOP_LENS_PROBE", "3"))         # step of the memory probe, 0: never
        try:
            self.overrides = dict(json.loads(os.environ.get("GPUTOP_LENS_SET") or "{}"))
        except ValueError:
            self.overrides = {}


lens = Lens()


def fault():
    """Called while handling an exception of the lens's own: told to gputop, hidden from the run."""
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
