"""The screen as a user sees it: in a real pseudo-terminal, read through a terminal emulator."""
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from screen_program import STILL, ScreenTest, moving  # noqa: E402
from terminal import ANSWER, QUESTION  # noqa: E402


class Keys(ScreenTest):
    def test_help_and_setup_open_and_close(self):
        terminal = self.open()
        for key in ("?", "F1", "h"):
            terminal.press(key)
            terminal.wait("this page")
            terminal.press("Esc")
            terminal.wait_gone("this page")
        terminal.press("F2")
        terminal.wait("Temperature in")
        terminal.press("Esc")
        terminal.wait_gone("Temperature in")
        self.quit(terminal)

    def test_panes_are_hidden_and_zoomed(self):
        terminal = self.open(size=(120, 40), until="2 Charts")
        terminal.press("2")
        terminal.wait_gone("2 Charts")
        terminal.press("2")
        terminal.wait("2 Charts")
        terminal.press("z")  # the processes have the focus
        terminal.wait_gone("2 Charts")
        self.assertIn("4 Processes", terminal.text())
        terminal.press("z")
        terminal.wait("2 Charts")
        terminal.press("Tab", "Enter")
        terminal.wait_gone("4 Processes")
        self.quit(terminal)

    def test_charts_zoom_read_out_and_switch(self):
        terminal = self.open(size=(100, 30), until="last 2 min")
        terminal.press("[")
        terminal.wait_gone("last 2 min")
        terminal.press("]")
        terminal.wait("last 2 min")
        terminal.press("Left")
        terminal.wait(re.compile(r"at \d\d:\d\d:\d\d"), "the cursor's time")
        terminal.press("Esc")
        terminal.wait_gone(" at 00:")
        terminal.press("g")
        terminal.wait("of each GPU")
        terminal.press("a")
        terminal.wait_gone("of each GPU")
        terminal.press("Space")
        terminal.wait("PAUSED")
        terminal.press("Space")
        terminal.wait_gone("PAUSED")
        terminal.press("1")  # room for a single chart is at the top then
        first = terminal.wait(re.compile(r"Charts.*\n.*?(busy|memory)")).group(1)
        terminal.press("c")
        terminal.wait(lambda: not re.search(r"Charts.*\n\W*" + first, terminal.text()), "another metric first")
        self.quit(terminal)

    def test_the_theme_changes_colours_and_nothing_else(self):
        terminal = self.open()
        terminal.wait("COMMAND")
        column, row = terminal.find("gputop")
        before = terminal.screen.buffer[row][column].fg
        terminal.press_until("T", lambda: terminal.screen.buffer[row][column].fg != before, "another colour")
        self.assertIn("BUSY", terminal.text())
        self.quit(terminal)


