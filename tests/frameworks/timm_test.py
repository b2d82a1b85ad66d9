"""timm: gputop knows what the run itself measures, and the run prints, learns and ends as it does without gputop."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from framework_run import PYTHON, FrameworkTest  # noqa: E402


class Timm(FrameworkTest):
    def test_timm(self):
        self.check(PYTHON, "timm_train.py")

    def test_timm_with_the_loader_that_keeps_its_workers(self):
        self.check(PYTHON, "timm_train.py", "--multi-epochs")


if __name__ == "__main__":
    unittest.main()
