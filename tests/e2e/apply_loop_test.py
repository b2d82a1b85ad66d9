"""The closed loop with nobody at the keyboard, and what happens if a change fails."""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import processes
import eager_advisor  # noqa: E402
import program  # noqa: E402
from screen_program import ScreenTest  # noqa: E402

# The simulated run behind a script of its own. From batch 32 on it takes ten times as much as it says: out of memory.
TRAP = """#!/bin/sh
[ -t 0 ] || { read word && echo "$word" >> words; }  # on a screen nobody types
batch=$2
[ "$batch" -ge 32 ] && batch=$((batch * 10))
shift 2
exec "$GPUTOP_BINARY" example --batch-size "$batch" "$@"
"""


class Loop(ScreenTest):
    def setUp(self):
        super().setUp()
        eager_advisor.write(self.folder)
        self.addCleanup(eager_advisor.leave_nothing, self)
        self.recording = self.folder / "run.rec"
        self.script = self.folder / "train.sh"
        self.script.write_text(TRAP)
        self.script.chmod(0o755)
        self.stdin = self.folder / "stdin"
        self.stdin.write_text("first\nsecond\n")

    def environment(self, *words, **more):
        return super().environment(*words, **more, GPUTOP_BINARY=program.GPUTOP)

    def changes(self):
        """The recording's reports about changes, in order."""
        tool = os.environ["GPUTOP_RECORDING_TOOL"]
        lines = subprocess.run([tool, "events", str(self.recording)], capture_output=True, text=True, check=True).stdout.splitlines()
        return [line["event"] for line in map(json.loads, lines) if line["kind"] == "change"]

    def run_until(self, pattern, *words, seconds=150):
        """Runs headless until a line of stderr matches; returns everything on stderr so far."""
        with open(self.stdin) as stdin:
            process = subprocess.Popen([program.GPUTOP, "--headless", "--interval", "250ms", "--record", str(self.recording), *words],
                                       env=self.environment(), text=True, stdin=stdin, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE, cwd=self.folder)
        self.addCleanup(self._end, process)
        return process, self.wait_said(process, pattern, seconds)

    def wait_said(self, process, pattern, seconds=150):
        end, seen = time.monotonic() + seconds, []
        os.set_blocking(process.stderr.fileno(), False)
        while not any(re.search(pattern, line) for line in seen):
            line = process.stderr.readline()
            if line:
                seen.append(line)
            elif process.poll() is not None or time.monotonic() > end:
                self.fail(f"waited in vain for {pattern}:\n" + "".join(seen))
            else:
                time.sleep(0.05)
        return "".join(seen)

    def kill_engine(self):
        engine = next(pid for pid in self.processes_with(str(self.folder))
                      if pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().startswith(b"gputop: engine"))
        processes.send(engine, signal.SIGKILL)

    def stop(self, process):
        process.send_signal(signal.SIGTERM)
        self.assertIn(process.wait(30), (130, 143))

    def test_headless_auto_makes_changes_and_measures_them_though_engines_are_killed(self):
        """One is killed after it has ordered the relaunch, one while it measures: the next continues from the recording."""
        process, said = self.run_until(r"written for the next launch", "--auto", "--max-changes", "1", "--source", "sim", "--",
                                       program.GPUTOP, "example", "--batch-size", "8", "--num-workers", "2")
        time.sleep(0.6)  # it is in the recording
        self.kill_engine()
        said += self.wait_said(process, r"the run was restarted; measuring")
        time.sleep(3)
        self.kill_engine()
        said += self.wait_said(process, r"change: .*, kept")
        self.assertRegex(said, r"change: batch_size 8 → \d+.*: written for the next launch")
        self.assertIn("the run was restarted; measuring", said)
        self.assertRegex(said, r"\+\d+ % ± \S+ % (samples/s|busy), kept")
        self.stop(process)

    def test_headless_auto_takes_an_out_of_memory_back_by_the_estimator(self):
        process, said = self.run_until(r"change: .*, kept", "--auto", "--max-changes", "2", "--source", "sim", "--",
                                       str(self.script), "--batch-size", "8")
        self.assertRegex(said, r"out of memory")
        self.assertRegex(said, r"taken back")
        batch = int(re.search(r"restart with batch_size (\d+)", said).group(1))
        self.assertTrue(8 < batch < 32, batch)
        self.assertIn("measured points", said)
        self.stop(process)
        launches = [event["stage"] for event in self.changes()].count("relaunched") + 1
        self.assertEqual(["first"] * launches, (self.folder / "words").read_text().split(), "each launch has the user's stdin")

    def test_headless_auto_does_not_leave_the_project(self):
        project, other = self.folder / "project", self.folder / "other"
        project.mkdir()
        other.mkdir()
        (other / "a.yaml").write_text("batch_size: 8\n")
        (project / "conf").symlink_to(other)
        script = project / "train.sh"
        script.write_text('#!/bin/sh\nexec "$GPUTOP_BINARY" example --config "$1"\n')
        script.chmod(0o755)
        process, said = self.run_until(r"not made: batch_size 8", "--auto", "--source", "sim", "--", str(script), str(project / "conf/a.yaml"))
        self.assertRegex(said, r"other/a.yaml is outside the project \(\S+\), and --auto stays inside it")
        self.stop(process)
        self.assertEqual("batch_size: 8\n", (other / "a.yaml").read_text())

    def test_headless_auto_keeps_to_its_limits(self):
        process, said = self.run_until(r"advice: .*batch_size 8", "--auto", "--allow", "workers", "--source", "sim", "--",
                                       program.GPUTOP, "example", "--batch-size", "8", "--num-workers", "2")
        time.sleep(3)
        self.stop(process)
        self.assertNotIn("change:", process.stderr.read() or "")

    def test_an_out_of_memory_is_offered_to_be_taken_back_on_the_screen(self):
        terminal = self.open("--source", "sim", "--interval", "250ms", "--record", self.recording, "--",
                             self.script, "--batch-size", "8", size=(160, 50), until="Advisor")
        terminal.wait(re.compile(r"batch_size 8 → 32"), "advice", seconds=60)
        terminal.make_change()
        terminal.wait("The change did not work out", seconds=60)
        terminal.wait("restart with batch_size")
        terminal.press("y")
        terminal.wait(re.compile(r"batch size +(9|[12]\d|3[01]) x"), "a batch that fits", seconds=40)
        terminal.wait("measuring")
        terminal.stop_run()
        stages = [event["stage"] for event in self.changes()]
        self.assertEqual(["written", "relaunched", "failed", "offered", "undone", "written", "relaunched"], stages[:7])

    def test_a_first_launch_out_of_memory_is_started_again_with_a_batch_that_fits(self):
        process, said = self.run_until(r"the run was restarted; measuring", "--auto", "--source", "sim", "--",
                                       program.GPUTOP, "example", "--batch-size", "160")
        self.assertRegex(said, r"out of memory")
        self.assertRegex(said, r"restart with batch_size 120 ")
        self.assertRegex(said, r"change: batch_size 160 → 120: written for the next launch")
        self.stop(process)

    def test_a_first_launch_out_of_memory_is_left_to_the_user_where_auto_may_not(self):
        done = self.run_gputop("--headless", "--auto", "--allow", "workers", "--source", "sim", "--",
                               program.GPUTOP, "example", "--batch-size", "160")
        self.assertEqual((1, False), (done.returncode, "start again" in done.stderr), done.stderr)

    def test_a_first_launch_out_of_memory_is_offered_on_the_screen(self):
        words = ("--source", "sim", "--interval", "250ms", "--", program.GPUTOP, "example", "--batch-size", "160")
        terminal = self.open("--record", self.recording, *words, size=(80, 24), until="The run has failed")
        terminal.wait("restart with batch_size 120")
        terminal.press("y")
        terminal.wait(re.compile(r"batch size +120 x"), "the batch that fits", seconds=40)
        terminal.stop_run()
        self.assertEqual(["offered", "written", "relaunched"], [event["stage"] for event in self.changes()][:3])
        terminal = self.open(*words, size=(80, 24), until="The run has failed")
        terminal.press("n")
        terminal.wait_end(seconds=40)
        # Where nothing may be changed nothing is offered, and the run is over.
        self.open("--readonly", *words, size=(80, 24), until="out of memory").wait_end(seconds=40)

    def test_a_change_that_is_wanted_at_once_waits_until_it_can_be_compared(self):
        """In a run that starts slowly: advice comes with its first steps."""
        eager_advisor.write(self.folder, warm_up=1)
        self.script.write_text('#!/bin/sh\nsleep 20\nexec "$GPUTOP_BINARY" example "$@"\n')
        terminal = self.open("--source", "sim", "--interval", "1s", "--record", self.recording, "--",
                             self.script, "--batch-size", "8", size=(160, 50), until="Advisor")
        terminal.wait(re.compile(r"batch_size 8 → 32"), "advice", seconds=60)
        terminal.make_change()
        terminal.wait("Measuring the run as it is")
        terminal.wait(re.compile(r"by itself in \d+ s"), "a countdown")
        terminal.wait(re.compile(r"\+\d+ % ± \S+ %\)"), "a verdict", seconds=60)
        terminal.wait("kept")
        stages = [event["stage"] for event in self.changes()]
        self.assertEqual(["waiting", "written", "relaunched", "kept"], [stage for i, stage in enumerate(stages) if stage not in stages[:i]])

    def test_usage(self):
        for words, complaint in ((("--auto",), "--auto is for runs"),
                                 (("--auto", "--readonly", "--", "true"), "--readonly forbids that"),
                                 (("--auto", "--allow", "nonsense", "--", "true"), "there is no knob"),
                                 (("--max-changes", "2", "--", "true"), "--auto")):
            done = self.run_gputop(*words)
            self.assertEqual((2, True), (done.returncode, complaint in done.stderr), done.stderr)


if __name__ == "__main__":
    unittest.main()