class Processes(ScreenTest):
    def start_process(self, name):
        process = subprocess.Popen([name, "600"], executable="/bin/sleep")
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def scenario(self, *memories):
        return STILL + "".join(f"gpu 0 process {process.pid} memory {memory} sm 45\n" for process, memory in memories)

    @staticmethod
    def order(terminal, *pids):
        """The rows of these PIDs on the screen, from top to bottom."""
        found = (re.match(r"\W*(\d+) ", line) for line in terminal.lines())
        return [int(match.group(1)) for match in found if match and int(match.group(1)) in pids]

    def test_sort_filter_and_tree(self):
        parrot, rabbit = self.start_process("parrot"), self.start_process("rabbit")
        a, b = parrot.pid, rabbit.pid
        terminal = self.open(scenario=self.scenario((parrot, "1GiB"), (rabbit, "3GiB")), size=(160, 40), until=" rabbit ")
        self.assertEqual(self.order(terminal, a, b), [b, a])
        terminal.press("I")
        terminal.wait(lambda: self.order(terminal, a, b) == [a, b], "the reverse order")
        terminal.press("s")
        terminal.wait("Sort by")
        terminal.press("Home", "Enter")  # PID
        terminal.wait_gone("Sort by")
        terminal.wait(re.compile("PID[↓↑]"))
        terminal.click_on("GPU MEM")
        terminal.wait(re.compile("GPU MEM[↓↑]"))
        terminal.press("/")
        terminal.type("parr.t")
        terminal.wait_gone(" rabbit ")
        terminal.press("Enter")
        self.assertEqual(self.order(terminal, a, b), [a])
        terminal.press("Esc")
        terminal.wait(" rabbit ")
        terminal.press("t")
        terminal.wait("tree")
        self.assertEqual(sorted(self.order(terminal, a, b)), sorted([a, b]))
        self.quit(terminal)

    def test_a_signal_is_sent_after_a_yes_only(self):
        process = self.start_process("victim")
        terminal = self.open(scenario=self.scenario((process, "1GiB")), until="victim")
        terminal.press("Down", "K")
        terminal.wait(f"Signal to {process.pid}")
        terminal.press("Enter")
        terminal.wait(re.compile(r"SIGTERM.*\?"))
        terminal.press("n")
        terminal.wait_gone("Signal to")
        self.assertIsNone(process.poll())
        terminal.press("F9")
        terminal.wait(f"Signal to {process.pid}")
        terminal.press("Enter")
        terminal.wait(re.compile(r"SIGTERM.*\?"))
        terminal.press("y")
        self.assertEqual(process.wait(timeout=20), -signal.SIGTERM)
        terminal.wait("sent")
        self.quit(terminal)

    def test_dialogs_are_driven_by_the_mouse(self):
        process = self.start_process("victim")
        terminal = self.open(scenario=self.scenario((process, "1GiB")), size=(120, 40), until="victim")
        terminal.press("F6")
        terminal.wait("Sort by")
        for _ in range(2):  # the first click selects, the next one takes it
            terminal.click_on("who started it")
        terminal.wait(re.compile("USER[↓↑]"))
        terminal.press("F9")
        terminal.wait(f"Signal to {process.pid}")
        for _ in range(2):
            terminal.click_on("interrupt, as Ctrl-C does")
        terminal.wait("Send SIGINT")
        terminal.click_on(" n no ")
        terminal.wait("nothing was sent")
        self.assertIsNone(process.poll())
        terminal.press("F2")
        terminal.wait("Processes as a tree")
        terminal.click_on("Processes as a tree")
        terminal.wait("[x] on", "the checkbox is set")
        terminal.press("Esc")
        terminal.wait_gone("Temperature in")
        terminal.wait("· tree")
        self.quit(terminal)

    def test_help_and_the_filter_line_are_reached_by_the_mouse(self):
        process = self.start_process("victim")
        terminal = self.open(scenario=self.scenario((process, "1GiB")), size=(120, 30), until="victim")
        terminal.click_on("? help", line=-1)
        terminal.wait("lines 1–")
        terminal.mouse(65, 60, 15)
        terminal.wait(re.compile(r"lines [2-9]–"), "the page scrolled by the wheel")
        terminal.click_on("Esc close", line=-1)
        terminal.wait_gone("lines ")
        terminal.click_on("/ filter", line=-1)
        terminal.wait("filter: ")
        terminal.type("nobody")
        terminal.wait_gone(" victim")
        terminal.press("Esc")
        terminal.wait(" victim")
        terminal.click(2, 2)  # the only GPU's row, then the page about it
        terminal.press("Enter")
        terminal.wait("GPU 0")
        terminal.click_on("Esc close", line=-1)
        self.quit(terminal)

    def test_readonly_offers_no_signal(self):
        process = self.start_process("victim")
        terminal = self.open("--readonly", scenario=self.scenario((process, "1GiB")), until="victim")
        terminal.press("Down", "K", "Enter", "y")
        terminal.wait("Command line")  # Enter opens the page about it
        terminal.quiet(0.2)
        self.assertIsNone(process.poll())
        terminal.press("Esc")
        terminal.wait_gone("Command line")
        terminal.press("q")
        self.assertEqual(terminal.wait_end(), 0)

    def test_the_mouse_selects_scrolls_and_sorts(self):
        crowd = [self.start_process(f"member{i}") for i in range(12)]
        terminal = self.open(scenario=self.scenario(*((p, f"{20 - i}GiB") for i, p in enumerate(crowd))), size=(120, 24),
                             until="member0")
        pids = [process.pid for process in crowd]
        shown = self.order(terminal, *pids)
        self.assertLess(len(shown), len(pids), "the test wants a list that does not fit")
        column, row = terminal.find(str(shown[1]))
        terminal.click(column, row)
        terminal.press("K")
        terminal.wait(f"Signal to {shown[1]}")
        terminal.press("Esc")
        terminal.wait_gone("Signal to")
        for _ in range(20):
            terminal.mouse(65, column, row)
        terminal.wait(lambda: pids[-1] in self.order(terminal, *pids), "the end of the list")
        terminal.click_on("PID")
        terminal.wait(re.compile("PID[↓↑]"))
        self.quit(terminal)


