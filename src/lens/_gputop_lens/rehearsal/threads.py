"""The mode is one thread's: a thread that the script starts gets its own. Prefetchers copy to the GPU in one."""
import threading

from .mode import Mode


def arrive(replace):
    start = threading.Thread._bootstrap_inner

    def bootstrap(self):
        with Mode():
            return start(self)
    replace(threading.Thread, "_bootstrap_inner", bootstrap)
