"""Former defects that show only in the running program: leaving the demo with D, its why page, its question; the theme."""
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import eager_advisor  # noqa: E402
import program  # noqa: E402
from screen_program import STILL, ScreenTest  # noqa: E402
from terminal import BACKGROUND, Terminal  # noqa: E402

LIGHT, DARK = "rgb:ffff/ffff/ffff", "rgb:1e1e/1e1e/1e1e"


class TheDemo(ScreenTest):
    def setUp(self):
        super().setUp()
        self.runtime = {"GPUTOP_RUNTIME_DIR": str(self.folder / "runtime")}
        eager_advisor.write(self.folder)
        self.addCleanup(eager_advisor.leave_nothing, self)

    def demo(self):
        return self.open("--demo", "--interval", "250ms", size=(160, 50), until="Advisor", **self.runtime)

    def test_goes_on_when_it_is_left_by_D_and_can_be_attached_to(self):
        terminal = self.demo()
        terminal.wait(re.compile(r"step \d+/1000"), "its first steps")
        terminal.press("D")
        self.assertEqual(0, terminal.wait_end())
        terminal.quiet(0.1)
        self.assertIn("gputop attach", terminal.text())
        listed = self.run_gputop("ls", **self.runtime).stdout
        self.assertRegex(listed, r"example.*running|running.*example")
        again = self.open("attach", "example", size=(160, 50), until="RUNNING", **self.runtime)
        again.wait(re.compile(r"step \d+/1000"), "its steps")
        again.stop_run()

    def test_why_counts_its_two_workers_and_the_question_knows_its_optimizer(self):
        terminal = self.demo()
        terminal.wait(re.compile(r"batch_size 8 → \d+"), "advice", seconds=90)
        terminal.press("w")
        terminal.wait("What to do")
        terminal.press("End")
        terminal.wait(re.compile(r"workers 2\b"), "its workers")
        self.assertNotRegex(terminal.text(), r"\bworkers 0\b")
        terminal.press("Esc")
        terminal.wait_gone("Why")
        terminal.press("a")
        terminal.wait("Make this change?")
        terminal.wait("square-root rule for adamw")
        self.assertNotIn("no learning rate was found", terminal.text())
        self.assertNotIn("optimizer is not known", terminal.text())
        self.assertNotIn("argv:", terminal.text())
        terminal.press("n")
        terminal.stop_run()


class TheBackground(ScreenTest):
    def shown(self, background, *words, **more):
        terminal = Terminal([program.GPUTOP, *words], self.environment(STILL, **more), 100, 30, background=background)
        self.addCleanup(terminal.close)
        terminal.wait("BUSY")
        return terminal

    @staticmethod
    def colors(terminal):
        """Parts of the table's head and of a bar that never depend on the machine's state."""
        return [terminal.screen.buffer[row][column].fg for row, column in ((1, 2), (2, 6), (3, 6))]

    def test_a_light_one_gets_the_light_theme_a_dark_one_the_default(self):
        wanted = self.colors(self.shown(None, "--theme", "light"))
        usual = self.colors(self.shown(None, "--theme", "default"))
        self.assertNotEqual(wanted, usual)
        light = self.shown(LIGHT)
        light.wait(lambda: self.colors(light) == wanted, "the light theme")
        dark = self.shown(DARK)
        dark.quiet(1.2)
        self.assertEqual(usual, self.colors(dark))
        for terminal in (light, dark):
            self.quit(terminal)

    def test_it_is_not_asked_where_a_theme_was_chosen_or_the_console_might_show_it(self):
        for words, more in ((("--theme", "nord"), {}), ((), {"TERM": "linux"}), ((), {"NO_COLOR": "1"})):
            with self.subTest(words=words, more=more):
                terminal = self.shown(LIGHT, *words, **more)
                terminal.quiet(0.3)
                self.assertNotIn(BACKGROUND, terminal.received)
                self.quit(terminal)

    def test_an_answer_is_never_left_for_the_shell(self):
        for _ in range(5):
            terminal = Terminal([program.GPUTOP], self.environment(STILL), 100, 30, background=LIGHT)
            self.addCleanup(terminal.close)
            terminal.wait(lambda: BACKGROUND in terminal.received, "the question")
            self.quit(terminal)


class WhatADriverPrints(ScreenTest):
    def test_is_not_seen_on_the_screen_but_when_it_is_left(self):
        terminal = self.open(scenario="nonsense\n", until="NVML did not start")  # the fake complains on stderr
        terminal.quiet()
        self.assertTrue(terminal.lines()[0].startswith("╭"), terminal.text())
        self.assertNotIn("fake NVML", terminal.text())
        self.quit(terminal)
        self.assertIn("fake NVML", terminal.text())


if __name__ == "__main__":
    unittest.main()
