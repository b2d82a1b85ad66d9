"""The jobs of tests/e2e/storm. As a script: KIND SECONDS REPORT. Prints at a moderate pace, hashes what it prints, and reports how long it
had to wait for a write and, for comparison, how late the machine let it wake up.

    lines, bars  what training prints                      two      stdout and stderr in turn
    bytes        not text                                  burst    256 kB at once, then silence
    child        a child prints, its parent waits          deaf     ignores SIGHUP, SIGINT, SIGTERM
    closer       has closed every descriptor above 2       dropper  has given up its rights
    socket       the same, and has its own socket where the lens had one: nothing but its own bytes may be in it
    daemon       a daemon prints (own session, no parent)  reader  reads its stdin, to the end if there is one
    stopper      stops whoever is its parent, again and again
    poison       the torn bars that once crashed the engine (tests/e2e/poison_test.py)"""
import hashlib
import json
import os
import pathlib
import signal
import socket
import sys
import threading
import time

import processes

KINDS = ("lines", "bars", "closer", "child", "deaf", "two", "bytes", "burst", "dropper", "socket", "poison", "daemon", "reader", "stopper")
HEADLESS_ONLY = ("two", "bytes")  # a terminal has one stream, and changes bytes
WITH_LENS = ("socket",)
CODE = 7
PAUSE = 0.002
NOBODY = 65534


def block(kind, number):
    if kind == "bars":
        return b"\r%3d%%|####      | %d/100000 [00:33<00:10, 229.00it/s]" % (number % 100, number)
    if kind == "bytes":
        return hashlib.sha512(b"%d" % number).digest() * 16 + b"\xff" * (number % 40)
    if kind == "poison":
        return b"%d/1 \342\224\201\342\224\n\r%d/9 [\342\226\210\342\226\n" % (number, number)
    rows = 2600 if kind == "burst" else 8
    return b"".join(b"%012d %s\n" % (number * rows + i, b"x" * 86) for i in range(rows))


def stop_parent():
    parent = os.getppid()
    if pathlib.Path(f"/proc/{parent}/cmdline").read_bytes().startswith((b"run-", b"gputop: ")):  # and not whoever adopts orphans here
        processes.send(parent, signal.SIGSTOP)


class OwnSocket:
    """A socket pair at descriptors that others had: exactly what goes in must come out."""

    def __init__(self):
        os.closerange(3, 512)
        self.ends = [end for _ in range(8) for end in socket.socketpair()]  # wherever the lens's was
        self.foreign = 0

    def exchange(self, number):
        for one, other in zip(self.ends[::2], self.ends[1::2]):
            for sender, receiver in ((one, other), (other, one)):
                word = b"%09d" % number
                sender.send(word)
                got = receiver.recv(4096)
                self.foreign += got != word


def produce(kind, seconds):
    """Prints. Returns the report."""
    starved = waited = 0.0
    digests = [hashlib.sha256(), hashlib.sha256()]
    sizes, number = [0, 0], 0
    own = OwnSocket() if kind == "socket" else None
    pause = 0.2 if kind == "burst" else PAUSE
    last = time.monotonic()
    end = last + seconds
    while last < end:
        stream = number % 2 if kind == "two" else 0
        data = block(kind, number)
        number += 1
        digests[stream].update(data)
        sizes[stream] += len(data)
        view = memoryview(data)
        while view:
            last = time.monotonic()
            view = view[os.write(1 + stream, view[:4096]):]
            waited = max(waited, time.monotonic() - last)
        if own:
            own.exchange(number)
        if kind == "stopper" and number % 50 == 0:
            stop_parent()
        now = time.monotonic()
        time.sleep(pause)
        last = time.monotonic()
        starved = max(starved, last - now - pause)
    return {"waited": waited, "starved": starved, "sizes": sizes, "sha256": [d.hexdigest() for d in digests],
            "foreign": own.foreign if own else 0}


def in_child(kind, seconds):
    """A child's report; its parent only waits."""
    hear, tell = os.pipe()
    if os.fork() == 0:
        if kind == "daemon":
            os.setsid()
            if os.fork() != 0:
                os._exit(0)
        if kind == "dropper" and os.getuid() == 0:
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
        os.write(tell, json.dumps(produce(kind, seconds)).encode())
        os._exit(0)
    os.close(tell)
    with open(hear, "rb") as pipe:
        told = json.loads(pipe.read())
    os.wait()
    return told


def main(kind, seconds, report):
    if kind == "closer":
        os.closerange(3, 512)
    if kind == "deaf":
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
    if kind == "reader":
        threading.Thread(target=sys.stdin.buffer.read, daemon=True).start()
    told = in_child(kind, float(seconds)) if kind in ("child", "dropper", "daemon") else produce(kind, float(seconds))
    draft = pathlib.Path(report + ".new")
    draft.write_text(json.dumps(told))
    draft.rename(report)
    os._exit(CODE)


if __name__ == "__main__":
    main(*sys.argv[1:])
