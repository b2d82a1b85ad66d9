"""A run on the screen as a user uses it: typing into it, its debugger, copying, several viewers, leaving and coming back."""
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
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
        return (self.run_.dir / ".config" / "gputop" / "copied.txt").read_text()

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

    def test_lines_are_marked_and_copied_live_and_in_the_replay(self):
        run = self.run_
        terminal = run.open("sh", "-c", "seq 1000 1400; exec sleep 60")
        terminal.wait(re.compile(r"^.1400 ", re.M))
        terminal.press("v", "Up", "Up", "y")
        terminal.wait("copied to")
        self.assertEqual("1399\n1400\n", self.copied())  # the last line, which is empty, is none
        terminal.press("/")
        terminal.type("1234")
        terminal.press("Enter")
        terminal.wait("1234")
        terminal.press("v", "y")
        terminal.wait("copied to")
        self.assertEqual("1234\n", self.copied())
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
        replay.wait("copied to")
        self.assertEqual("1111\n", self.copied())

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
        self.assertEqual("no runs\n", run.gputop("ls").stdout)


if __name__ == "__main__":
    unittest.main()
