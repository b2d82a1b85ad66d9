"""The closed loop: a key applies the demo's advice, the run restarts, and the effect is measured."""
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import eager_advisor  # noqa: E402
import program  # noqa: E402
from screen_program import ScreenTest  # noqa: E402

SIZE = (160, 50)


class ApplyOnTheScreen(ScreenTest):
    def demo(self, *words):
        eager_advisor.write(self.folder)
        self.addCleanup(eager_advisor.leave_nothing, self)
        return self.open("--demo", "--interval", "250ms", *words, size=SIZE, until="Advisor")

    @staticmethod
    def utilization(terminal):
        found = re.search(r"BUSY.*\n.*?(\d+) %", terminal.text())
        return int(found.group(1)) if found else None

    def test_the_example_goes_from_a_fifth_to_nine_tenths_by_pressing_a(self):
        terminal = self.demo()
        terminal.wait(re.compile(r"batch_size 8 → \d+"), "advice", seconds=60)
        self.assertLess(self.utilization(terminal), 35)
        for made in range(1, 4):
            terminal.press("a")
            terminal.wait("Make this change?")
            terminal.press("y")
            terminal.wait_gone("Make this change?")
            terminal.wait("measuring", seconds=40)
            terminal.wait(lambda: len(re.findall(r"% ± \S+ %\)", terminal.text())) >= made, "the verdict", seconds=120)
            if self.utilization(terminal) >= 90:
                break
            terminal.wait(re.compile(r"▶ 1 .*batch_size \d+ → \d+"), "the next advice", seconds=60)
        self.assertGreaterEqual(self.utilization(terminal), 90, terminal.text())
        terminal.stop_run()

    def test_a_change_is_made_measured_and_taken_back(self):
        terminal = self.demo()
        terminal.wait(re.compile(r"batch_size 8 → \d+"), "advice", seconds=90)
        terminal.press("d")
        terminal.wait("What it would change")
        terminal.wait("--batch-size")
        terminal.press("Esc")
        terminal.wait_gone("What it would change")
        terminal.press("a")
        terminal.wait("Make this change?")
        terminal.wait("--batch-size on the command line")
        terminal.wait(re.compile(r"learning_rate 0\.001 → \S+ .*--learning-rate on the command line"), "what becomes of the learning rate")
        terminal.wait("square-root rule for adamw")
        terminal.press("n")
        terminal.wait("nothing was changed")
        terminal.make_change()
        terminal.wait("measuring", seconds=40)
        terminal.wait(re.compile(r"batch size +(16|32|48|64)"), "the new batch", seconds=30)
        terminal.wait(re.compile(r"\+\d+ % ± \S+ %\)"), "the verdict", seconds=90)
        terminal.wait("kept")
        terminal.press("u")
        terminal.wait("Take this change back?")
        terminal.press("y")
        terminal.wait(re.compile(r"taken( back)?"), "taken back", seconds=40)  # it may go on in the next line
        terminal.wait(re.compile("batch size +8 x"), "the run as it was", seconds=40)
        terminal.stop_run()

    def test_of_several_places_one_is_chosen_and_remembered_and_taken_back_among_other_edits(self):
        eager_advisor.write(self.folder)
        self.addCleanup(eager_advisor.leave_nothing, self)
        project = self.folder / "project"
        project.mkdir()
        text = "# {}\nbatch_size: 8   # small\n"
        for name in "ab":
            (project / f"{name}.yaml").write_text(text.format(name))
        script = project / "train.sh"
        script.write_text('#!/bin/sh\nexec "$GPUTOP_BINARY" example --config "$1"\n')
        script.chmod(0o755)
        terminal = self.open("--source", "sim", "--interval", "250ms", "--", script, "a.yaml", "b.yaml", size=SIZE, until="Advisor",
                             cwd=project, GPUTOP_BINARY=program.GPUTOP)
        terminal.wait(re.compile(r"batch_size 8 → \d+"), "advice", seconds=60)
        terminal.press("a")
        terminal.wait("Where?")
        terminal.wait("1 a.yaml:batch_size (line 2) = 8")
        terminal.press("2")
        terminal.wait("Make this change?")
        terminal.wait("2 ▸ b.yaml:batch_size")
        terminal.press("m")
        terminal.wait(".gputop.yaml will remember the place")
        self.assertFalse((project / ".gputop.yaml").exists())
        terminal.press("l")
        terminal.wait("it takes effect at the next launch")
        changed = (project / "b.yaml").read_text()
        self.assertRegex(changed, r"^# b\nbatch_size: (16|32)   # small\n$")
        self.assertEqual(text.format("a"), (project / "a.yaml").read_text())
        self.assertIn("b.yaml:batch_size", (project / ".gputop.yaml").read_text())
        (project / "b.yaml").write_text(changed + "epochs: 60\n")
        terminal.press("u")
        terminal.wait("Take this change back?")
        terminal.press("l")
        terminal.wait("it takes effect at the next launch")
        self.assertEqual(text.format("b") + "epochs: 60\n", (project / "b.yaml").read_text())
        terminal.stop_run()

    def test_a_change_by_key_is_taken_back_by_the_command(self):
        """The change that `a` wrote is in undo's list, and undo reverts it byte for byte, once."""
        eager_advisor.write(self.folder)
        self.addCleanup(eager_advisor.leave_nothing, self)
        project = self.folder / "project"
        project.mkdir()
        before = "# ours\nbatch_size: 8   # small\n"
        (project / "a.yaml").write_text(before)
        script = project / "train.sh"
        script.write_text('#!/bin/sh\nexec "$GPUTOP_BINARY" example --config "$1"\n')
        script.chmod(0o755)
        terminal = self.open("--source", "sim", "--interval", "250ms", "--", script, "a.yaml", size=SIZE, until="Advisor",
                             cwd=project, GPUTOP_BINARY=program.GPUTOP)
        terminal.wait(re.compile(r"batch_size 8 → \d+"), "advice", seconds=60)
        terminal.press("a")
        terminal.wait("Make this change?")
        terminal.click_on("l next launch")  # its button
        terminal.wait("it takes effect at the next launch")
        changed = (project / "a.yaml").read_text()
        self.assertRegex(changed, r"^# ours\nbatch_size: (16|32)   # small\n$")
        terminal.stop_run()

        def undo(*words):
            return subprocess.run([program.GPUTOP, "undo", *words], env=self.environment(), cwd=project, text=True, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)

        listed = undo("--list")
        self.assertEqual(0, listed.returncode, listed.stderr)
        self.assertIn("a.yaml", listed.stdout)
        self.assertEqual(changed, (project / "a.yaml").read_text())
        done = undo("--yes")
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertEqual(before, (project / "a.yaml").read_text())
        again = undo("--yes")
        self.assertNotEqual(0, again.returncode, again.stdout)
        self.assertEqual(before, (project / "a.yaml").read_text())

    def test_the_question_says_what_lies_outside_the_project_and_a_yes_agrees(self):
        eager_advisor.write(self.folder)
        self.addCleanup(eager_advisor.leave_nothing, self)
        project, other = self.folder / "project", self.folder / "other"
        project.mkdir()
        other.mkdir()
        (other / "a.yaml").write_text("batch_size: 8\n")
        (project / "conf").symlink_to(other)
        script = project / "train.sh"
        script.write_text('#!/bin/sh\nexec "$GPUTOP_BINARY" example --config "$1"\n')
        script.chmod(0o755)
        terminal = self.open("--source", "sim", "--interval", "250ms", "--", script, "conf/a.yaml", size=SIZE, until="Advisor",
                             cwd=project, GPUTOP_BINARY=program.GPUTOP)
        terminal.wait(re.compile(r"batch_size 8 → \d+"), "advice", seconds=60)
        terminal.press("a")
        terminal.wait("Make this change?")
        terminal.wait("is outside the project")
        terminal.press("n")
        terminal.wait("nothing was changed")
        self.assertEqual("batch_size: 8\n", (other / "a.yaml").read_text())
        terminal.press("a")
        terminal.wait("is outside the project")
        terminal.press("l")
        terminal.wait("it takes effect at the next launch")
        self.assertNotEqual("batch_size: 8\n", (other / "a.yaml").read_text())
        terminal.stop_run()

    def test_a_demo_that_is_left_goes_on_and_can_be_come_back_to(self):
        terminal = self.demo()
        terminal.press("D")
        self.assertEqual(terminal.wait_end(), 0)
        run = re.search(r"example goes on \(gputop attach (\w+)\)", terminal.text())
        self.assertIsNotNone(run, terminal.text())
        self.assertRegex(self.run_gputop("ls").stdout, rf"{run[1]} +example +running")
        again = self.open("attach", run[1], size=SIZE, until="Advisor")
        again.wait(re.compile(r"step \d+/1000"), "its progress")
        again.stop_run()

    def test_readonly_changes_nothing(self):
        terminal = self.demo("--readonly")
        for key in ("a", "A", "u", "r"):
            terminal.press(key)
            terminal.wait("no changes: gputop runs with --readonly")
            terminal.press("Esc")
            terminal.wait_gone("no changes: gputop")
        for key in ("i", "\x03"):
            terminal.press(key)
            terminal.wait("nothing is sent to the run: gputop runs with --readonly")
            terminal.press("Esc")
            terminal.wait_gone("nothing is sent")
        terminal.press("q")  # there is nothing to ask
        self.assertEqual(0, terminal.wait_end())


if __name__ == "__main__":
    unittest.main()
