"""Jobs that the fault tests run, and a handle on a run started by run_tool. Used as a module and, by the jobs, as a script."""
import atexit
import hashlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import processes
from processes import alive
from sanitized import FLOOD_PAUSE

TOOL = os.environ.get("GPUTOP_RUN_TOOL", "")


def flood_line(number):
    return b"%012d %s\n" % (number, b"x" * 186)


def flood(seconds, report, pause=FLOOD_PAUSE):
    """Prints numbered lines as fast as they are read, and reports its longest wait, their count and their hash. SIGUSR1
    ends it early."""
    longest, lines, digest, enough = 0.0, 0, hashlib.sha256(), []
    signal.signal(signal.SIGUSR1, lambda *_: enough.append(True))
    end = time.monotonic() + seconds
    last = time.monotonic()
    while last < end and not enough:
        block = b"".join(flood_line(lines + i) for i in range(20))
        lines += 20
        digest.update(block)
        view = memoryview(block)
        while view:
            view = view[os.write(1, view):]
        now = time.monotonic()
        longest, last = max(longest, now - last), now
        if pause:
            time.sleep(pause)
            last = time.monotonic()
    draft = pathlib.Path(report + ".new")
    draft.write_text(json.dumps({"longest_gap": longest, "lines": lines, "sha256": digest.hexdigest()}))
    draft.rename(report)


def content(path):
    with open(path, "rb", buffering=0) as file:
        return file.read()


def wait_for(condition, what, seconds=20):
    now = time.monotonic()
    end = now + seconds
    while now < end:
        value = condition()
        if value:
            return value
        took = time.monotonic() - now
        time.sleep(max(0.005, 3 * took))  # looking through /proc must not be what keeps the machine busy
        now = time.monotonic()
    raise AssertionError(f"waited {seconds} s in vain for {what}")


class Run:
    """A run under a PTY: its directory, its processes, its recording."""

    def __init__(self, command, *options, env=None, ring=None):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="run_test."))
        atexit.register(self.close)  # also after a failure
        self.root = self.dir / "root"
        self.root.mkdir(mode=0o700)
        self.report = str(self.dir / "report")
        command = [word.replace("{report}", self.report).replace("{dir}", str(self.dir)) for word in command]
        options = [*options, *(["--ring", str(ring)] if ring else [])]
        env = {**(os.environ if env is None else env), "RUN_MARK": str(self.dir)}  # by which its processes are found
        started = subprocess.run([TOOL, *options, "--out", str(self.dir), "--root", str(self.root), "--", *command],
                                 capture_output=True, text=True, env=env, timeout=30)
        self.code, self.errors = started.returncode, started.stderr
        if self.code == 0:
            words = started.stdout.split()
            self.id, self.keeper, self.job = words[0], int(words[2]), int(words[4])

    def engines(self):
        try:
            return [int(line.split()[0]) for line in (self.dir / "engines").read_text().splitlines()]
        except FileNotFoundError:
            return []

    def engine(self):
        """The newest engine, as soon as it lives."""
        return wait_for(lambda: (e := self.engines()) and alive(e[-1]) and e[-1], "an engine")

    def order(self, text):
        self.engine()
        with open(self.dir / "orders", "w") as orders:
            orders.write(text + "\n")

    def listed(self):
        return subprocess.run([TOOL, "list", str(self.root)], capture_output=True, text=True).stdout

    def current_keeper(self):
        words = self.listed().split()
        return int(words[words.index("keeper") + 1]) if "keeper" in words else 0

    def end(self, seconds=60):
        """How it ended, after it and all of gputop's processes are gone."""
        wait_for((self.dir / "end").exists, "the end of the run", seconds)
        wait_for(lambda: not list(self.root.iterdir()), "the run's files to be removed")
        return json.loads((self.dir / "end").read_text())

    def output(self):
        recording = self.dir / "stream0"
        return recording.read_bytes() if recording.exists() else b""

    def check_flood(self):
        """Every line of the flooding job exactly once, in order. Returns its report."""
        report = json.loads(pathlib.Path(self.report).read_text())
        recorded = self.output().replace(b"\r\n", b"\n")
        assert hashlib.sha256(recorded).hexdigest() == report["sha256"], (
            f"recorded {len(recorded)} bytes differ from the {report['lines']} lines printed")
        return report

    def processes(self):
        """(pid, command line) of every process that refers to this run's directory."""
        mark, found = str(self.dir).encode(), []
        for name in filter(str.isdigit, os.listdir("/proc")):  # not by pathlib: this is asked thousands of times
            try:
                words = content(f"/proc/{name}/cmdline")
                if mark in words or (words and mark in content(f"/proc/{name}/environ")):
                    found.append((int(name), words.replace(b"\0", b" ").decode(errors="replace")))
            except OSError:
                continue
        return found

    def processes_by_role(self):
        """{"holder": pid, "spare": pid, "keeper": pid}: the living ones, as ps shows them."""
        roles = (("run-holder", "holder"), ("run-spare", "spare"), ("gputop: keeper", "keeper"))
        # Until they have a title of their own, the job and the others show that of the holder, which is older than they.
        found = sorted(Run.processes(self), reverse=True)
        try:
            jobs = {json.loads(path.read_text())["job"]["pid"] for path in self.root.glob("*/run.json")}
        except OSError:
            jobs = set()  # it is over
        return {role: pid for pid, words in found for title, role in roles
                if words.startswith(title) and pid not in jobs and alive(pid)}

    def close(self):
        """Ends whatever is left. Returns the command lines of processes that should not have existed."""
        return end_leftovers(self)


def end_leftovers(run, seconds=5):
    """After a run: kills processes that have not ended by themselves in this time, returns their command lines, removes the run's folder."""
    end = time.monotonic() + seconds  # a process that was just killed is still listed for a moment
    while (left := Run.processes(run)) and time.monotonic() < end:
        time.sleep(0.02)
    processes.kill(pid for pid, _ in left)
    shutil.rmtree(run.dir, ignore_errors=True)
    return [words for _, words in left]


ME = [sys.executable, "-B", __file__]
if __name__ == "__main__":
    flood(float(sys.argv[1]), sys.argv[2], *map(float, sys.argv[3:]))
