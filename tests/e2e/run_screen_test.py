"""A run on the screen as a user uses it: typing into it, its debugger, copying, several viewers, leaving and coming back."""
import os
import pathlib
import re
import signal
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import processes
from terminal import ALTERNATE_SCREEN, QUESTION  # noqa: E402
from whole_run import GPUTOP, WholeRun  # noqa: E402

ASKS = """
name = input("who is there? ")
print("hello", name)
batch = 48
breakpoint()
print("after the debugger")
import os, sys, time
while not os.path.exists(sys.argv[1]): time.sleep(0.05)
sys.exit(3)
"""


class OnTheScreen(unittest.TestCase):
    def setUp(self):
        self.run_ = WholeRun()
        self.addCleanup(self.run_.close)

    def copied(self):
        path = self.run_.dir / ".config" / "gputop" / "copied.txt"
        return path.read_text() if path.exists() else None

    def test_input_and_pdb_at_both_sizes(self):
        for size in ((200, 50), (80, 24)):
            with self.subTest(size=size):
                run = WholeRun()
                self.addCleanup(run.close)
                script = run.dir / "asks.py"
                script.write_text(ASKS)
                terminal = run.open(sys.executable, str(script), "{dir}/enough", size=size, until="who is there?")
                terminal.press("i")
                terminal.wait("typing")
                terminal.type("Grüße\r")
                terminal.wait("hello Grüße")
                terminal.wait("(Pdb)")
                terminal.type("p batch + 1\r")
                terminal.wait(re.compile(r"^.?49\b", re.M))
                terminal.type("n\r")  # a key of gputop's, too: it goes to the debugger
                terminal.wait("after the debugger")
                terminal.type("c\r")
                terminal.type("\x1d")
                terminal.wait_gone("typing —")
                (run.dir / "enough").touch()
                self.assertEqual(3, terminal.wait_end())
                terminal.quiet(0.1)
                self.assertTrue(terminal.restored(), terminal.complaints())
                self.assertIn("exited with code 3", terminal.text())
                run.wait_end()

    def test_the_job_sees_its_pane_from_its_first_moment_on(self):
        for size in ((200, 50), (80, 24)):
            with self.subTest(size=size):
                run = WholeRun()
                self.addCleanup(run.close)
                terminal = run.open("sh", "-c", "stty size > {dir}/first; echo ready; exec sleep 60", size=size, until="ready")
                terminal.quiet()
                pane = os.open(f"/proc/{run.pid('job')}/fd/0", os.O_RDWR | os.O_NOCTTY)
                self.addCleanup(os.close, pane)
                rows, columns = map(int, (run.dir / "first").read_text().split())
                shown = os.get_terminal_size(pane)
                self.assertEqual(columns, shown.columns)
                self.assertLess(columns, size[0])
                self.assertAlmostEqual(rows, shown.lines, delta=2)  # a GPU may need more or less than was thought
                run.gputop("stop")
                run.wait_end()

    def test_a_late_answer_of_the_terminal_is_not_typed_into_the_shell(self):
        def asked():
            return terminal.received.count(QUESTION) > 0
        ends = {"a signal": lambda: terminal.kill(signal.SIGTERM), "D": lambda: terminal.press("D"),
                "^Z": lambda: terminal.kill(signal.SIGTSTP), "the end": lambda: processes.send(run.pid("job"), signal.SIGKILL)}
        for name, end in ends.items():
            with self.subTest(name):
                run = WholeRun()
                self.addCleanup(run.close)
                terminal = run.open("sleep", "60", until=None, answers=1.4 if name == "the end" else 0.3)
                terminal.wait(asked, "a question")  # which is not answered yet
                end()
                terminal.wait(lambda: terminal.received.find(ALTERNATE_SCREEN[1]) > 0, "the terminal to be left")
                left = terminal.received.find(ALTERNATE_SCREEN[1])
                answers = sum(after <= left for after in terminal.answered_after)
                self.assertEqual(terminal.received.count(QUESTION, 0, left), answers, "left before all was answered")
                if name == "^Z":  # without a shell the kernel does not stop it: it is there again
                    terminal.kill(signal.SIGTERM)
                terminal.wait_end()
                while terminal.owed:
                    terminal.pump(0.05)
                self.assertEqual([], terminal.complaints())
                run.gputop("stop")
                run.wait_end()

    def test_lines_are_marked_and_copied_live_and_in_the_replay(self):
        run = self.run_
        terminal = run.open("sh", "-c", "seq 1000 1400; exec sleep 60")
        terminal.wait(re.compile(r"^.1400 ", re.M))
        terminal.press("v", "Up", "Up", "y")
        terminal.wait(lambda: self.copied() == "1399\n1400\n", "the marked lines to be copied")  # the last line, which is empty, is none
        terminal.press("/")
        terminal.type("1234")
        terminal.press("Enter")
        terminal.wait("1234")
        terminal.press("v", "y")
        terminal.wait(lambda: self.copied() == "1234\n", "the marked lines to be copied")
        self.assertEqual(0, run.gputop("stop", run.record()["id"]).returncode)
        terminal.wait_end()
        run.wait_end()
        replay = run.on_terminal([GPUTOP, "replay", "--speed", "1000", str(run.recording)])
        replay.wait(re.compile(r"^.1400 ", re.M))
        replay.press("/")
        replay.type("1111")
        replay.press("Enter")
        replay.wait("1111")
        replay.press("v", "y")
        replay.wait(lambda: self.copied() == "1111\n", "the marked lines to be copied")

    def test_two_viewers_one_leaves_the_other_sees_the_end(self):
        run = self.run_
        first = run.open("sh", "-c", "echo to be seen; while [ ! -e {dir}/enough ]; do sleep 0.05; done; exit 5", size=(120, 40),
                         until="to be seen")
        second = run.attach(size=(80, 24), until="to be seen")
        first.press("D")
        self.assertEqual(0, first.wait_end())
        first.quiet(0.1)
        self.assertIn("detached", first.text())
        listed = run.gputop("ls").stdout
        self.assertIn("running", listed)
        self.assertIn(run.record()["id"], listed)
        third = run.attach(size=(100, 30), until="to be seen")
        (run.dir / "enough").touch()
        for viewer in (second, third):
            self.assertEqual(5, viewer.wait_end())
            viewer.quiet(0.1)
            self.assertIn("exited with code 5", viewer.text())
        run.wait_end()
        self.assertEqual("no runs (--all also lists finished ones)\n", run.gputop("ls").stdout)


if __name__ == "__main__":
    unittest.main()
