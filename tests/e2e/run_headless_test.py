"""Headless: the job's stdout and stderr byte for byte, its exit code, its signals, as without gputop."""
import atexit
import hashlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import processes
import run_jobs  # noqa: E402


class Headless:
    """A headless run's folders; argv() is its command."""

    def __init__(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="run_test."))
        atexit.register(self.close)  # also after a failure
        self.root = self.dir / "root"
        self.root.mkdir(mode=0o700)

    def argv(self, *command, options=()):
        return [run_jobs.TOOL, "--pipes", *options, "--out", str(self.dir), "--root", str(self.root), "--", *command]

    def end(self):
        return json.loads(run_jobs.wait_for(lambda: (self.dir / "end").exists() and (self.dir / "end").read_text(), "end"))

    close = run_jobs.Run.close


def run(*command, **more):
    here = Headless()
    result = subprocess.run(here.argv(*command), capture_output=True, timeout=60, **more)
    return here, result


def separate_and_exact():
    here, result = run("sh", "-c", "printf 'out\\0\\377\\r\\n'; printf 'err\\0\\n' >&2; exit 3")
    assert (result.stdout, result.stderr, result.returncode) == (b"out\0\xff\r\n", b"err\0\n", 3), result
    assert (here.dir / "stream0").read_bytes() == result.stdout and (here.dir / "stream1").read_bytes() == result.stderr
    assert not list(here.root.iterdir()), "the run's files are still there"
    return here


def a_hundred_megabytes():
    here, result = run(sys.executable, "-c", "import os, random\nrandom.seed(1)\nblock = random.randbytes(1 << 20)\n"
                       "for i in range(100): os.write(1, block[i:] + block[:i])")
    import random
    random.seed(1)
    block = random.randbytes(1 << 20)
    expected = hashlib.sha256()
    for i in range(100):
        expected.update(block[i:] + block[:i])
    assert result.returncode == 0 and hashlib.sha256(result.stdout).digest() == expected.digest(), len(result.stdout)
    return here


def exit_codes():
    for command, code in (("exit 0", 0), ("exit 255", 255), ("kill -9 $$", 137), ("kill -SEGV $$", 139)):
        here, result = run("sh", "-c", command)
        assert result.returncode == code, (command, result)
        here.close()
    here, result = run("/no/such/program")
    assert result.returncode == 127 and b"/no/such/program" in result.stderr, result
    assert not list(here.root.iterdir())
    return here


def stdin_is_the_users_own():
    here, result = run("cat", input=b"a\0b\n" * 100000)
    assert result.stdout == b"a\0b\n" * 100000
    return here


def closed_descriptors_stay_closed():
    here = Headless()
    script = "for fd in 0 1 2; do [ -e /proc/$$/fd/$fd ] && echo open $fd || echo closed $fd; done > $0; echo x; exit 4"
    for redirect, closed in (("<&-", 0), (">&-", 1), ("2>&-", 2)):
        target = here.dir / f"closed{closed}"
        words = here.argv("sh", "-c", script, str(target))
        code = subprocess.run(["sh", "-c", f'"$@" {redirect}', "sh", *words], capture_output=True).returncode
        lines = target.read_text().split("\n")
        expected = [f"{'closed' if fd == closed else 'open'} {fd}" for fd in range(3)]
        if closed == 1:
            expected[1] = "open 1"  # the redirection of the report itself
        assert code == 4 and lines[:3] == expected, (redirect, code, lines)
    return here


def broken_pipe_reaches_the_job():
    """`gputop -- yes | head`: yes dies of SIGPIPE; one that ignores it gets EPIPE."""
    for ignore, code in ((False, 141), (True, 1)):
        here = Headless()
        job = f"import os, signal\nsignal.signal(signal.SIGPIPE, signal.{'SIG_IGN' if ignore else 'SIG_DFL'})\n"
        job += "while True: os.write(1, b'y' * 1000)"
        words = here.argv(sys.executable, "-c", job)
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert process.stdout.read(100) == b"y" * 100
        process.stdout.close()
        errors = process.stderr.read()
        assert process.wait(20) == code, (process.returncode, errors)
        assert ignore == (b"BrokenPipeError" in errors), errors
        process.stderr.close()
        left = here.close()
        assert not left, left
    return Headless()


def slow_reader_slows_the_job_and_loses_nothing():
    here = Headless()
    process = subprocess.Popen(here.argv("sh", "-c", "head -c 2000000 /dev/zero; touch $0", str(here.dir / "printed")),
                               stdout=subprocess.PIPE)
    time.sleep(0.5)
    assert not (here.dir / "printed").exists(), "2 MB went into a pipe nobody reads"
    assert len(process.stdout.read()) == 2000000 and process.wait(20) == 0
    process.stdout.close()
    return here


def stderr_flows_while_stdout_is_stuck():
    here = Headless()
    process = subprocess.Popen(here.argv("sh", "-c", "head -c 1000000 /dev/zero & echo still here >&2; wait"),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stderr.readline() == b"still here\n"
    process.stdout.read()
    process.wait(20)
    process.stdout.close()
    process.stderr.close()
    return here


def socket_as_stdout():
    here = Headless()
    ours, theirs = socket.socketpair()
    process = subprocess.Popen(here.argv("sh", "-c", "head -c 1000000 /dev/zero"), stdout=theirs)
    theirs.close()
    total = 0
    while got := len(ours.recv(65536)):
        total += got
    assert total == 1000000 and process.wait(20) == 0
    ours.close()
    return here


def full_disk_does_not_end_the_job():
    here = Headless()
    with open("/dev/full", "w") as full:
        code = subprocess.run(here.argv("sh", "-c", "echo a; sleep 0.1; echo b; exit 6"), stdout=full).returncode
    assert code == 6 and here.end()["discarded"] == 4, here.end()
    return here


def signals_reach_the_job():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1):
        here = Headless()
        job = "import signal, sys, time\n"
        job += f"signal.signal({int(number)}, lambda *a: (print('caught', flush=True), sys.exit(5)))\n"
        job += "print('ready', flush=True)\nwhile True: time.sleep(1)"
        process = subprocess.Popen(here.argv(sys.executable, "-c", job), stdout=subprocess.PIPE)
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(number)
        assert process.stdout.read() == b"caught\n" and process.wait(20) == 5, (number, process.returncode)
        process.stdout.close()
        left = here.close()
        assert not left, left
    return Headless()


