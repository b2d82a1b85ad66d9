"""Viewers in unusual places: in the background of a shell, and with absurd sizes."""
import array
import os
import pathlib
import pty
import select
import socket
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import run_jobs  # noqa: E402
from sanitized import check_memory  # noqa: E402
from whole_run import WholeRun  # noqa: E402

MB = 1 << 20


def in_the_background():
    """`gputop -- CMD &`: the prompt stays whole, the job runs, fg brings the screen up."""
    run = WholeRun()
    words = " ".join(run.words("sh", "-c", f"'touch {run.dir}/runs; while :; do sleep 0.1; done'", options=("--no-lens",)))
    terminal = run.on_terminal(["bash", "--norc", "--noprofile", "-i"], until=None, PS1="PROMPT> ")
    terminal.wait("PROMPT>")
    terminal.type(f"{words} &\r")
    terminal.wait("continues in the background")
    run_jobs.wait_for(lambda: (run.dir / "runs").exists(), "the job")
    terminal.type("\rjobs -s | wc -l\r")
    terminal.wait("\n1 ")  # the shell knows that it is stopped
    assert b"\x1b[?1049h" not in terminal.received and b"\x1b[?1002h" not in terminal.received, bytes(terminal.received)
    # Continued in the background it does not come up, neither.
    terminal.type("bg >/dev/null; until jobs -s | grep -q .; do sleep 0.05; done; echo stopped again | tr a-z A-Z\r")
    terminal.wait("STOPPED AGAIN")
    assert b"\x1b[?1049h" not in terminal.received, bytes(terminal.received)
    terminal.type("fg\r")
    terminal.wait("BUSY")
    terminal.press("D")
    terminal.wait(lambda: b"\x1b[?1049l" in terminal.received, "the screen to be left")
    terminal.type("echo '<'$((40+2))'>'; stty -a | grep -o ' icanon'; exit\r")
    terminal.wait("<42>")
    terminal.wait_end()
    run.gputop("stop")
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
        drawn = 0
        while drawn < 5000:  # then the first frame has been made
            assert select.select([master], [], [], 20)[0], f"only {drawn} bytes were drawn"
            drawn += len(os.read(master, 4096))
        peak = next(int(line.split()[1]) // 1024 for line in pathlib.Path(f"/proc/{engine}/status").read_text().splitlines()
                    if line.startswith("VmHWM"))
    os.close(master)
    os.close(slave)
    assert run.engines() == [engine], "the engine was replaced"
    check_memory("the engine", peak * MB, 200 * MB)
    terminal.stop_run()
    run.wait_end()
    return run


for case in (in_the_background, a_size_nobody_has):
    left = case().close()
    assert not left, f"{case.__name__} left behind: {left}"
