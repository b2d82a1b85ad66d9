"""Where in the user's code something was created: file:line, the same in every launch of the same script."""
import os
import sys

_OWN = os.path.dirname(os.path.abspath(__file__))
_LIBRARIES = (os.sep + "site-packages" + os.sep, os.sep + "dist-packages" + os.sep, os.sep + "lib" + os.sep + "python3")


def is_own(name):
    return name.startswith(_OWN) or name.startswith("<frozen")


def is_library(name):
    return any(folder in name for folder in _LIBRARIES)


def call_site():
    frame = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_filename
        if not is_own(name) and not is_library(name):
            return "%s:%d" % (os.path.basename(name), frame.f_lineno)
        frame = frame.f_back
    return "?"
