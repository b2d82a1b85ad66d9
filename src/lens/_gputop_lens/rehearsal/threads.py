"""The mode is one thread's: a thread that the script starts gets its own. Prefetchers copy to the GPU in one."""
import threading

from .mode import Mode
from .stage import stage
from .watch import Watching


def arrive(replace):
    kind = Watching if stage.watch else Mode
    start = threading.Thread._bootstrap_inner

    def bootstrap(self):
        with kind():
            return start(self)
    replace(threading.Thread, "_bootstrap_inner", bootstrap)
