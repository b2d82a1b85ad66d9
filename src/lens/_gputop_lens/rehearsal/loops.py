"""Whether the script waits: the innermost loop around a question has a condition, not a sequence to go through."""
import ast
import linecache
import sys

from .stage import stage

_loops = {}     # file → [(first line, last line, whether it is a while)], inner loops after outer ones; None: no source


def _of(name):
    found = _loops.get(name, False)
    if found is False:
        found = None
        try:
            tree = ast.parse("".join(linecache.getlines(name)))
            found = [(one.lineno, one.end_lineno, isinstance(one, ast.While)) for one in ast.walk(tree)
                     if isinstance(one, (ast.While, ast.For, ast.AsyncFor))] or None
        except (SyntaxError, ValueError, RecursionError):
            pass
        _loops[name] = found
    return found


def waiting():
    """True where no loop is found, too: then one that never ends is left after a while."""
    frame = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if not code.co_filename.startswith(stage.ledger.skip):
            around = [one for one in _of(code.co_filename) or () if code.co_firstlineno <= one[0] <= frame.f_lineno <= one[1]]
            if around:
                return max(around)[2]
        frame = frame.f_back
    return True
