"""A run of the whole program for the fault tests: gputop on a terminal (or headless), its processes, its recording."""
import atexit
import hashlib
import json
import os
import pathlib
import subprocess
import tempfile

import run_jobs
from sanitized import SANITIZERS
from terminal import Terminal

GPUTOP = os.environ.get("GPUTOP", "")
RECORDING_TOOL = os.environ.get("GPUTOP_RECORDING_TOOL", "")


class WholeRun:
    """All its files are in one private folder, by which its processes are found, too."""

    def __init__(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="run_test."))
        atexit.register(self.close)  # also after a failure
        self.runtime = self.dir / "x"
        self.runtime.mkdir(mode=0o700)
        self.root = self.runtime / "gputop"
        self.recording = self.dir / "run.gputop"
        self.report = str(self.dir / "report")
        self.terminals = []
        self.env = {"PATH": os.environ["PATH"], "HOME": str(self.dir), "LANG": "C.UTF-8", "TERM": "xterm-256color",
                    "XDG_RUNTIME_DIR": str(self.runtime), "GPUTOP_RUNTIME_DIR": str(self.root), "GPUTOP_SANITIZED": SANITIZERS,
                    "GPUTOP_SIM_BUS": str(self.dir / "bus")}

    # --- starting ---
    def words(self, *job, options=()):
        job = [word.replace("{report}", self.report).replace("{dir}", str(self.dir)) for word in job]
        return [GPUTOP, "--record", str(self.recording), "--source", "sim:idle", *options, "--", *job]

    def open(self, *job, options=(), size=(100, 30), until="BUSY", **env):
        """On a terminal. It shows its first reading when this returns."""
        return self.on_terminal(self.words(*job, options=options), size, until, **env)

    def attach(self, *words, size=(100, 30), until="BUSY"):
        return self.on_terminal([GPUTOP, "attach", *words], size, until)

    def on_terminal(self, words, size=(100, 30), until="BUSY", answers=True, **env):
        terminal = Terminal(words, {**self.env, **env}, *size, answers=answers)
        self.terminals.append(terminal)
        if until:
            terminal.wait(until)
        return terminal

    def flood(self, seconds, **more):
        """The flooding job on a terminal."""
        return self.open(*run_jobs.ME, str(seconds), "{report}", **more)

    def gputop(self, *words, **more):
        return subprocess.run([GPUTOP, *words], env=self.env, capture_output=True, text=True, timeout=60,
                              stdin=subprocess.DEVNULL, **more)

    # --- its processes ---
    def record(self):
        """Waits for run.json and returns it."""
        def read():
            try:
                return [json.loads(path.read_text()) for path in self.root.glob("*/run.json")]
            except (OSError, ValueError):
                return []
        return run_jobs.wait_for(read, "run.json")[0]

    def pid(self, who):
        return self.record()[who]["pid"]

    def engines(self):
        return [pid for pid, words in run_jobs.Run.processes(self) if words.startswith("gputop: engine")]

    def keepers(self):
        return [pid for pid, words in run_jobs.Run.processes(self) if words.startswith("gputop: keeper")]

    def rss(self, pid):
        """Bytes, including the ring that it shares with the keeper."""
        try:
            status = pathlib.Path(f"/proc/{pid}/status").read_text()
        except OSError:
            return 0  # it is gone, which others notice
        return sum(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmRSS:"))

    # --- how it went ---
    def wait_end(self, seconds=60, unless=lambda: False):
        """Waits until the job has ended and none of gputop's processes is left (or for what should not happen instead)."""
        try:
            run_jobs.wait_for(lambda: self.pump() or unless() or not self.processes_of_run(), "the run's end", seconds)
        except AssertionError as in_vain:
            raise AssertionError(f"{in_vain}; still there: {self.states()}") from None
        if unless():
            return
        assert not self.root.exists() or not list(self.root.iterdir()), list(self.root.iterdir())

    def processes_of_run(self):
        return [words for _, words in run_jobs.Run.processes(self) if words.startswith(("gputop: ", "run-holder", "run-spare", str(run_jobs.ME[0])))]

    def states(self):
        """What this run's processes wait for: for somebody who has to find out why they do."""
        def said(pid, name):
            try:
                return pathlib.Path(f"/proc/{pid}/{name}").read_text().strip()
            except OSError as error:
                return error.strerror
        return [(pid, words[:60], said(pid, "stat").rpartition(")")[2][:2], said(pid, "wchan"), said(pid, "syscall")[:40])
                for pid, words in run_jobs.Run.processes(self)]

    def pump(self):
        """Reads the terminals, which would fill up otherwise."""
        for terminal in self.terminals:
            if terminal.master >= 0 and not getattr(terminal, "never_reads", False):
                terminal.pump(0)
                terminal.poll()

    def output(self, stream=0):
        done = subprocess.run([RECORDING_TOOL, "output", str(self.recording), str(stream)], capture_output=True)
        assert done.returncode == 0, done.stderr.decode()[:2000]
        return done.stdout

    def events(self, kind=None):
        if self.recording.exists() and self.recording.stat().st_size == 0:
            return []  # its engine was killed before it wrote: the next one does
        done = subprocess.run([RECORDING_TOOL, "events", str(self.recording)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        events = [json.loads(line) for line in done.stdout.splitlines()]
        return [event["event"] for event in events if event["kind"] == kind] if kind else events

    def flood_report(self):
        return json.loads(run_jobs.wait_for(lambda: pathlib.Path(self.report).exists() and pathlib.Path(self.report).read_text(),
                                            "the job's own report"))

    def check_flood(self, echoes=()):
        """Every line of the flooding job is recorded exactly once, in order. Returns the job's report."""
        report = self.flood_report()
        recorded = self.output().replace(b"\r\n", b"\n")
        for echo in echoes:  # of what was typed
            recorded = recorded.replace(echo, b"")
        assert hashlib.sha256(recorded).hexdigest() == report["sha256"], (
            f"the {len(recorded)} recorded bytes differ from the {report['lines']} lines printed")
        return report

    def close(self):
        for terminal in self.terminals:
            terminal.close()
        self.terminals = []
        return run_jobs.end_leftovers(self)
