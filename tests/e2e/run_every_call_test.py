"""Every system call of gputop's start fails once, in the starter, the keeper and the engine, headless and on a terminal: the
job runs to its end and its exit code is passed on, or the start is refused with the reason. Nothing hangs, crashes or is left
behind. One errno for each call in turn; GPUTOP_EVERY_CALL=1 takes all of them at every call."""
import concurrent.futures
import errno
import itertools
import os
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from sanitized import SANITIZERS  # noqa: E402
from terminal import Terminal  # noqa: E402
from whole_run import WholeRun  # noqa: E402

FAULTS = os.environ["GPUTOP_FAULTS"]
THOROUGH = os.environ.get("GPUTOP_EVERY_CALL") == "1"
MOST = 1000  # more than a start has
JOB = ("sh", "-c", "echo printed; exit 7")
REFUSED = (1, 125, 126)

NO_DESCRIPTOR = (errno.EMFILE, errno.ENFILE, errno.ENOMEM)
NO_FILE = (errno.EACCES, errno.EMFILE, errno.ENOSPC, errno.ENOENT)
CALLS = {
    "open": NO_FILE, "openat": NO_FILE, "fopen": NO_FILE, "mkdir": (errno.EACCES, errno.ENOSPC, errno.EROFS),
    "rename": (errno.ENOSPC, errno.EACCES), "stat": (errno.EACCES,), "lstat": (errno.EACCES,), "fstat": (errno.EIO,),
    "readlink": (errno.EACCES,), "chmod": (errno.EPERM,),
    "socket": NO_DESCRIPTOR, "socketpair": NO_DESCRIPTOR, "bind": (errno.EACCES, errno.ENOSPC, errno.EADDRINUSE),
    "listen": (errno.ENOMEM,), "connect": (errno.EAGAIN, errno.ECONNREFUSED), "accept4": NO_DESCRIPTOR,
    "getsockopt": (errno.ENOMEM,), "setsockopt": (errno.ENOMEM,), "sendmsg": (errno.EAGAIN, errno.ENOMEM), "recvmsg": (errno.EAGAIN,),
    "pipe": NO_DESCRIPTOR, "pipe2": NO_DESCRIPTOR, "eventfd": NO_DESCRIPTOR, "epoll_create": NO_DESCRIPTOR,
    "epoll_create1": NO_DESCRIPTOR, "epoll_ctl": (errno.ENOMEM, errno.ENOSPC), "timerfd_create": NO_DESCRIPTOR,
    "signalfd": NO_DESCRIPTOR, "dup": (errno.EMFILE,), "dup2": (errno.EMFILE,),
    "fcntl": (errno.EMFILE,), "ioctl": (errno.ENOMEM,), "prctl": (errno.EINVAL,),
    "memfd_create": NO_DESCRIPTOR, "ftruncate": (errno.ENOSPC, errno.EFBIG), "ftruncate64": (errno.ENOSPC,), "mmap": (errno.ENOMEM,),
    "fork": (errno.EAGAIN, errno.ENOMEM), "execve": (errno.ENOMEM, errno.EACCES), "pthread_create": (errno.EAGAIN,),
    "setsid": (errno.EPERM,), "posix_openpt": (errno.ENOSPC, errno.EMFILE), "grantpt": (errno.EACCES,), "unlockpt": (errno.EIO,),
    "ptsname_r": (errno.ENOTTY,), "tcgetattr": (errno.EIO,), "tcsetattr": (errno.EIO,), "flock": (errno.ENOLCK, errno.EWOULDBLOCK),
    "read": (errno.EIO, errno.EINTR), "write": (errno.ENOSPC, errno.EINTR), "pread64": (errno.EIO,), "pwrite64": (errno.ENOSPC,),
    "poll": (errno.ENOMEM, errno.EINTR),
}


class Outcome(Exception):
    pass


def headless(run, env):
    done = subprocess.run(run.words(*JOB), env=env, capture_output=True, text=True, timeout=40, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout == "printed\n", done.stdout == "", done.stderr


def on_terminal(run, env):
    terminal = Terminal(run.words(*JOB), env, 90, 26)
    run.terminals.append(terminal)
    code = terminal.wait_end(40)
    terminal.quiet(0.05)
    said = bytes(terminal.received).decode(errors="replace")
    wrong = [what for what in terminal.complaints() if "would read" not in what]  # this terminal answers late when the machine is busy
    if wrong:
        raise Outcome(f"the terminal is not as it was: {wrong}")
    return code, "printed" in said, "printed" not in said, said


def attempt(way, role, call, number, code):
    """True: the call failed without harm. False: there are not so many calls."""
    run = WholeRun()
    mark = run.dir / "mark"
    env = {**run.env, "LD_PRELOAD": FAULTS, "FAULT": f"{role}:{call}:{number}:{code}", "FAULT_MARK": str(mark)}
    try:
        status, printed, nothing, said = way(run, env)
        ran = status == 7 and printed
        refused = status in REFUSED and nothing and "gputop" in said
        # Headless, what the user's own stdout refuses is lost there, and that is said.
        ran = ran or status == 7 and "could not be written" in said
        # Whoever takes the job's output for the user may be the one that fails: it is said, and the job has run.
        # A terminal that cannot be read is gone, and the run goes on without it.
        unseen = way is on_terminal and (status in (1, 7) and "gputop" in said or status == 0 and "the run continues" in said)
        if not (ran or refused or unseen):
            raise Outcome(f"exit code {status}, said {said[-600:]!r}")
        run.wait_end(20)
        happened = mark.exists()
    except BaseException:
        run.close()
        raise
    left = run.close()
    if left:
        raise Outcome(f"left behind: {left}")
    return happened


def walk(way, role, call):
    codes = itertools.cycle(CALLS[call])
    done = 0
    for number in range(1, MOST + 1):
        for code in CALLS[call] if THOROUGH else [next(codes)]:
            try:
                if not attempt(way, role, call, number, code):
                    return done
            except Exception as problem:  # noqa: BLE001 – whatever it was, it is about this call
                raise AssertionError(f"{way.__name__}, {role}: call {number} of {call} fails with {errno.errorcode[code]}: {problem}") from problem
            done += 1
    return done


def main():
    chosen = sys.argv[1:]  # WAY, ROLE, CALL or ROLE:CALL, to look closer
    walks = [(way, role, call) for way in (headless, on_terminal) for role in ("starter", "keeper", "engine") for call in CALLS
             if all(word in (way.__name__, role, call, f"{role}:{call}") for word in chosen)]
    problems, total, begin = [], 0, time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("GPUTOP_JOBS", "8"))) as pool:
        for future in [pool.submit(walk, *one) for one in walks]:
            try:
                total += future.result()
            except AssertionError as problem:
                problems.append(str(problem))
                print(problem, flush=True)
    print(f"{total} calls failed once each, in {time.monotonic() - begin:.0f} s")
    assert total > (0 if chosen else 200), "hardly anything failed: is the library in place?"
    assert not problems, f"{len(problems)} of them went wrong"


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if SANITIZERS:
        print(f"not checked, because this is a build with -fsanitize={SANITIZERS}, which has calls of its own in between")
    else:
        main()
