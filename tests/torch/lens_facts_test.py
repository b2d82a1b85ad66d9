"""The lens tells the truth about a real PyTorch run, and the run does not notice it."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from lens_monitor import Monitor, python  # noqa: E402

# Known sizes: 32 → 64 → 1, batches of 16 from 640 samples, AdamW. Prints every loss to the last bit.
MLP = """
import struct, sys
import torch
from torch.utils.data import DataLoader, TensorDataset

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(32, 64)
        self.second = torch.nn.Linear(64, 1)
    def forward(self, x):
        return self.second(torch.relu(self.first(x)))

def main(workers):
    torch.manual_seed(7)
    torch.set_num_threads(1)
    data = TensorDataset(torch.randn(640, 32), torch.randn(640, 1))
    train = DataLoader(data, batch_size=16, shuffle=True, num_workers=workers, drop_last=True)
    valid = DataLoader(data, batch_size=64)
    model = Net()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for epoch in range(3):
        for x, y in train:
            optimizer.zero_grad()
            loss = torch.nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
            print(struct.pack("<f", loss.item()).hex())
        with torch.no_grad():
            for x, y in valid:
                model(x)

if __name__ == "__main__":
    main(int(sys.argv[1]))
"""


class AKnownModel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.monitor = Monitor(GPUTOP_LENS_FLUSH="0.05").__enter__()
        cls.addClassCleanup(cls.monitor.__exit__)
        cls.script = cls.monitor.script(MLP)
        cls.heard = cls.monitor.run(*python(cls.script, "2"))

    def test_losses_are_the_same_to_the_last_bit_with_and_without_the_lens(self):
        plain = self.monitor.without(*python(self.script, "2"))
        self.assertEqual(0, plain.returncode, plain.stderr)
        self.assertEqual(120, len(plain.stdout.split()))
        self.assertEqual(plain.stdout, self.heard.stdout)
        self.assertEqual(plain.stderr, self.heard.stderr)

    def test_the_lens_had_no_faults(self):
        self.assertEqual([], self.heard.of("fault"))
        self.assertEqual(0, self.heard.last("bye")["faults"])

    def test_one_process_speaks_and_its_workers_are_silent(self):
        self.assertEqual(1, len(self.heard.of("hello")))
        hello = self.heard.last("hello")
        self.assertEqual(1, hello["proto"])
        self.assertTrue(hello["torch"][0].isdigit())
        self.assertIsNone(hello["rank"])

    def test_both_loaders_are_described(self):
        train, valid = self.heard.of("loader")
        self.assertEqual((16, 2, 640, 40, True), tuple(
            train[name] for name in ("batch_size", "num_workers", "len", "batches", "drop_last")))
        self.assertEqual(("RandomSampler", "TensorDataset", False), (train["sampler"], train["dataset"], train["iterable"]))
        self.assertEqual((64, 0, "SequentialSampler"), (valid["batch_size"], valid["num_workers"], valid["sampler"]))
        self.assertRegex(train["site"], r"^train\.py:\d+$")
        self.assertNotEqual(train["site"], valid["site"])

    def test_batches_steps_and_epochs_are_counted(self):
        train, valid = self.heard.loader(1), self.heard.loader(2)
        self.assertEqual((117, 3, 3, 120, 16), (train["batches"], train["first"], train["epoch"], train["steps"], train["batch"]))
        self.assertEqual((27, 3, 0), (valid["batches"], valid["first"], valid["steps"]))
        self.assertEqual(120, self.heard.last("tick")["steps"])
        self.assertEqual([16, 32], train["shapes"][0]["size"])

    def test_parameters_and_optimizer_state_are_exact(self):
        parameters = 32 * 64 + 64 + 64 + 1
        root = self.heard.last("model")["roots"][0]
        self.assertEqual(("Net", parameters, parameters, 4 * parameters, []),
                         (root["class"], root["params"], root["trainable"], root["bytes"], root["wrappers"]))
        tensors = 4
        self.assertEqual(2 * 4 * parameters + 4 * tensors, self.heard.last("model")["optimizer_bytes"])  # + a step each
        optimizer = self.heard.last("optimizer")
        self.assertEqual(("torch.optim.adamw.AdamW", parameters, [0.001]), (optimizer["class"], optimizer["params"], optimizer["lr"]))

    def test_activation_bytes_are_those_counted_by_hand(self):
        probe = self.heard.last("mem_probe")
        x, hidden, out = 16 * 32 * 4, 16 * 64 * 4, 16 * 1 * 4
        # The first layer keeps its input, relu its result (which is the second layer's input), the loss its two arguments.
        self.assertEqual(x + hidden + 2 * out, probe["activation_bytes"])
        self.assertEqual((16, 3, 0), (probe["batch"], probe["step"], probe["skipped"]))
        parameters = 4 * (32 * 64 + 64 + 64 + 1)
        self.assertEqual((parameters, parameters), (probe["param_bytes"], probe["grad_bytes"]))
        self.assertGreater(probe["cost_ms"], 0)

    def test_one_backward_pass_makes_a_step(self):
        self.assertEqual(1.0, self.heard.last("tick")["backwards_per_step"])


class TheExamples(unittest.TestCase):
    """examples/pytorch, shortened."""

    def test_the_language_model_accumulates_under_bf16_autocast(self):
        with Monitor(GPUTOP_LENS_FLUSH="0.05") as monitor:
            heard = monitor.run(*python(str(EXAMPLES / "gpt.py"), "--steps", "16", "--set", "context=16", "--set", "hidden=32"))
        self.assertEqual(0, heard.code, heard.stderr)
        self.assertEqual(4.0, heard.last("tick")["backwards_per_step"])
        self.assertEqual(4, heard.last("tick")["steps"])
        self.assertIn({"device": "cpu", "type": "bfloat16", "enabled": True}, heard.last("env")["autocast"])
        self.assertEqual("Gpt", heard.last("model")["roots"][0]["class"])

    def test_two_ranks_speak_for_themselves(self):
        with Monitor(GPUTOP_LENS_FLUSH="0.05") as monitor:
            heard = monitor.run(*python(str(EXAMPLES / "ddp.py"), "--steps", "20", "--set", "workers=1"))
        self.assertEqual(0, heard.code, heard.stderr)
        self.assertEqual(2, len(heard.of("hello")))
        self.assertEqual({0, 1}, {env["rank"] for env in heard.of("env") if "rank" in env})
        self.assertEqual({2}, {env["world"] for env in heard.of("env") if "world" in env})
        for model in heard.of("model"):
            self.assertEqual(["DistributedDataParallel"], model["roots"][0]["wrappers"])
        self.assertEqual([20, 20], [bye["steps"] for bye in heard.of("bye")])

    def test_the_cnn_runs(self):
        with Monitor(GPUTOP_LENS_FLUSH="0.05") as monitor:
            heard = monitor.run(*python(str(EXAMPLES / "cnn.py"), "--steps", "10", "--set", "channels=4"))
        self.assertEqual(0, heard.code, heard.stderr)
        self.assertEqual(2, heard.last("loader")["num_workers"])
        self.assertIs(False, heard.last("model")["roots"][0]["channels_last"])


EXAMPLES = pathlib.Path(__file__).parents[2] / "examples" / "pytorch"

if __name__ == "__main__":
    unittest.main()
