"""Which processes may report: those that train. Loader workers and helpers stay silent."""
import os
import sys

from .lens import lens


def is_silent():
    """A loader worker, or a multiprocessing child that is only re-importing the user's script."""
    worker = sys.modules.get("torch.utils.data._utils.worker")
    if worker is not None and getattr(worker, "_worker_info", None) is not None:
        return True
    return getattr(_current_process(), "_inheriting", False)


def is_child():
    """Started by multiprocessing or forked: most of these never train."""
    process = _current_process()
    return lens.forked or (process is not None and type(process).__name__ != "_MainProcess")


def may_speak():
    return not is_silent() and (lens.steps > 0 or not is_child())


def start_method():
    """How multiprocessing starts processes here: fork, spawn or forkserver; None: unknown."""
    module = sys.modules.get("multiprocessing")
    try:
        if module is None:
            return None
        return module.get_start_method(allow_none=True) or module.get_all_start_methods()[0]
    except Exception:
        return None


def environment_number(name):
    try:
        return int(os.environ[name])
    except (KeyError, ValueError):
        return None


def _current_process():
    process = sys.modules.get("multiprocessing.process")
    return process.current_process() if process is not None else None
