"""An advisor with short delays, for tests that wait for it: written into the private home of a ProgramTest."""
import os

import processes

THRESHOLDS = "thresholds:\n  warm_up: {warm_up}\n  hold: 2\n  release: 4\n  cpu_full: 100\n  disk_busy: 100\n"


def leave_nothing(test):
    """Ends whatever a failed test left running."""
    processes.kill(pid for pid in test.processes_with(str(test.folder)) if pid != os.getpid())


def write(home, warm_up=8, off=""):
    folder = home / ".config" / "gputop"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "advisor.yaml").write_text(THRESHOLDS.format(warm_up=warm_up) + f"off: [{off}]\n")
