"""Other processes: whether one lives, a signal to it if it still exists, waiting until it is gone.

A process may end at any moment, so no test calls os.kill itself (tests/house/signals_test.py)."""
import os
import pathlib
import signal
import time


def alive(pid):
    """Whether it runs or could run: a zombie does not."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def named(name, group):
    """The processes of this name in a process group."""
    found = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            pid, rest = stat.read_text().split(" (", 1)
        except (FileNotFoundError, ProcessLookupError):
            continue
        comm, fields = rest.rsplit(") ", 1)
        if comm == name and int(fields.split()[2]) == group:
            found.append(int(pid))
    return found


def send(pid, number):
    """Sends a signal to a process if it still exists. Returns whether it did."""
    assert pid > 0, f"{pid} is no process: the signal would reach this test's own group, or everybody"
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return False
    return True


def send_group(group, number):
    """The same for a process group."""
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        return False
    return True


def wait_until_gone(pids, seconds=20):
    """Waits until none of these lives. The failure names those that do."""
    end = time.monotonic() + seconds
    while left := [pid for pid in pids if alive(pid)]:
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds} s in vain for the end of {left}")
        time.sleep(0.01)


def kill(pids, seconds=20):
    """Kills those that still exist, and waits until all are gone."""
    pids = [pids] if isinstance(pids, int) else list(pids)
    for pid in pids:
        send(pid, signal.SIGKILL)
    wait_until_gone(pids, seconds)
