"""Where runs are started without a terminal of their own: nohup, cron, srun, torchrun, pipes, CI. The job's stdout and stderr
come out byte for byte, gputop stays in the foreground, and an engine of another version says so."""
import pathlib
import signal
import socket
import struct
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import processes
import run_jobs  # noqa: E402
from whole_run import GPUTOP, WholeRun  # noqa: E402

# Bytes that no line discipline or text layer would leave alone.
JOB = ("sh", "-c", "printf 'out\\0\\377\\r\\n'; printf 'err\\n' >&2; exit 7")
OUT, ERR, CODE = b"out\0\xff\r\n", b"err\n", 7


def check(run, done):
    assert done.stdout == OUT, done
    assert done.stderr.startswith(ERR) and b"gputop: sh exited with code 7" in done.stderr, done.stderr
    assert done.returncode == CODE, done
    run.wait_end()


def in_a_pipe():
    run = WholeRun()
    check(run, subprocess.run(run.words(*JOB), env=run.env, capture_output=True, timeout=60))
    return run


def without_stdin():
    run = WholeRun()
    check(run, subprocess.run(["sh", "-c", '"$@" <&-', "sh", *run.words(*JOB)], env=run.env, capture_output=True, timeout=60))
    return run


def under_nohup():
    run = WholeRun()
    process = subprocess.Popen(["nohup", *run.words("sh", "-c", "echo ready; sleep 1; echo still here; exit 7")], env=run.env,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, start_new_session=True)
    assert process.stdout.readline() == b"ready\n"
    processes.send_group(process.pid, signal.SIGHUP)  # the shell it was started from is closed
    out, _ = process.communicate(timeout=30)
    assert (out, process.returncode) == (b"still here\n", 7), (out, process.returncode)
    run.wait_end()
    return run


def under_cron():
    """No TERM, no HOME, no XDG_RUNTIME_DIR: the job runs, and gputop says that it is not recorded."""
    run = WholeRun()
    env = {"PATH": "/usr/bin:/bin", "LOGNAME": "user", "SHELL": "/bin/sh", "RUN_MARK": str(run.dir)}
    done = subprocess.run([GPUTOP, "--source", "sim:idle", "--", *JOB], env=env, capture_output=True, timeout=60, cwd="/",
                          stdin=subprocess.DEVNULL)
    assert (done.stdout, done.returncode) == (OUT, CODE), done
    assert b"not recorded" in done.stderr, done.stderr
    return run


def in_ci():
    """A terminal, but CI=true: no screen."""
    run = WholeRun()
    terminal = run.on_terminal(run.words("sh", "-c", "echo printed; exit 7"), until=None, CI="true")
    assert terminal.wait_end(30) == 7
    assert b"\x1b[?1049h" not in bytes(terminal.received) and "printed" in terminal.text()
    run.wait_end()
    return run


def under_srun():
    """Of several ranks at one terminal, only the first has a screen; the others are in the foreground, as their jobs would be."""
    for variable in ("SLURM_PROCID", "RANK"):
        for number, screen in (("0", True), ("3", False)):
            run = WholeRun()
            terminal = run.on_terminal(run.words("sh", "-c", "echo printed $PPID; sleep 1; exit 7"), until=None, **{variable: number})
            if not screen:
                terminal.wait("printed")
                assert f"printed {terminal.pid}" in terminal.text(), "the job is not gputop's own child"
            assert terminal.wait_end(30) == 7, terminal.text()
            assert (b"\x1b[?1049h" in bytes(terminal.received)) == screen, (variable, number)
            run.wait_end()
            left = run.close()
            assert not left, left
    return WholeRun()


def two_ranks_record_apart():
    run = WholeRun()
    ranks = [subprocess.Popen([GPUTOP, "--source", "sim:idle", "--", *JOB], env={**run.env, "RANK": rank, "WORLD_SIZE": "2"},
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) for rank in ("0", "1")]
    for process in ranks:
        out, errors = process.communicate(timeout=60)
        assert (out, process.returncode) == (OUT, CODE), (out, errors)
        assert b"recorded in" in errors, errors
    assert len(list((run.dir / ".local/state/gputop/runs").iterdir())) == 2
    run.wait_end()
    return run


def message(kind, body):
    return struct.pack("<BI", kind, len(body)) + body


def text(words):
    return struct.pack("<I", len(words)) + words


def another_version_is_refused_with_the_reason():
    run = WholeRun()
    terminal = run.open("sh", "-c", "echo ready; exec sleep 60")
    terminal.wait("ready")
    path = str(run_jobs.wait_for(lambda: list(run.root.glob("*/socket")), "the socket")[0])
    client = socket.socket(socket.AF_UNIX)
    client.connect(path)
    client.sendall(message(1, struct.pack("<HHHBBBB", 99, 80, 24, 0, 1, 0, 0) + text(b"9.9.9")))
    answer = b""
    while chunk := client.recv(4096):
        answer += chunk
    assert answer[0] == 18 and b"9.9.9" in answer and b"use the gputop that started the run" in answer, answer
    client.close()
    # What is no message at all is sent away, too, and hurts nobody.
    client = socket.socket(socket.AF_UNIX)
    client.connect(path)
    client.sendall(b"GET / HTTP/1.1\r\n\r\n" * 100)
    try:
        while client.recv(4096):
            pass
    except ConnectionResetError:
        pass
    client.close()
    terminal.press("D")
    assert terminal.wait_end() == 0
    second = run.attach()
    second.press("D")
    assert second.wait_end() == 0
    assert run.gputop("stop").returncode == 0
    run.wait_end()
    return run


def an_engine_that_refuses():
    """attach prints what the engine says, and leaves the terminal as it was."""
    run = WholeRun()
    terminal = run.open("sh", "-c", "echo ready; exec sleep 60")
    terminal.wait("ready")
    path = run_jobs.wait_for(lambda: list(run.root.glob("*/socket")), "the socket")[0]
    terminal.press("D")
    assert terminal.wait_end() == 0
    # Another stands in the engine's place. Nobody may replace that meanwhile: its keeper would after a few seconds.
    stopped = [run.engines()[-1], *(run.pid(who) for who in ("keeper", "holder", "spare"))]
    for pid in stopped:
        processes.send(pid, signal.SIGSTOP)
    path.unlink()
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(path))
    server.listen()
    second = run.on_terminal([GPUTOP, "attach"], until=None)
    peer, _ = server.accept()
    peer.recv(4096)
    peer.sendall(message(18, bytes([2, 1]) + text(b"this engine is of another age")))
    assert second.wait_end() == 1
    assert "this engine is of another age" in second.text(), second.text()
    assert second.restored(), second.complaints()
    peer.close()
    server.close()
    processes.send(run.pid("job"), signal.SIGKILL)
    for pid in stopped:
        processes.send(pid, signal.SIGCONT)
    run.wait_end()
    return run


for test in (in_a_pipe, without_stdin, under_nohup, under_cron, in_ci, under_srun, two_ranks_record_apart,
             another_version_is_refused_with_the_reason, an_engine_that_refuses):
    run = test()
    left = run.close()
    assert not left, f"{test.__name__}: left behind: {left}"
    print("ok", test.__name__, flush=True)
