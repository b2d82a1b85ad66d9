"""The storm over tmux, dtach and script, which also keep a job alive. The same jobs and the same number of faults, each of which
hits one of the peer's processes: the one that holds the job's terminal, or the client on the user's terminal."""
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import processes
import storm_job
from terminal import Terminal

JOB = str(pathlib.Path(storm_job.__file__))
PEERS = ("tmux", "dtach", "script")
OUTCOMES = ("fine", "stood still", "died")
LONGEST_WAIT = 1.0


def words_of(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def parent_of(pid):
    try:
        return int(pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    except OSError:
        return 0


class Peer:
    """One job under one of them, on its own terminal."""

    def __init__(self, name, kind):
        self.name = name
        self.here = pathlib.Path(tempfile.mkdtemp(prefix="storm_test."))
        self.report = self.here / "report"
        job = [sys.executable, "-B", JOB, kind, "1.6", str(self.report)]
        socket = str(self.here / "socket")
        words = {"tmux": ["tmux", "-S", socket, "-f", "/dev/null", "new-session", "-x", "100", "-y", "30", *job],
                 "dtach": ["dtach", "-c", socket, *job],
                 "script": ["script", "-q", "-f", "-c", " ".join(job), str(self.here / "log")]}[name]
        env = {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "LANG": "C.UTF-8", "HOME": str(self.here)}
        self.terminal = Terminal(words, env, 100, 30)
        self.job = self.wait(self.find_job, 20) or 0

    def pump(self):
        if self.terminal.master >= 0:
            self.terminal.pump(0)
            self.terminal.poll()

    def wait(self, condition, seconds):
        end = time.monotonic() + seconds
        while not (found := condition()) and time.monotonic() < end:
            self.pump()
            time.sleep(0.01)
        return found

    def find_job(self):
        mark = os.fsencode(str(self.report))
        found = [int(pid) for pid in filter(str.isdigit, os.listdir("/proc"))
                 if (words := words_of(pid)).startswith(os.fsencode(sys.executable)) and mark in words]
        return min(found, default=0)

    def parts(self):
        """The peer's living processes: the one that holds the job, and the user's client."""
        holder = parent_of(self.job)
        if self.name == "script" and b"/script" not in b"/" + words_of(holder):
            holder = parent_of(holder)  # a shell is between them
        return [pid for pid in dict.fromkeys((holder, self.terminal.pid)) if pid > 1 and processes.alive(pid)]

    def outcome(self):
        self.wait(lambda: self.report.exists() or not processes.alive(self.job), 6)
        if not self.report.exists():
            return "stood still" if processes.alive(self.job) else "died"
        told = json.loads(self.report.read_text())
        return "stood still" if told["waited"] > LONGEST_WAIT + told["starved"] else "fine"

    def close(self, stopped):
        for pid in stopped:
            processes.send(pid, signal.SIGCONT)
        processes.kill(pid for pid in {self.job, *self.parts()} if pid > 1)
        self.terminal.close()
        shutil.rmtree(self.here, ignore_errors=True)


def sequence(name, seed):
    dice = random.Random(seed)
    peer = Peer(name, dice.choice([kind for kind in storm_job.KINDS if kind not in storm_job.HEADLESS_ONLY]))
    stopped, faults = [], 0
    for _ in range(dice.choice((1, 2, 3))):
        parts = peer.parts()
        if not parts:
            break
        stops = dice.random() < 0.25
        for pid in dice.sample(parts, min(len(parts), dice.choice((1, 1, 2)))):
            processes.send(pid, signal.SIGSTOP if stops else signal.SIGKILL)
            stopped += [pid] if stops else []
        faults += 1
        end = time.monotonic() + dice.uniform(0, 0.4)
        peer.wait(lambda: time.monotonic() > end, 1)
    result = peer.outcome()
    peer.close(stopped)
    return result, faults


def storm(sequences, seed):
    """{peer: {outcome: count, "faults": count}} for installed ones, None for the others."""
    table = {}
    for name in PEERS:
        if not shutil.which(name):
            table[name] = None
            continue
        counts = table[name] = dict.fromkeys((*OUTCOMES, "faults"), 0)
        for number in range(sequences):
            result, faults = sequence(name, seed + number)
            counts[result] += 1
            counts["faults"] += faults
    return table
