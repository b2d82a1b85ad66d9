"""MFU: the FLOPs of a step as nanoGPT and torchtitan count them, at no cost to what the run learns."""
import json
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from framework_run import PYTHON, SCRIPTS  # noqa: E402
from lens_monitor import Monitor  # noqa: E402
from program import ProgramTest  # noqa: E402

# Batches of two float32 samples of 8 values and their targets go to a device; of a step's two, one is waited for.
COPIES = """
import torch
import _gputop_lens.copies
from torch.utils.data import DataLoader, TensorDataset
_gputop_lens.copies.NOT_A_GPU = ("cpu",)  # there is none here: meta stands for it
model = torch.nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step, (x, y) in enumerate(DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 1)), batch_size=2)):
    x.to("meta", non_blocking=True)
    y.to("meta")
    x.to(torch.float64)
    loss = (model(x) - y).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
"""

PEAK = 0.05  # TFLOP/s of one core, assumed


class Mfu(ProgramTest):
    def measured(self, *words):
        """(facts, FLOPs by the formula, what the lens said) of a run under gputop, whose losses are those without it."""
        script = str(SCRIPTS / "mfu.py")
        recording = self.folder / "run.gputop"
        done = self.run_gputop("--headless", "--peak", PEAK, "--record", recording, "--", PYTHON, script, *words, timeout=600,
                               XDG_RUNTIME_DIR=str(self.folder), GPUTOP_LENS_FLUSH="0.1")
        self.assertEqual(done.returncode, 0, done.stderr)
        losses = [line for line in done.stdout.splitlines() if line.startswith("loss")]
        plain = subprocess.run([PYTHON, script, *words], text=True, capture_output=True, env=self.environment(), timeout=600)
        self.assertEqual(losses, [line for line in plain.stdout.splitlines() if line.startswith("loss")])
        self.assertGreater(len(losses), 30)
        formula = next(json.loads(line[8:])["flops"] for line in done.stdout.splitlines() if line.startswith("formula"))
        advice = self.run_gputop("advise", recording, "--json")
        facts = {fact["name"]: fact["value"] for fact in json.loads(advice.stdout)["facts"]}
        return facts, formula

    def check(self, *words, by="counted"):
        facts, formula = self.measured(*words)
        self.assertEqual(facts["flops_by"], by)
        self.assertEqual(facts["peak_by"], "given")
        rate = facts["flops_per_second"] / facts["flops_per_step"]
        points = 100 * (facts["mfu"] - formula * rate / (PEAK * 1e12))
        print(words, "mfu %.1f %%, by the formula %.1f %%" % (100 * facts["mfu"], 100 * formula * rate / (PEAK * 1e12)))
        self.assertLess(abs(points), 3, facts)
        self.assertLess(abs(facts["flops_per_step"] / formula - 1), 0.06)

    def test_nanogpt(self):
        self.check("nanogpt")

    def test_nanogpt_of_another_shape_with_accumulation(self):
        self.check("nanogpt-wide", "--accumulate", "2")

    def test_gpt2(self):
        self.check("gpt2")

    def test_llama(self):
        self.check("llama")

    def test_qwen2(self):
        self.check("qwen2")

    def test_neox(self):
        self.check("neox")

    def test_what_checkpointing_computes_again_is_not_counted(self):
        self.check("nanogpt", "--checkpoint")

    def test_a_compiled_model_is_estimated(self):
        facts, formula = self.measured("nanogpt", "--compile")
        self.assertEqual(facts["flops_by"], "6*N*tokens")
        self.assertLess(abs(facts["flops_per_step"] / formula - 1), 0.2)


class Copies(unittest.TestCase):
    def counted(self, script):
        with Monitor(GPUTOP_LENS_FLUSH="0.05") as monitor:
            heard = monitor.run(PYTHON, monitor.script(script))
        self.assertEqual(0, heard.code, heard.stderr)
        flops = heard.last("flops")
        self.assertEqual("counted", flops["how"], flops)
        return flops["copied"], flops["pageable"], flops["waited"]

    def test_a_steps_copies_to_a_device_are_counted_by_how_they_are_made(self):
        x, y = 2 * 8 * 4, 2 * 4
        self.assertEqual((x + y, x + y, y), self.counted(COPIES))

    def test_a_run_on_the_cpu_copies_nothing(self):
        stays = "\n".join(line for line in COPIES.splitlines() if "meta" not in line)
        self.assertEqual((0, 0, 0), self.counted(stays))


if __name__ == "__main__":
    unittest.main()