class Sizes(ScreenTest):
    def test_every_size_from_one_cell_to_a_wall(self):
        terminal = self.open(size=(80, 24))
        for size in ((1, 1), (40, 12), (2, 50), (200, 50), (1000, 500), (5, 3), (80, 24)):
            terminal.resize(*size)
            if size[0] >= 40:
                terminal.wait(lambda: re.search(r"\b61 ?%", terminal.text()) and re.search(r"\b71 ?%", terminal.text()),
                              f"both GPUs at {size}")
            else:
                terminal.quiet(0.15)
            self.assertIsNone(terminal.poll())
        self.quit(terminal)

    def test_dragging_a_window_is_answered_by_few_frames(self):
        terminal = self.open(size=(100, 30))
        terminal.quiet(0.3)
        before, begun = len(terminal.received), time.monotonic()
        for step in range(60):
            terminal.resize(100 - step % 40, 30 - step % 10)
            terminal.pump(0.01)
        took = time.monotonic() - begun
        terminal.resize(90, 28)
        terminal.wait(lambda: terminal.lines()[27].startswith("╰"), "the last size drawn")
        frames = bytes(terminal.received[before:]).count(b"\x1b[2J")
        self.assertLessEqual(frames, 10 * took + 3)
        self.quit(terminal)

    def test_all_of_64_gpus_can_be_read(self):
        terminal = self.open(scenario=STILL.replace("gpus 2", "gpus 64").replace("61+10i", "10+1i"), size=(200, 50),
                             until=re.compile(r"\b63 \S+ +73 ?%"))
        for gpu in range(64):
            self.assertRegex(terminal.text(), rf"\b{gpu} \S+ +{10 + gpu} ?%")
        self.quit(terminal)


class WaysOut(ScreenTest):
    def test_the_terminal_is_as_it_was(self):
        for how, code in (("q", 0), ("Ctrl-C", 0), (signal.SIGTERM, 0), (signal.SIGHUP, 0), (signal.SIGINT, 0),
                          (signal.SIGSEGV, -signal.SIGSEGV), (signal.SIGABRT, -signal.SIGABRT)):
            with self.subTest(how=how):
                terminal = self.open()
                if how == "q":
                    terminal.press("q")
                elif how == "Ctrl-C":
                    terminal.type("\x03")
                else:
                    terminal.kill(how)
                self.assertEqual(terminal.wait_end(), code)
                self.assert_restored(terminal)

    def test_no_answer_of_the_terminal_is_left_for_the_shell(self):
        # A terminal far away: gputop is told to leave while the answer to its last question is still on the way.
        terminal = self.open("--interval", "100ms", scenario=moving(2))
        terminal.answers = False
        terminal.wait(lambda: terminal.received.find(QUESTION, terminal.answered) >= 0, "another question")
        terminal.press("q")
        terminal.pump(0.2)
        terminal.type(ANSWER)
        self.assertEqual(terminal.wait_end(), 0)
        self.assert_restored(terminal)

    def test_a_closed_terminal_ends_it(self):
        terminal = self.open()
        terminal.hang_up()
        terminal.wait_end(seconds=10)

    def test_stopped_and_continued_it_paints_anew(self):
        terminal = self.open()
        terminal.kill(signal.SIGSTOP)
        os.waitpid(terminal.pid, os.WUNTRACED)
        terminal.screen.reset()
        terminal.kill(signal.SIGCONT)
        terminal.wait("BUSY")
        self.quit(terminal)

    def test_q_leaves_at_once_while_the_driver_hangs(self):
        terminal = self.open(scenario=STILL + "hang nvmlDevice* at 1 for ever\n")
        terminal.wait(re.compile("not answering|does not answer|no answer"))
        begun = time.monotonic()
        terminal.press("q")
        self.assertEqual(terminal.wait_end(), 0)
        self.assertLess(time.monotonic() - begun, 1)
        self.assert_restored(terminal)

    def test_q_leaves_at_once_while_the_driver_starts(self):
        terminal = self.open(scenario="hang nvmlInit* at 0 for ever\n", until="Processes")
        begun = time.monotonic()
        terminal.press("q")
        self.assertEqual(terminal.wait_end(), 0)
        self.assertLess(time.monotonic() - begun, 1)


class Terminals(ScreenTest):
    def test_no_color_sends_no_colour(self):
        terminal = self.open(NO_COLOR="1")
        terminal.press("T")
        terminal.quiet(0.2)
        for code in re.findall(rb"\x1b\[([0-9;]*)m", bytes(terminal.received)):
            for number in code.split(b";"):
                self.assertNotRegex(number, rb"^(3[0-8]|4[0-8]|9[0-7]|10[0-7])$")
        self.quit(terminal)

    def test_a_dumb_terminal_gets_lines(self):
        terminal = self.open("--duration", "1s", until="GPU 0", TERM="dumb")
        self.assertEqual(terminal.wait_end(), 0)
        self.assertNotIn(b"\x1b", bytes(terminal.received))

    def test_without_utf8_only_ascii_is_sent(self):
        terminal = self.open(LANG="C", size=(160, 40))
        terminal.press("F1")
        terminal.wait("this page")
        terminal.press("Esc")
        terminal.wait_gone("this page")
        self.quit(terminal)
        self.assertEqual([byte for byte in terminal.received if byte >= 0x80], [])

    def test_plain_terminals_show_the_same(self):
        for kind in ("linux", "screen", "tmux-256color", "vt100"):
            with self.subTest(TERM=kind):
                self.quit(self.open(TERM=kind))


