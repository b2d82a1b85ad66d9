"""Lightning: gputop knows what the run itself measures, and the run prints, learns and ends as it does without gputop."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from framework_run import PYTHON, FrameworkTest  # noqa: E402


class Lightning(FrameworkTest):
    def test_lightning(self):
        self.check(PYTHON, "lit.py")

    def test_lightning_cli(self):
        self.check(PYTHON, "lit.py", "fit", "--config", "lit.yaml", "--trainer.max_epochs", "4", "--data.fetch", "0.2", "--data.batches", "200")


if __name__ == "__main__":
    unittest.main()
