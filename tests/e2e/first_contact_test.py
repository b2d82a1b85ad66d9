"""gputop on a machine that has nothing: no GPU, no driver, a dumb terminal of 40 columns, LANG=C, a HOME that cannot be written to
or none at all. It says why there is nothing to see, what works all the same, and the next step, gputop --demo."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from terminal import Terminal  # noqa: E402

GPUTOP = os.environ["GPUTOP"]
ABSENT = tempfile.TemporaryDirectory()  # what root's gputop makes below it goes with it
HOMES = {"that cannot be written to": {"HOME": "/proc"}, "that is not there": {"HOME": f"{ABSENT.name}/home"}, "not set": {}}
BARE = {"PATH": os.environ["PATH"], "LANG": "C", "TERM": "dumb", "COLUMNS": "40"}


def run(*words, **env):
    return subprocess.run([GPUTOP, "--source", "nvml", *words], env={**BARE, **env}, capture_output=True, text=True, timeout=60,
                          stdin=subprocess.DEVNULL)


class FirstContact(unittest.TestCase):
    def test_says_why_and_what_to_do_next(self):
        for home, env in HOMES.items():
            for words in (["--duration", "3s"], ["snapshot"]):
                with self.subTest(home, words=words):
                    done = run(*words, **env)
                    self.assertEqual(0, done.returncode, done.stderr)
                    self.assertEqual(1, done.stdout.count("no GPU"), done.stdout)
                    self.assertIn("host", done.stdout)
                    self.assertEqual(1, done.stderr.count("gputop --demo"), done.stderr)

    def test_a_dumb_terminal_gets_lines_and_each_reason_once(self):
        terminal = Terminal([GPUTOP, "--source", "nvml"], {**BARE, "HOME": "/proc"}, 40, 24)
        self.addCleanup(terminal.close)
        terminal.wait(lambda: terminal.received.count(b"host  cpu") >= 3, "three readings")
        self.assertEqual(1, terminal.received.count(b"no GPU: "), terminal.received)
        self.assertEqual(1, terminal.received.count(b"gputop --demo"), terminal.received)
        self.assertNotIn(b"\x1b", terminal.received)  # nothing that it could not show
        terminal.type("\x03")
        self.assertEqual(0, terminal.wait_end())

    def test_the_screen_names_the_next_step(self):
        for columns, rows in ((40, 24), (80, 24), (200, 50)):
            for home, env in HOMES.items():
                with self.subTest(columns=columns, home=home):
                    terminal = Terminal([GPUTOP, "--source", "nvml"], {**BARE, "TERM": "xterm", **env}, columns, rows)
                    self.addCleanup(terminal.close)
                    terminal.wait("no GPU: ")
                    terminal.wait("gputop --demo")
                    self.assertTrue(terminal.text().isascii(), terminal.text())  # LANG=C
                    terminal.press("q")
                    self.assertEqual(0, terminal.wait_end())

    def test_the_demo_runs_there(self):
        for home, env in HOMES.items():
            with self.subTest(home):
                terminal = Terminal([GPUTOP, "--demo"], {**BARE, "TERM": "xterm", **env}, 40, 24)
                self.addCleanup(terminal.close)
                terminal.wait("SIMULATED")
                terminal.wait("epoch")
                terminal.stop_run()

    def test_what_is_for_programs_stays_so(self):
        done = run("snapshot", "--json")
        self.assertEqual("", done.stderr)

    def test_the_next_step_works_there(self):
        for home, env in HOMES.items():
            with self.subTest(home):
                done = subprocess.run([GPUTOP, "snapshot", "--source", "sim"], env={**BARE, **env}, capture_output=True, text=True,
                                      timeout=60, stdin=subprocess.DEVNULL)
                self.assertEqual(0, done.returncode, done.stderr)
                self.assertNotIn("gputop --demo", done.stderr)


if __name__ == "__main__":
    unittest.main()
