"""Runs `./scripts/run --demo` in a terminal of its own for a few seconds, as README says, and ends it as a user would.

Fails unless the demo says that it is SIMULATED, goes on until it is told to stop, then ends well within two seconds and
leaves no process behind.
"""
import fcntl
import os
import pathlib
import pty
import select
import signal
import struct
import sys
import termios
import time

RUN_SECONDS = 4
END_SECONDS = 2
GOOD_CODES = (0, 128 + signal.SIGINT)  # ended in good order, or by the signal once the terminal was restored
MARK = f"smoke-{os.getpid()}"  # in the environment of everything that the demo starts
BUILD_SECONDS = 900  # when this is run alone on a clean checkout, ./scripts/run builds first


def start(command):
    """A child on a terminal of 200×50, and that terminal's other end."""
    child, terminal = pty.fork()
    if child == 0:
        environment = {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", "GPUTOP_SMOKE": MARK}
        environment.pop("CI", None)  # it would mean: no screen
        os.execvpe(command[0], command, environment)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
    return child, terminal


def read_until(terminal, seconds, enough=lambda output: False):
    """What the child prints until it has printed enough, the time is over or it has ended."""
    output, deadline = b"", time.monotonic() + seconds
    while not enough(output) and (left := deadline - time.monotonic()) > 0:
        if not select.select([terminal], [], [], left)[0]:
            break
        try:
            output += os.read(terminal, 65536)
        except OSError:  # EIO: nobody holds the other end any more
            break
    return output


def ended(child, terminal, seconds):
    """The child's exit code (128+N after signal N), or None when it is still there after this time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        read_until(terminal, 0.05)  # a child must not wait for its output to be read
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code
    return None


def left_behind():
    """The command lines of what the demo started and is still there."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if MARK.encode() in (process / "environ").read_bytes():
                found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace"))
        except OSError:  # it has just ended, or is somebody else's
            continue
    return found


def main():
    child, terminal = start(["./scripts/run", "--demo"])
    output = read_until(terminal, BUILD_SECONDS, lambda text: b"SIMULATED" in text)
    early = ended(child, terminal, RUN_SECONDS) if b"SIMULATED" in output else ended(child, terminal, 0.1)
    if b"SIMULATED" not in output or early is not None:
        if early is None:
            os.kill(child, signal.SIGKILL)
        sys.stderr.write(output.decode(errors="replace")[-4000:])
        sys.exit(f"smoke: the demo {'said' if b'SIMULATED' in output else 'never said'} SIMULATED and "
                 f"{'went on' if early is None else f'ended by itself with {early}'}")
    os.kill(child, signal.SIGINT)
    code = ended(child, terminal, END_SECONDS)
    if code is None:
        os.kill(child, signal.SIGKILL)
        sys.exit(f"smoke: the demo was still there {END_SECONDS} s after SIGINT")
    if code not in GOOD_CODES:
        sys.exit(f"smoke: the demo ended with {code} after SIGINT (expected {' or '.join(map(str, GOOD_CODES))})")
    deadline = time.monotonic() + END_SECONDS
    while (left := left_behind()) and time.monotonic() < deadline:
        time.sleep(0.05)
    if left:
        sys.exit("smoke: the demo left behind: " + "; ".join(left))
    print(f"smoke: the demo showed SIMULATED for {RUN_SECONDS} s and ended with {code} on SIGINT")


if __name__ == "__main__":
    main()
