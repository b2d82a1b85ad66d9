"""The simulated card and the example run as a closed loop: the run's settings move the card."""
import json
import pathlib
import signal
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from program import ProgramTest  # noqa: E402

GiB = 1 << 30


class ClosedLoop(ProgramTest):
    def card(self):
        return json.loads(self.run_gputop("snapshot", "--json", "--source", "sim").stdout)["gpus"][0]

    def card_with(self, *flags):
        """The card after the run's start-up."""
        run = self.start_gputop("example", "--speed", "20", *flags)
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            card = self.card()
            if (card["utilization_percent"] or 0) > 3:
                break
        run.send_signal(signal.SIGINT)
        self.assertEqual(run.wait(10), 130)
        return card

    def test_an_idle_card_without_a_run(self):
        card = self.card()
        self.assertEqual(card["utilization_percent"], 0)
        self.assertEqual(card["processes"], [])

    def test_a_larger_batch_uses_more_of_the_card(self):
        small = self.card_with("--batch-size", "8")
        large = self.card_with("--batch-size", "64", "--num-workers", "6")
        self.assertLess(small["utilization_percent"], 40)
        self.assertGreater(large["utilization_percent"], 85)
        self.assertAlmostEqual(small["memory_used_bytes"] / GiB, 2.7, delta=0.3)
        self.assertGreater(large["memory_used_bytes"], 3 * small["memory_used_bytes"])

    def test_beyond_the_card_it_is_out_of_memory_as_pytorch_says_it(self):
        done = self.run_gputop("example", "--batch-size", "512", "--speed", "20")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"OutOfMemoryError: CUDA out of memory\. Tried to allocate .* GPU 0 has a total capac")
        self.assertEqual(self.card()["processes"], [])

    def test_a_run_that_was_killed_leaves_an_idle_card(self):
        run = self.start_gputop("example", "--speed", "20")
        time.sleep(0.5)
        run.kill()
        run.wait(10)
        self.assertEqual(self.card()["processes"], [])


if __name__ == "__main__":
    unittest.main()
