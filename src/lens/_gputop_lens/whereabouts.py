"""Where the main thread stands once it has not gone on for seconds: written into the small file that gputop maps.

A process that hangs sends nothing, so a thread has to look. Only a process that trains with others has it. It is asleep for all but
some microseconds of each second, and is not one of `threading`'s: the script's own list of threads stays as it is.
"""
import _thread
import os
import struct
import sys
import time

from .lens import lens
from .places import is_library, is_own

AT = 32                       # in the file, behind the phase
HEAD = struct.Struct("<dH")   # since when the phase lasts, bytes of text
BYTES = 512                   # of the whole file
EVERY = 1.0
STUCK = 2.0
MOST_FRAMES = 3               # of the script

_monotonic = time.monotonic
_sleep = time.sleep


def start(state, layout):
    """On the thread that trains."""
    try:
        _thread.start_new_thread(_look, (_thread.get_ident(), state, layout))
    except RuntimeError:
        pass  # no thread can be had: the phase alone is known


def _look(thread, state, layout):
    try:
        while lens.on and state.phase is not None:
            since = layout.unpack_from(state.phase, 0)[1]
            if _monotonic() - since >= STUCK:
                frame = sys._current_frames().get(thread)
                if frame is None:
                    return
                text = place_of(frame).encode("utf-8", "replace")[:BYTES - AT - HEAD.size]
                del frame
                state.phase[AT + HEAD.size:AT + HEAD.size + len(text)] = text
                HEAD.pack_into(state.phase, AT, since, len(text))
            _sleep(EVERY)
    except Exception:
        pass  # it is only a word more; and at the end of the process anything may be gone


def place_of(frame):
    """ "train.py:88 in main > data.py:42 in read > socket.py:705 in readinto": the script's last calls, and where they ended up."""
    inside = None
    calls = []
    while frame is not None and len(calls) < MOST_FRAMES:
        name = frame.f_code.co_filename
        if not is_own(name):
            if not is_library(name):
                calls.append(_words(frame))
            elif inside is None and not calls:
                inside = _words(frame)
        frame = frame.f_back
    return " > ".join(calls[::-1] + ([inside] if inside else []))


def _words(frame):
    return "%s:%d in %s" % (os.path.basename(frame.f_code.co_filename), frame.f_lineno, frame.f_code.co_name.strip("<>"))
