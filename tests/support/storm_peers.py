"""The same storm over tmux, dtach and script: what else keeps a job through faults."""
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

JOB = str(pathlib.Path(storm_job.__file__))


def children(pid):
    try:
        return [int(child) for task in os.listdir(f"/proc/{pid}/task")
                for child in pathlib.Path(f"/proc/{pid}/task/{task}/children").read_text().split()]
    except OSError:
        return []


def start(peer, here, job):
    """Returns (what to clean up with, where its output is kept or None)."""
    log = here / "log"
    if peer == "tmux":
        socket = str(here / "socket")
        subprocess.run(["tmux", "-S", socket, "-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "30", *job], check=True,
                       stdin=subprocess.DEVNULL)
        return ["tmux", "-S", socket, "kill-server"], None
    if peer == "dtach":
        subprocess.run(["dtach", "-n", str(here / "socket"), *job], check=True, stdin=subprocess.DEVNULL)
        return None, None
    subprocess.Popen(["script", "-q", "-f", "-c", " ".join(job), str(log)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                     start_new_session=True)
    return None, log


def sequence(peer, seed):
    """One job under the peer, one fault of what keeps it. Returns what became of the job."""
    dice = random.Random(seed)
    here = pathlib.Path(tempfile.mkdtemp(prefix="storm_test."))
    report = str(here / "report")
    kind = dice.choice([kind for kind in storm_job.KINDS if kind not in storm_job.HEADLESS_ONLY])
    undo, _ = start(peer, here, [sys.executable, "-B", JOB, kind, "1.5", report])
    mark, job = str(here).encode(), 0
    end = time.monotonic() + 10
    while not job and time.monotonic() < end:
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                words = pathlib.Path(f"/proc/{name}/cmdline").read_bytes()
            except OSError:
                continue
            if words.startswith(os.fsencode(sys.executable)) and mark in words and b"storm_job" in words:
                job = int(name)
                break
    keeper = int(pathlib.Path(f"/proc/{job}/stat").read_text().rsplit(")", 1)[1].split()[1])
    time.sleep(dice.uniform(0, 0.5))
    stop = dice.random() < 0.3
    if keeper > 1:
        processes.send(keeper, signal.SIGSTOP if stop else signal.SIGKILL)
    end = time.monotonic() + 6
    while processes.alive(job) and time.monotonic() < end:
        time.sleep(0.02)
    result = "ok" if os.path.exists(report) else "stood still" if processes.alive(job) else "died"
    if stop:
        processes.send(keeper, signal.SIGCONT)
    processes.kill([job])
    if undo:
        subprocess.run(undo, capture_output=True)
    shutil.rmtree(here, ignore_errors=True)
    return result


def storm(sequences, seed):
    """{peer: {outcome: count}} of those that are installed."""
    table = {}
    for peer in ("tmux", "dtach", "script"):
        if not shutil.which(peer):
            table[peer] = None
            continue
        counts = table[peer] = {"ok": 0, "stood still": 0, "died": 0}
        for number in range(sequences):
            counts[sequence(peer, seed + number)] += 1
    return table
