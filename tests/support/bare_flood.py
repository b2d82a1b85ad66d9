"""The flooding job under a bare pseudo-terminal that is read at once: what this machine allows right now."""
import json
import os
import pathlib
import pty
import tempfile
import threading

import run_jobs


class BareFlood:
    """Runs beside a test, so that its longest gap tells how busy the machine was meanwhile."""

    def __init__(self, seconds):
        self.folder = tempfile.TemporaryDirectory(prefix="bare_flood.")
        self.report = pathlib.Path(self.folder.name) / "report"
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.execv(run_jobs.ME[0], [*run_jobs.ME, str(seconds), str(self.report)])
        self.thread = threading.Thread(target=self._drain, daemon=True)
        self.thread.start()

    def _drain(self):
        try:
            while os.read(self.master, 65536):
                pass
        except OSError:
            pass

    def longest_gap(self):
        self.thread.join()
        os.waitpid(self.pid, 0)
        os.close(self.master)
        report = json.loads(self.report.read_text())
        self.folder.cleanup()
        return report["longest_gap"]


def check_gap(what, report, bare, limit):
    """Prints the job's longest wait beside its limit. Fails only where the machine's own hiccups cannot be the reason:
    bench/passthrough measures the figure where nothing else runs."""
    gap = report["longest_gap"]
    print(f"{what}: longest gap of the job {gap * 1000:.0f} ms (limit {limit * 1000:.0f} ms, bare terminal beside it "
          f"{bare * 1000:.0f} ms), {report['lines']} lines intact", flush=True)
    assert gap < limit + 1 + 10 * bare, f"{what}: the job stood still for {gap:.2f} s"
