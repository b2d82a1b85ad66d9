"""Several ranks: gputop knows what the run itself measures, and the run prints, learns and ends as it does without gputop."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from framework_run import ENVIRONMENT, FrameworkTest  # noqa: E402


class Ranks(FrameworkTest):
    def test_ddp(self):
        self.check(ENVIRONMENT / "bin" / "torchrun", "--nproc-per-node", "2", "sharded.py")

    def test_fsdp2(self):
        self.check(ENVIRONMENT / "bin" / "torchrun", "--nproc-per-node", "2", "sharded.py", "--fsdp")


if __name__ == "__main__":
    unittest.main()
