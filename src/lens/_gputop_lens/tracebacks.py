"""An error that ends the run is printed as without the lens: the lens's own frames are removed from its traceback."""
import os
import sys

_OWN = os.path.dirname(os.path.abspath(__file__)) + os.sep


def install():
    original = sys.excepthook

    def excepthook(kind, error, trace):
        try:
            trace = without_own(trace)
            clean(error, set())
        except Exception:
            pass
        if sys.excepthook is excepthook:
            sys.excepthook = original
        original(kind, error, trace)

    sys.excepthook = excepthook


def clean(error, seen):
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        error.__traceback__ = without_own(error.__traceback__)
        clean(error.__context__, seen)
        error = error.__cause__


def without_own(trace):
    while trace is not None and _is_own(trace):
        trace = trace.tb_next
    link = trace
    while link is not None:
        while link.tb_next is not None and _is_own(link.tb_next):
            link.tb_next = link.tb_next.tb_next
        link = link.tb_next
    return trace


def _is_own(trace):
    return trace.tb_frame.f_code.co_filename.startswith(_OWN)
