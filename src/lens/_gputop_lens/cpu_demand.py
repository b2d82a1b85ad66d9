"""How much CPU time this thread wanted: what it got, plus the time it waited in the run queue."""
import os
import time


def cpu_demand():
    """Seconds; only differences are meaningful. A thread that waits for a disk or a network wants none."""
    return time.thread_time() + _in_line()


def _in_line():
    try:
        file = os.open("/proc/thread-self/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        try:
            return int(os.read(file, 100).split()[1]) * 1e-9
        finally:
            os.close(file)
    except (OSError, IndexError, ValueError):
        return 0.0