COUNTS_INTERRUPTS = ("import signal, time\nn = 0\ndef f(*a):\n  global n; n += 1\nsignal.signal(signal.SIGINT, f)\n"
                     "print('ready', flush=True)\nend = time.time() + 1.5\nwhile time.time() < end: time.sleep(0.01)\nprint(n)")


def interrupted_as_a_group(before):
    """A headless job that counts SIGINTs; its group gets one after before(its leader's pid)."""
    here = Headless()
    process = subprocess.Popen(here.argv(sys.executable, "-c", COUNTS_INTERRUPTS), stdout=subprocess.PIPE, start_new_session=True)
    assert process.stdout.readline() == b"ready\n"
    before(process.pid)
    processes.send_group(process.pid, signal.SIGINT)
    said = process.stdout.read()
    assert said == b"1\n", said
    process.wait(20)
    process.stdout.close()
    return here


def a_signal_to_the_group_arrives_once():
    return interrupted_as_a_group(lambda _: time.sleep(0.2))


def a_keeper_that_passes_a_signal_on_late_does_not_repeat_it():
    def starve(leader):  # as one that gets no processor; the holder continues it after a moment
        keeper, = run_jobs.wait_for(lambda: processes.named("gputop-keeper", leader), "the keeper")
        processes.send(keeper, signal.SIGSTOP)
    return interrupted_as_a_group(starve)


def same_group_and_session():
    here = Headless()
    process = subprocess.Popen(here.argv(sys.executable, "-c", "import os; print(os.getpgrp(), os.getsid(0), os.getppid())"),
                               stdout=subprocess.PIPE, start_new_session=True)
    assert process.stdout.read().split() == [str(process.pid).encode()] * 3
    process.wait(20)
    process.stdout.close()
    return here


def a_daemon_that_goes_on_printing():
    """The caller gets its exit code at once, the daemon's later output still arrives."""
    here = Headless()
    process = subprocess.Popen(here.argv("sh", "-c", "(sleep 1; echo late) & echo soon; exit 2"), stdout=subprocess.PIPE)
    start = time.monotonic()
    assert process.stdout.readline() == b"soon\n"
    assert process.wait(20) == 2
    waited = time.monotonic() - start
    assert process.stdout.read() == b"late\n"
    assert waited < 0.9, f"the end of the job was told {waited:.1f} s late"
    process.stdout.close()
    return here


def a_stuck_engine_costs_nothing():
    """More output than the ring holds, an engine that does not read, and a daemon that keeps the pipe open."""
    here = Headless()
    process = subprocess.Popen(here.argv("sh", "-c", "sleep 1; head -c 5000000 /dev/zero; sleep 3 & exit 3", options=("--ring", "1")),
                               stdout=subprocess.PIPE)
    engine = run_jobs.wait_for(lambda: run_jobs.Run.engines(here), "an engine")[-1]
    processes.send(engine, signal.SIGSTOP)
    assert len(process.stdout.read(5000000)) == 5000000
    start = time.monotonic()
    assert process.wait(20) == 3
    assert time.monotonic() - start < 10
    process.stdout.read()
    process.stdout.close()
    return here


def killed_engine_and_keeper():
    """An engine killed -9 changes nothing; if the keeper is killed soon after, a new one continues to copy."""
    here = Headless()
    process = subprocess.Popen(here.argv("sh", "-c", "for i in 1 2 3 4 5 6 7 8 9 10; do echo $i; sleep 0.2; done"),
                               stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"1\n"
    first = run_jobs.wait_for(lambda: run_jobs.Run.engines(here), "an engine")[-1]
    processes.send(first, signal.SIGKILL)
    run_jobs.wait_for(lambda: run_jobs.Run.engines(here)[-1] != first, "another engine")
    process.kill()
    process.wait(20)
    assert process.stdout.read() == b"".join(b"%d\n" % i for i in range(2, 11))
    assert here.end()["exit_code"] is None
    process.stdout.close()
    return here


TESTS = (separate_and_exact, a_hundred_megabytes, exit_codes, stdin_is_the_users_own, closed_descriptors_stay_closed,
         broken_pipe_reaches_the_job, slow_reader_slows_the_job_and_loses_nothing, stderr_flows_while_stdout_is_stuck,
         socket_as_stdout, full_disk_does_not_end_the_job, signals_reach_the_job, a_signal_to_the_group_arrives_once,
         a_keeper_that_passes_a_signal_on_late_does_not_repeat_it,
         same_group_and_session, a_daemon_that_goes_on_printing, a_stuck_engine_costs_nothing, killed_engine_and_keeper)
for test in TESTS:
    here = test()
    time.sleep(0.05)
    left = here.close()
    assert not left, f"{test.__name__}: left behind: {left}"
    print(f"ok {test.__name__}", flush=True)
