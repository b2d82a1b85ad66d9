"""A slow loader gets workers by pressing a: through a flag, a YAML, LightningCLI's YAML, a constant, and the lens where the script has
no place for it. The change is measured and kept; a run that is told to goes on from its checkpoint."""
import pathlib
import re
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import eager_advisor  # noqa: E402
from framework_run import PYTHON, SCRIPTS, FrameworkTest  # noqa: E402
from program import GPUTOP  # noqa: E402
from terminal import Terminal  # noqa: E402

TRAINER = ("--output_dir", "out", "--report_to", "none", "--use_cpu", "--per_device_train_batch_size", "8", "--max_steps", "100000",
           "--logging_steps", "10", "--save_strategy", "no")


class Apply(FrameworkTest):
    def start(self, *words, saved=None):
        """Up to the question; not before the run has saved such a file."""
        home = self.job.parent
        eager_advisor.write(home)
        self.addCleanup(eager_advisor.leave_nothing, self)
        words = [GPUTOP, "--source", "sim:idle", "--interval", "500ms", "--", *words]
        terminal = Terminal(list(map(str, words)), self.job_environment(self.job), 160, 50, cwd=self.job)
        self.addCleanup(terminal.close)
        self.workers = terminal.wait(re.compile(r"workers 0 → (\d+)"), "advice", seconds=120).group(1)
        end = time.monotonic() + 120
        while saved and not list(self.job.glob(saved)):
            self.assertLess(time.monotonic(), end, f"no {saved}")
            time.sleep(0.2)
        terminal.press("a")
        terminal.wait("Make this change?")
        return terminal

    def finish(self, terminal, place, then=""):
        """`then`: what the run says when it was started again."""
        terminal.wait(place)
        terminal.press("y")
        terminal.wait(re.compile(then), "the run's own word", seconds=90)
        terminal.wait("measuring", seconds=90)
        gain = terminal.wait(re.compile(r"\+(\d+) % ± \S+ %"), "the verdict", seconds=200)
        terminal.wait("kept")
        self.assertTrue(20 <= int(gain.group(1)) <= 150, gain.group(0))  # half of the time was waiting
        terminal.stop_run()

    def changed(self, name, before, after):
        """The file differs by that and nothing else."""
        self.assertEqual((SCRIPTS / name).read_text().replace(before, after), (self.job / name).read_text())

    def test_through_a_flag(self):
        terminal = self.start(PYTHON, "hf.py", "--slow", *TRAINER, "--dataloader_num_workers", "0")
        self.finish(terminal, "--dataloader_num_workers on the command line")

    def test_through_a_yaml_and_on_from_the_checkpoint(self):
        terminal = self.start(PYTHON, "hf.py", "--slow", "hf.yaml", saved="out/checkpoint-*/trainer_state.json")
        terminal.wait("resume_from_checkpoint: out/checkpoint-")
        self.finish(terminal, "dataloader_num_workers", then=r"begins at step [1-9]\d*")
        text = (self.job / "hf.yaml").read_text()
        self.assertIn(f"dataloader_num_workers: {self.workers}   # the main process reads", text)
        self.assertRegex(text, r"resume_from_checkpoint: \S*out/checkpoint-\d+")

    def test_through_the_yaml_of_lightnings_cli(self):
        terminal = self.start(PYTHON, "lit.py", "fit", "--config", "lit.yaml", "--trainer.max_epochs", "10000", "--data.fetch", "10",
                              "--model.compute", "70")
        self.finish(terminal, "data.num_workers")
        self.changed("lit.yaml", "num_workers: 0 ", f"num_workers: {self.workers} ")

    def test_through_a_constant(self):
        terminal = self.start(PYTHON, "slow.py")
        self.finish(terminal, "NUM_WORKERS")
        self.changed("slow.py", "NUM_WORKERS = 0", f"NUM_WORKERS = {self.workers}")

    def test_through_the_lens(self):
        script = self.job / "slow.py"
        script.write_text(script.read_text().replace("NUM_WORKERS = 0  # the main process reads\n", "").replace(", num_workers=NUM_WORKERS", ""))
        terminal = self.start(PYTHON, "slow.py")
        self.finish(terminal, "workers in the running process")


if __name__ == "__main__":
    unittest.main()