class Quiet(ScreenTest):
    def test_an_unchanged_screen_sends_nothing(self):
        terminal = self.open("--interval", "100ms", scenario=STILL, size=(60, 8))
        terminal.press("3", "4", "5", "2")  # the host, its processes and a chart's time change, the GPUs' readings do not
        terminal.wait_gone("Host")
        terminal.quiet(0.5)
        self.assertEqual(terminal.pump(3), b"")
        self.quit(terminal)


class Settings(ScreenTest):
    def config(self, text):
        path = self.folder / ".config" / "gputop" / "config.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def test_setup_is_saved_and_comments_stay(self):
        path = self.config("# mine\ntheme: nord  # cold\n\n# keep me\ntemperature: celsius\n")
        terminal = self.open()
        terminal.press("F2")
        terminal.wait("nord")
        terminal.press("Right")
        terminal.wait_gone("nord")
        terminal.press("Esc")
        terminal.wait("settings saved")
        text = path.read_text()
        for comment in ("# mine", "# cold", "# keep me"):
            self.assertIn(comment, text)
        self.assertNotIn("nord", text)
        self.quit(terminal)
        self.assertIn("theme:", text)

    def test_settings_are_written_where_there_were_none(self):
        terminal = self.open()
        terminal.press("F2")
        terminal.wait("Temperature in")
        terminal.press("Right", "Esc")
        terminal.wait("settings saved")
        self.assertIn("theme:", (self.folder / ".config" / "gputop" / "config.yaml").read_text())
        self.quit(terminal)

    def test_a_bad_setting_is_named_with_its_line(self):
        self.config("theme: nord\ninterval: fast\n")
        terminal = self.open(size=(140, 30), until="config.yaml:2")
        self.assertIn("interval", terminal.text())
        terminal.wait("BUSY")  # the default is used
        self.quit(terminal)

    def test_a_theme_that_is_not_there_is_said_with_its_place(self):
        self.config("# mine\ntheme: nrod\n")
        terminal = self.open(size=(140, 30), until='config.yaml:2: theme: no theme is called "nrod"')
        terminal.press("F2")
        terminal.wait(re.compile(r"Theme +. default ."))  # what is used instead
        terminal.wait("Temperature in")
        terminal.press("Esc")
        terminal.wait_gone("Temperature in")
        self.quit(terminal)

    def test_a_theme_is_a_file(self):
        source = pathlib.Path(os.environ["GPUTOP_SOURCE"]) / "themes" / "default.yaml"
        theme = self.folder / "mine.yaml"
        theme.write_text(re.sub(r"(?m)^title:.*$", 'title: "#123456"', source.read_text()))
        terminal = self.open("--theme", theme, COLORTERM="truecolor")
        column, row = terminal.find("gputop")
        self.assertEqual(terminal.screen.buffer[row][column].fg, "123456")
        self.quit(terminal)


class BadDays(ScreenTest):
    def test_a_gpu_that_is_unplugged_is_said_to_be_lost(self):
        terminal = self.open(scenario=STILL + "gpu 1 lost from 1\n", size=(120, 40))
        terminal.wait(re.compile("1 .*LOST"))
        self.assertIn("BUSY", terminal.text())
        self.quit(terminal)

    def test_without_a_driver_the_reason_is_shown_and_the_host_too(self):
        terminal = self.open(scenario="error nvmlInit* driver_not_loaded\n", until="driver", size=(120, 40))
        self.assertRegex(terminal.text(), "not loaded")
        self.assertIn("CPU", terminal.text())
        self.quit(terminal)

    def test_nothing_simulated_is_shown_unmarked(self):
        terminal = self.open("--source", "sim", scenario=None, until="SIMULATED", size=(30, 6))
        self.quit(terminal)

    def test_a_thin_line_shows_the_newest_and_does_not_lag(self):
        """2 kB/s and a frame every 100 ms: more than fits. The picture must stay close to the present."""
        terminal = self.open("--interval", "100ms", scenario=moving(4), size=(80, 24), until=None)
        begun, lags = time.monotonic(), []
        while (passed := time.monotonic() - begun) < 10:
            terminal.trickle(max(1, int(2000 * passed) - len(terminal.received)))
            time.sleep(0.02)
            if match := re.search(r"(\d\d):(\d\d):(\d\d)", terminal.lines()[0]):
                lags.append(passed - int(match.group(2)) * 60 - int(match.group(3)))
        self.assertLess(max(lags[len(lags) // 2:]), 5, "seconds behind, first to last: " + str(lags[::20]))


if __name__ == "__main__":
    unittest.main()
