"""The search reaches output that scrolled away long ago, while the run goes on and in its replay; scrolling does, too."""
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import processes
from sanitized import check_memory  # noqa: E402
from whole_run import GPUTOP, WholeRun  # noqa: E402

# 60,000 lines, most of which nobody can scroll back to; two needles and two errors among them, then a slow end.
JOB = """
import os, sys, time
for i in range(60000):
    if i == 1500: print("early needle in line 1500")
    if i == 1600: print("ValueError: the first of all", i)
    if i == 30000: print("\\x1b[32mnee\\x1b[0mdle in the middle")
    if i == 59900: print("RuntimeError: a late one")
    print("this is line", i)
sys.stdout.flush()
end = time.monotonic() + 60
while not os.path.exists(sys.argv[1]) and time.monotonic() < end:
    print("still here", flush=True)
    time.sleep(0.2)
"""


class Search(unittest.TestCase):
    def setUp(self):
        self.run_ = WholeRun()
        self.addCleanup(self.run_.close)

    def find(self, terminal, text):
        terminal.press("/")
        terminal.type(text)
        terminal.press("Enter")

    def look_around(self, terminal):
        """From a screen that shows the newest output, with its pane focused."""
        self.find(terminal, "needle")
        terminal.wait("needle in the middle")
        terminal.wait("this is line 29999")
        terminal.wait("this is line 30001")
        terminal.wait("recorded 00:00:")
        terminal.press("N")
        terminal.wait("early needle in line 1500")
        terminal.wait("this is line 1499")
        terminal.press("N")
        terminal.wait("there is no other")
        terminal.press("n")
        terminal.wait("needle in the middle")
        terminal.press("PageUp")
        terminal.wait_gone("needle in the middle")
        terminal.press("PageDown")
        terminal.wait("needle in the middle")
        terminal.press("End")
        terminal.wait("still here")
        terminal.wait_gone("recorded 00:00:")
        terminal.press("Esc")
        terminal.pump(0.3)  # an e right behind it would be Alt-e
        terminal.press("e")
        terminal.wait("ValueError: the first of all")
        terminal.press("e")
        terminal.wait("RuntimeError: a late one")
        terminal.press("End")
        self.find(terminal, "nowhere to be found")
        terminal.wait("not in the output: nowhere to be found")
        terminal.press("Home")
        terminal.wait(re.compile(r"this is line 0\b"))
        terminal.press("PageUp")
        terminal.wait("the output begins here")
        terminal.press("End")
        terminal.wait("still here")

    def test_live_then_in_the_replay(self):
        run = self.run_
        for size in ((200, 50), (80, 24)):
            terminal = run.open(sys.executable, "-c", JOB, "{dir}/enough", size=size) if size[0] == 200 else run.attach(size=size)
            terminal.wait("still here")
            with self.subTest(size=size):
                self.look_around(terminal)
            terminal.press("D")
            self.assertEqual(0, terminal.wait_end())
        (run.dir / "enough").touch()
        run.wait_end()
        replay = run.on_terminal([GPUTOP, "replay", "--speed", "1000", str(run.recording)], (120, 40))
        replay.wait("still here")
        replay.wait("the recording ends here")
        self.look_around(replay)
        replay.press("q")
        self.assertEqual(0, replay.wait_end())

    def test_what_an_earlier_engine_recorded_is_found_too(self):
        run = self.run_
        terminal = run.open(sys.executable, "-c", JOB, "{dir}/enough")
        terminal.wait("still here")
        killed = run.engines()[-1]
        processes.send(killed, 9)
        terminal.wait(lambda: run.engines() not in ([], [killed]), "another engine")
        terminal.pump(2)
        terminal.wait("still here")
        self.find(terminal, "early needle")
        terminal.wait("early needle in line 1500")
        (run.dir / "enough").touch()
        self.assertEqual(0, terminal.wait_end())

    def test_memory_stays_bounded_and_the_job_goes_on(self):
        run = self.run_
        terminal = run.flood(8, size=(100, 30))
        terminal.pump(3)
        engine = run.engines()[-1]
        peak = 0
        for _ in range(6):
            self.find(terminal, "000000000100 xxx")
            terminal.wait(lambda: "recorded" in terminal.text() or "in the output" in terminal.text(), "an answer")
            peak = max(peak, run.rss(engine))
            terminal.press("End")
        check_memory("the engine that searches", peak, 96 << 20)
        self.assertLess(run.flood_report()["longest_gap"], 1)
        terminal.wait_end(30)
        run.check_flood()


class Scrollback(unittest.TestCase):
    def setUp(self):
        self.run_ = WholeRun()
        self.addCleanup(self.run_.close)
        self.config = self.run_.dir / ".config" / "gputop" / "config.yaml"
        self.config.parent.mkdir(parents=True)

    def test_is_as_long_as_the_configuration_says_and_f2_changes_it(self):
        self.config.write_text("scrollback: 200\n")
        terminal = self.run_.open("sh", "-c", "seq 5000; echo 'all' 'printed'; exec sleep 60", size=(100, 40))
        terminal.wait("all printed")
        pages = 0
        while "recorded 00:00" not in terminal.text():
            terminal.press("PageUp")
            terminal.pump(0.2)
            pages += 1
            self.assertLess(pages, 60)
        self.assertGreater(pages, 5)
        terminal.press("End")
        terminal.press("F2")
        terminal.wait("200 lines")
        terminal.press_until("Down", lambda: "← 200 lines" in terminal.text())
        terminal.press("Right")
        terminal.wait("← 500 lines")
        terminal.press("Esc")
        terminal.wait("settings saved")
        self.assertEqual("scrollback: 500\n", self.config.read_text())

    def test_a_bad_value_is_said_with_file_and_line(self):
        self.config.write_text("mouse: true\nscrollback: many\n")
        terminal = self.run_.open("sleep", "60", until="config.yaml:2: scrollback:")
        self.assertIn("is not a number of lines", terminal.text())


if __name__ == "__main__":
    unittest.main()
