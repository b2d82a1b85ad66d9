"""Viewers at the edges: in the background of a shell, before an engine that does not answer, with a size nobody has."""
import array
import os
import pathlib
import pty
import signal
import socket
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import run_jobs  # noqa: E402
from sanitized import check_memory  # noqa: E402
from whole_run import GPUTOP, WholeRun  # noqa: E402

MB = 1 << 20


def in_the_background():
    """`gputop -- CMD &`: the prompt stays whole, the job runs, fg brings the screen up."""
    run = WholeRun()
    words = " ".join(run.words("sh", "-c", f"'touch {run.dir}/runs; while :; do sleep 0.1; done'", options=("--no-lens",)))
    terminal = run.on_terminal(["bash", "--norc", "--noprofile", "-i"], until=None, PS1="PROMPT> ")
    terminal.wait("PROMPT>")
    terminal.type(f"{words} &\r")
    terminal.wait("goes on in the background")
    run_jobs.wait_for(lambda: (run.dir / "runs").exists(), "the job")
    terminal.type("\rjobs -s | wc -l\r")
    terminal.wait("\n1 ")  # the shell knows that it is stopped
    assert b"\x1b[?1049h" not in terminal.received and b"\x1b[?1002h" not in terminal.received, bytes(terminal.received)
    # Continued in the background it does not come up, neither.
    terminal.type("bg >/dev/null; until jobs -s | grep -q .; do sleep 0.05; done; echo stopped again | tr a-z A-Z\r")
    terminal.wait("STOPPED AGAIN")
    assert b"\x1b[?1049h" not in terminal.received, bytes(terminal.received)
    terminal.type("fg\r")
    terminal.wait("GPU 0")
    terminal.press("D")
    terminal.wait(lambda: b"\x1b[?1049l" in terminal.received, "the screen to be left")
    terminal.type("echo '<'$((40+2))'>'; stty -a | grep -o ' icanon'; exit\r")
    terminal.wait("<42>")
    terminal.wait_end()
    run.gputop("stop")
    run.wait_end()
    return run


def engine_does_not_answer():
    """A stopped engine says nothing to a new viewer: its keys leave it all the same, and the run goes on."""
    run = WholeRun()
    terminal = run.open("sh", "-c", "echo ready; exec sleep 300", options=("--no-lens",))
    terminal.wait("ready")
    terminal.press("D")
    assert terminal.wait_end() == 0
    for key in ("q", "D", "\x03"):
        engine = run.engines()[-1]
        os.kill(engine, signal.SIGSTOP)
        try:
            terminal = run.on_terminal([GPUTOP, "attach"], until=None)
            terminal.wait(lambda: b"\x1b[?1049h" in terminal.received, "the screen to be taken")
            terminal.press(key)
            assert terminal.wait_end() == 1, key
            assert "engine does not answer; the run goes on" in terminal.text(), terminal.text()
            assert terminal.restored(), terminal.complaints()
        finally:
            os.kill(engine, signal.SIGCONT)
    assert run.gputop("ls").stdout.count("running") == 1
    # One that answers, if late, is not left by what was typed too early.
    engine = run.engines()[-1]
    os.kill(engine, signal.SIGSTOP)
    terminal = run.on_terminal([GPUTOP, "attach"], until=None)
    terminal.wait(lambda: b"\x1b[?1049h" in terminal.received, "the screen to be taken")
    terminal.press("q")
    os.kill(engine, signal.SIGCONT)
    terminal.wait("Detach or stop?")
    terminal.press("s")
    terminal.wait_end()
    run.wait_end()
    return run


def a_size_nobody_has():
    run = WholeRun()
    terminal = run.open("sh", "-c", "echo ready; exec sleep 300", options=("--no-lens",))
    terminal.wait("ready")
    engine = run.engines()[-1]
    master, slave = pty.openpty()
    with socket.socket(socket.AF_UNIX) as viewer:
        viewer.connect(str(next(run.root.glob("*/socket"))))
        hello = struct.pack("<HHHBBBBI", 1, 6000, 6000, 0, 1, 0, 0, 1) + b"x"
        descriptor = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [slave]))]
        viewer.sendmsg([struct.pack("<BI", 1, len(hello)) + hello], descriptor)
        assert os.read(master, 1), "nothing was drawn"  # so the frame has been made
        peak = next(int(line.split()[1]) // 1024 for line in pathlib.Path(f"/proc/{engine}/status").read_text().splitlines()
                    if line.startswith("VmHWM"))
    os.close(master)
    os.close(slave)
    assert run.engines() == [engine], "the engine was replaced"
    check_memory("the engine", peak * MB, 200 * MB)
    terminal.stop_run()
    run.wait_end()
    return run


for case in (in_the_background, engine_does_not_answer, a_size_nobody_has):
    left = case().close()
    assert not left, f"{case.__name__} left behind: {left}"
