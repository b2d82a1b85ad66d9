"""What holds a run up is found, and a run that nothing holds up is left in peace."""
import json
import pathlib
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from framework_run import PYTHON, FrameworkTest  # noqa: E402
from program import GPUTOP  # noqa: E402

LONG_ENOUGH = ("--epochs", "3", "--batches", "350")  # to be past the warm-up


class Bottlenecks(FrameworkTest):
    def verdict(self, *words, source):
        watched = self.watched(*words, source=source)
        self.assertEqual(0, watched.code, watched.stderr[-2000:])
        return watched

    def test_a_slow_loader(self):
        seen = self.verdict(PYTHON, "plain.py", "--fetch", "4", "--compute", "10", "--epochs", "2", "--batches", "180", source="sim:idle")
        self.assertEqual("input_wait", seen.report["bottleneck"])
        self.assertTrue({"input_disk_bound", "input_cpu_bound"} & set(seen.advice()), seen.advice())
        self.assertNotIn("small_batch", seen.advice())

    def test_a_slow_loader_in_lightning(self):
        seen = self.verdict(PYTHON, "lit.py", "fit", "--config", "lit.yaml", "--trainer.max_epochs", "8", source="sim:idle")
        self.assertEqual("input_wait", seen.report["bottleneck"])
        self.assertTrue({"input_disk_bound", "input_cpu_bound"} & set(seen.advice()), seen.advice())

    def test_kernels_that_are_too_small(self):
        seen = self.verdict(PYTHON, "plain.py", *LONG_ENOUGH, source="sim:small_batch")
        self.assertEqual("host", seen.report["bottleneck"])
        self.assertIn("small_batch", seen.advice())

    def test_checkpoints_that_take_more_time_than_training(self):
        seen = self.verdict(PYTHON, "plain.py", "--save-every", "10", "--save-time", "0.3", "--epochs", "2", "--batches", "350",
                            source="sim:small_batch")
        self.assertEqual("validation", seen.report["bottleneck"])
        pauses = next(finding for finding in seen.report["advice"] if finding["id"] == "pauses")
        self.assertIn("checkpoints", pauses["title"])
        self.assertNotIn("small_batch", seen.advice())

    def test_nothing_wrong_is_said_of_a_healthy_run(self):
        seen = self.verdict(PYTHON, "plain.py", "--workers", "2", *LONG_ENOUGH, source="sim:healthy")
        self.assertEqual("gpu_compute", seen.report["bottleneck"])
        self.assertEqual([], [finding["id"] for finding in seen.report["advice"] if finding["severity"] != "info"])
        self.assertEqual([], [finding["id"] for finding in seen.report["advice"]
                              if finding["expected_speedup"] and finding["expected_speedup"][1] < 1.02])

    def test_a_run_that_stands_still_is_stalled_and_nothing_of_it_stays(self):
        settings = self.folder / "watched" / ".config" / "gputop"
        settings.mkdir(parents=True)
        (settings / "advisor.yaml").write_text("thresholds:\n  still: 12\n")
        recording = self.folder / "run.gputop"
        job = subprocess.Popen([GPUTOP, "--headless", "--source", "sim:small_batch", "--record", recording, "--", PYTHON, "plain.py", "--workers", "2",
                                "--epochs", "1", "--batches", "900", "--stand-still"], cwd=self.job, env=self.job_environment(self.job),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)
        self.addCleanup(self._end, job)
        for line in job.stdout:  # until it has no more to say
            if "step 900/900" in line:
                break
        time.sleep(45)
        job.send_signal(signal.SIGTERM)
        stdout, stderr = job.communicate(timeout=60)
        said = self.run_gputop("advise", "--json", recording, HOME=str(self.folder / "watched"))
        report = json.loads(said.stdout)
        self.assertEqual(["stalled"], [finding["id"] for finding in report["advice"] if finding["severity"] != "info"], stderr)
        self.assertEqual("unknown", report["bottleneck"])
        end = time.monotonic() + 60  # loader workers notice within seconds that nobody is there any more
        while self.processes_with(str(self.folder)) and time.monotonic() < end:
            time.sleep(0.5)
        self.assertEqual([], self.processes_with(str(self.folder)))


if __name__ == "__main__":
    unittest.main()
