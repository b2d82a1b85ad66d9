"""Typing and pasting into a run: everything arrives unchanged, and at the right job."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from whole_run import WholeRun  # noqa: E402

ECHOES = "while True: print('READ', repr(input('> ')), flush=True)"
# The first job reads nothing; the second one asks, in words that its command line, which the question shows, has not.
ASKS_SECOND = """
import os, sys, time
if os.path.exists("{dir}/second"):
    print("READ", repr(input("delete" + " all? ")), flush=True)
else:
    open("{dir}/second", "w").close()
    print("ready", flush=True)
time.sleep(60)
"""


def pasted_lines_stay_lines():
    run = WholeRun()
    terminal = run.open(sys.executable, "-c", ECHOES, options=("--no-lens",))
    terminal.wait("> ")
    terminal.press("i")
    terminal.wait("typing")
    terminal.type("\x1b[200~first line\rsecond\tline\r\x03\x1b[201~")
    terminal.wait("READ 'first line'")
    terminal.wait(r"READ 'second\tline'")
    terminal.type("\x1d")
    terminal.wait_gone("typing")
    return run, terminal


def what_was_typed_to_one_job_is_not_read_by_the_next():
    run = WholeRun()
    terminal = run.open(sys.executable, "-c", ASKS_SECOND.replace("{dir}", str(run.dir)), options=("--no-lens",))
    terminal.wait("ready")
    terminal.press("i")
    terminal.wait("typing")
    terminal.type("yes\r")
    terminal.wait("yes")  # echoed: the job's terminal has it
    terminal.type("\x1d")
    terminal.wait_gone("typing")
    terminal.press("r")
    terminal.wait("Restart the run?")
    terminal.press("y")
    terminal.wait("delete all?")
    terminal.press("i")
    terminal.wait("typing")
    terminal.type("no\r")
    terminal.wait("READ '")
    assert "READ 'no'" in terminal.text(), terminal.text()
    terminal.type("\x1d")
    terminal.wait_gone("typing")
    return run, terminal


for case in (pasted_lines_stay_lines, what_was_typed_to_one_job_is_not_read_by_the_next):
    run, terminal = case()
    terminal.stop_run()
    run.wait_end()
    left = run.close()
    assert not left, f"{case.__name__} left behind: {left}"
