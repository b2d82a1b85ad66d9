"""The jobs of tests/e2e/storm. As a script: KIND SECONDS REPORT. Prints at a moderate pace, hashes what it prints, and reports how long it
had to wait for a write and, for comparison, how late the machine let it wake up."""
import hashlib
import json
import os
import pathlib
import signal
import sys
import time

KINDS = ("lines", "bars", "closer", "child", "deaf", "two", "bytes")
HEADLESS_ONLY = ("two", "bytes")  # a terminal has one stream, and changes bytes
CODE = 7
PAUSE = 0.002


def block(kind, number):
    if kind == "bars":
        return b"\r%3d%%|####      | %d/100000 [00:33<00:10, 229.00it/s]" % (number % 100, number)
    if kind == "bytes":
        return hashlib.sha512(b"%d" % number).digest() * 16 + b"\xff" * (number % 40)
    return b"".join(b"%012d %s\n" % (number * 8 + i, b"x" * 86) for i in range(8))


def produce(kind, seconds, report):
    starved = waited = 0.0
    digests = [hashlib.sha256(), hashlib.sha256()]
    sizes, number = [0, 0], 0
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
            view = view[os.write(1 + stream, view):]
        now = time.monotonic()
        waited = max(waited, now - last)
        time.sleep(PAUSE)
        last = time.monotonic()
        starved = max(starved, last - now - PAUSE)
    draft = pathlib.Path(report + ".new")
    draft.write_text(json.dumps({"waited": waited, "starved": starved, "sizes": sizes, "sha256": [d.hexdigest() for d in digests]}))
    draft.rename(report)


def main(kind, seconds, report):
    if kind == "closer":
        os.closerange(3, 512)
    if kind == "deaf":
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
    if kind == "child":
        pid = os.fork()
        if pid:
            os.waitpid(pid, 0)
            os._exit(CODE)
    produce(kind, float(seconds), report)
    os._exit(CODE)


if __name__ == "__main__":
    main(*sys.argv[1:])
