"""transformers, PEFT and accelerate: gputop knows what the run itself measures, and the run prints, learns and ends as it does without gputop."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from framework_run import PYTHON, FrameworkTest  # noqa: E402

TRAINER = ("--output_dir", "out", "--report_to", "none", "--use_cpu")


class HuggingFace(FrameworkTest):
    def test_transformers(self):
        self.check(PYTHON, "hf.py", *TRAINER, "--per_device_train_batch_size", "4", "--gradient_accumulation_steps", "2", "--max_steps", "200",
                   "--logging_steps", "10", "--save_steps", "100")

    def test_peft(self):
        self.check(PYTHON, "hf.py", "--lora", *TRAINER, "--per_device_train_batch_size", "8", "--max_steps", "200", "--logging_steps", "20",
                   "--save_strategy", "no", "--dataloader_num_workers", "1")

    def test_accelerate(self):
        self.check(PYTHON, "accelerated.py")


if __name__ == "__main__":
    unittest.main()
