"""Where in the user's code something was created: file:line, the same in every launch of the same script."""
import os
import sys

_OWN = os.path.dirname(os.path.abspath(__file__))
_LIBRARIES = (os.sep + "site-packages" + os.sep, os.sep + "dist-packages" + os.sep, os.sep + "lib" + os.sep + "python3")


def call_site():
    frame = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_filename
        own = name.startswith(_OWN) or name.startswith("<frozen")
        if not own and not any(folder in name for folder in _LIBRARIES):
            return "%s:%d" % (os.path.basename(name), frame.f_lineno)
        frame = frame.f_back
    return "?"
