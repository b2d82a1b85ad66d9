"""The socket to gputop: datagrams of JSON, never blocking, dropped if gputop is slow, forgotten if it is gone."""
import json
import os
import socket
import sys
import time

from . import roles
from .lens import PROTOCOL, lens

RETRY_FIRST = 0.25  # seconds, then twice as long each time, up to:
RETRY_EVERY = 5.0   # gputop's engine may have been restarted
LONGEST = 60000     # bytes per datagram


class Wire(object):
    socket = None
    identity = None  # of the socket itself: (device, inode)
    pid = 0          # the process that owns the connection
    retry_at = 0.0
    pause = RETRY_FIRST
    dropped = 0
    kept = {}  # lasting facts (loaders, models …), for a gputop that connects later: key → message


wire = Wire()


def say(kind, fields, keep=None):
    """Sends one message if gputop listens; one with a key is also sent to every gputop that connects later."""
    fields["kind"] = kind
    if keep is not None:
        wire.kept[keep] = fields
    if wire.socket is None:
        if keep is not None:
            connect()
        return
    _send(fields)


def connect():
    """Tries to reach gputop, at growing intervals. True: it listens."""
    if wire.socket is not None:
        return True
    now = time.perf_counter()
    if now < wire.retry_at or not lens.on or not roles.may_speak():
        return False
    wire.retry_at = now + wire.pause
    wire.pause = min(RETRY_EVERY, 2 * wire.pause)
    end = None
    try:
        end = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK)
        wire.identity = _identity(end)
        end.connect(os.environ["GPUTOP_LENS_SOCKET"])
    except (OSError, KeyError, ValueError):
        if end is not None:
            end.close()
        return False
    wire.socket = end
    wire.pause = RETRY_FIRST
    wire.pid = os.getpid()
    _send(_hello())
    for message in list(wire.kept.values()):
        _send(message)
    if roles.is_child():
        from . import farewell
        farewell.arm()
    return wire.socket is not None


def receive():
    """The next command, or None."""
    while _is_ours():
        try:
            text = wire.socket.recv(LONGEST)
        except BlockingIOError:
            return None
        except OSError:
            text = b""
        if not text:
            hang_up()
            return None
        try:
            command = json.loads(text.decode())
        except ValueError:
            continue
        if isinstance(command, dict):
            return command
    return None


def _identity(end):
    info = os.fstat(end.fileno())
    return info.st_dev, info.st_ino


def _is_ours():
    """Whether there is a connection and its descriptor still refers to it. The job may have closed everything (os.closerange) and opened
    something else under the same number, which must not be written to, read from, or closed."""
    if wire.socket is None:
        return False
    try:
        if _identity(wire.socket) == wire.identity:
            return True
    except OSError:
        pass
    wire.socket.detach()
    wire.socket = None
    wire.retry_at = time.perf_counter() + wire.pause
    return False


def hang_up():
    _is_ours()
    end, wire.socket = wire.socket, None
    wire.retry_at = time.perf_counter() + wire.pause
    if end is not None:
        try:
            end.close()
        except OSError:
            pass


def after_fork():
    """In the child: the connection belongs to the parent."""
    hang_up()
    wire.retry_at = 0.0
    wire.dropped = 0


def changes(applied):
    """{name: [before, after]} in gputop's format: values as plain JSON."""
    return [dict(name=name, before=json.dumps(pair[0], default=str), after=json.dumps(pair[1], default=str))
            for name, pair in applied.items()]


def refusals(refused):
    return [dict(name=name, reason=reason) for name, reason in refused.items()]


def _send(message):
    if wire.socket is None:
        return
    text = json.dumps(message, separators=(",", ":"), default=str, allow_nan=False).encode()
    if len(text) > LONGEST:
        wire.dropped += 1
        return
    if not _is_ours():
        return
    try:
        wire.socket.send(text, getattr(socket, "MSG_NOSIGNAL", 0))
    except BlockingIOError:
        wire.dropped += 1  # gputop is slow: a report is lost, never a step
    except OSError:
        hang_up()          # gputop is gone: training continues


def _hello():
    torch = sys.modules["torch"]
    return dict(
        kind="hello", proto=PROTOCOL, pid=os.getpid(), ppid=os.getppid(), py=sys.version.split()[0],
        torch=str(torch.__version__), cuda=getattr(torch.version, "cuda", None),
        argv=[str(word)[:200] for word in sys.argv[:20]], start_method=roles.start_method(),
        rank=roles.environment_number("RANK"), local_rank=roles.environment_number("LOCAL_RANK"),
        world=roles.environment_number("WORLD_SIZE"), threads=torch.get_num_threads(),
        overrides=lens.overrides or None)
