"""The flooding job under a bare pseudo-terminal that is read immediately: the reference for this machine's present load."""
import atexit
import json
import os
import pathlib
import pty
import signal
import subprocess
import tempfile

import processes
import run_jobs

ATTEMPTS = 3


class BareFlood:
    """Runs beside a test, so its longest gap tells how busy the machine was meanwhile."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="bare_flood.")
        self.report = pathlib.Path(self.folder.name) / "report"
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.execv(run_jobs.ME[0], [*run_jobs.ME, "600", str(self.report)])
        atexit.register(self._end)  # also after a failure
        os.read(self.master, 65536)  # from now on SIGUSR1 ends it in order
        # A process of its own: a thread would wait for whatever else Python does here.
        self.drain = subprocess.Popen(["cat"], stdin=self.master, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def _end(self):
        atexit.unregister(self._end)
        processes.send(self.pid, signal.SIGKILL)  # it has ended, or a test has failed
        os.waitpid(self.pid, 0)
        self.drain.kill()
        self.drain.wait()
        os.close(self.master)

    def longest_gap(self):
        """Ends it. Call this when the job beside it has ended, before anything else keeps the machine busy."""
        processes.send(self.pid, signal.SIGUSR1)
        run_jobs.wait_for(self.report.exists, "the bare job's report")
        self._end()
        report = json.loads(self.report.read_text())
        self.folder.cleanup()
        return report["longest_gap"]


STANDSTILL = 1.0  # seconds. bench/passthrough gaps measures the milliseconds; a loaded machine would make such a limit a coin toss.


class StoodStill(AssertionError):
    """The job waited longer than it may. A busy machine is the only innocent reason."""


def check_kept_going(what, report, bare):
    """The job never stood still, beyond what the same job waited at a bare terminal meanwhile."""
    gap = report["longest_gap"]
    said = (f"{what}: longest gap of the job {gap * 1000:.0f} ms (limit {STANDSTILL * 1000:.0f} ms, bare terminal beside it "
            f"{bare * 1000:.0f} ms), {report['lines']} lines intact")
    print(said, flush=True)
    if gap > STANDSTILL + bare:
        raise StoodStill(said)


def best_attempt(test):
    """The test's value, of the first attempt in which the job was not held up: what holds it up each time is not chance."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return test()
        except StoodStill as gap:
            if attempt == ATTEMPTS:
                raise
            print(f"attempt {attempt} of {ATTEMPTS}: {gap}", flush=True)
