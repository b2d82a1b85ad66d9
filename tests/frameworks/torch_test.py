"""PyTorch and torchvision: gputop knows what the run itself measures, and the run prints, learns and ends as it does without gputop."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from framework_run import PYTHON, FrameworkTest  # noqa: E402


class Torch(FrameworkTest):
    def test_a_loop_of_its_own_with_workers(self):
        self.check(PYTHON, "plain.py", "--workers", "2", "--prefetch", "3", "--epochs", "3", "--batches", "150", "--fetch", "0.5")

    def test_accumulation_and_mixed_precision(self):
        self.check(PYTHON, "plain.py", "--accumulate", "2", "--bf16", "--epochs", "3", "--batches", "150")

    def test_torch_compile(self):
        self.check(PYTHON, "plain.py", "--compile", "--epochs", "4", "--batches", "200", "--compute", "4")

    def test_torchvision(self):
        self.check(PYTHON, "vision.py")


if __name__ == "__main__":
    unittest.main()
