"""What gputop's user applied: at launch by the environment, or live by commands, and the answers to them."""
import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from lens_monitor import Monitor, python  # noqa: E402

TRAIN = """
import time
import torch
from torch.utils.data import DataLoader, Dataset, IterableDataset

class Numbers(Dataset):
    def __len__(self):
        return 64
    def __getitem__(self, index):
        return torch.full((4,), float(index))

torch.manual_seed(0)
torch.set_num_threads(1)
loader = DataLoader(Numbers(), batch_size=8)
model = torch.nn.Linear(4, 1, bias=False)
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1000)
def epoch(pause=0.0):
    sizes = []
    for x in loader:
        optimizer.zero_grad()
        model(x / 64).pow(2).mean().backward()
        optimizer.step()
        scheduler.step()
        sizes.append(len(x))
        time.sleep(pause)
    return sizes
"""


class AtLaunch(unittest.TestCase):
    def run_it(self, overrides, text):
        with Monitor(GPUTOP_LENS_FLUSH="0.01", GPUTOP_LENS_SET=json.dumps(overrides)) as monitor:
            heard = monitor.run(*python(monitor.script(TRAIN + text)))
        self.assertEqual((0, ""), (heard.code, heard.stderr))
        self.assertEqual([], heard.of("fault"))
        return heard

    def test_a_loader_gets_another_batch_size_and_workers(self):
        heard = self.run_it({"loader": {"*": {"batch_size": 16, "num_workers": 2, "prefetch_factor": 3}}},
                            "print(epoch(), loader.num_workers, loader.prefetch_factor)")
        self.assertEqual("[16, 16, 16, 16] 2 3", heard.stdout.strip())
        changes = {change["name"]: (change["before"], change["after"]) for change in heard.last("loader")["applied"]}
        self.assertEqual(("8", "16"), changes["batch_size"])
        self.assertEqual(("0", "2"), changes["num_workers"])

    def test_only_the_loader_that_was_meant(self):
        site = "train.py:%d" % (1 + TRAIN.split("\n").index("loader = DataLoader(Numbers(), batch_size=8)"))
        heard = self.run_it({"loader": {site: {"batch_size": 32}}},
                            "print(epoch(), [len(x) for x in DataLoader(Numbers(), batch_size=48)])")
        self.assertEqual("[32, 32] [48, 16]", heard.stdout.strip())

    def test_what_is_not_safe_is_refused_with_the_reason(self):
        heard = self.run_it({"loader": {"*": {"num_workers": 2, "persistent_workers": True}}}, """
class Stream(IterableDataset):
    def __iter__(self):
        return iter(range(4))
print(len(list(DataLoader(Stream(), batch_size=None))))
""")
        self.assertEqual("4", heard.stdout.strip())
        refused = {refusal["name"]: refusal["reason"] for refusal in heard.of("loader")[-1]["refused"]}
        self.assertIn("repeat samples", refused["num_workers"])
        self.assertIn("needs num_workers", refused["persistent_workers"])

    def test_the_learning_rate_is_scaled(self):
        heard = self.run_it({"lr_scale": 4}, "epoch(); print(optimizer.param_groups[0]['lr'], scheduler.get_last_lr()[0])")
        self.assertEqual("0.004 0.004", heard.stdout.strip())
        self.assertEqual([0.004], heard.last("optimizer")["lr"])

    def test_accumulation_is_the_same_as_a_larger_batch(self):
        larger = self.run_it({"loader": {"*": {"batch_size": 32}}}, "epoch(); print(model.weight.tolist())").stdout
        heard = self.run_it({"accum": 4}, "epoch(); print(model.weight.tolist())")
        for a, b in zip(json.loads(larger)[0], json.loads(heard.stdout)[0]):
            self.assertAlmostEqual(a, b, places=6)
        self.assertEqual(2, heard.last("tick")["steps"])
        self.assertEqual("accum", heard.last("applied")["what"])

    def test_the_model_runs_under_autocast(self):
        heard = self.run_it({"autocast": "bf16", "tf32": True, "cudnn_benchmark": True}, """
epoch()
print(model(torch.ones(1, 4)).dtype, torch.backends.cuda.matmul.allow_tf32, torch.backends.cudnn.benchmark)
import pickle; pickle.dumps(model)
""")
        self.assertEqual("torch.float32 True True", heard.stdout.strip())
        self.assertIn("bfloat16", [autocast["type"] for autocast in heard.last("env")["autocast"]])


class Live(unittest.TestCase):
    def run_it(self, commands, text):
        with Monitor(GPUTOP_LENS_FLUSH="0.01") as monitor:
            for number, command in enumerate(commands, 1):
                monitor.commands.append((lambda message: message["kind"] == "tick" and message["steps"] >= 2,
                                         dict(command, id=number)))
            heard = monitor.run(*python(monitor.script(TRAIN + text)))
        self.assertEqual((0, ""), (heard.code, heard.stderr))
        self.assertEqual([], heard.of("fault"))
        self.answers = {ack["id"]: ack for ack in heard.of("ack")}
        return heard

    def test_loaders_change_at_the_next_epoch(self):
        heard = self.run_it([{"op": "loader", "set": {"num_workers": 2, "batch_size": 16, "pin_memory": False}}],
                            "print(epoch(0.05), epoch(), loader.num_workers)")
        self.assertEqual("[8, 8, 8, 8, 8, 8, 8, 8] [16, 16, 16, 16] 2", heard.stdout.strip())
        self.assertEqual((True, "from the next epoch on"), (self.answers[1]["ok"], self.answers[1]["text"]))
        self.assertEqual({"num_workers", "batch_size"}, {change["name"] for change in heard.last("applied")["applied"]})

    def test_a_change_is_made_once_and_workers_can_be_made_to_stay(self):
        heard = self.run_it([{"op": "loader", "set": {"num_workers": 1, "batch_size": 32, "persistent_workers": True}}],
                            "print(epoch(0.05), epoch(), epoch(), loader.batch_size, loader.persistent_workers)")
        self.assertEqual("[8, 8, 8, 8, 8, 8, 8, 8] [32, 32] [32, 32] 32 True", heard.stdout.strip())
        self.assertEqual(1, len(heard.of("applied")))
        self.assertEqual((32, True), (heard.last("loader")["batch_size"], heard.last("loader")["persistent"]))

    def test_switches_act_at_their_step_and_are_answered(self):
        heard = self.run_it([{"op": "lr_scale", "value": 2, "at_step": 6}, {"op": "tf32", "value": True},
                             {"op": "cudnn_benchmark", "value": True}, {"op": "nonsense"}, {"op": "autocast", "value": "fp16"},
                             {"op": "probe"}],
                            "rates = []\nfor _ in range(4):\n    epoch(0.05)\n    rates.append(optimizer.param_groups[0]['lr'])\n"
                            "print(rates, torch.backends.cudnn.benchmark)")
        self.assertEqual("[0.002, 0.002, 0.002, 0.002] True", heard.stdout.strip())
        queued, done = [ack for ack in heard.of("ack") if ack["id"] == 1]
        self.assertIn("queued for step 6", queued["text"])
        self.assertEqual((True, 6), (done["ok"], done["step"]))
        self.assertIn("1 optimizers and 1 schedulers", done["text"])
        self.assertEqual([True, True, False, False, True], [self.answers[number]["ok"] for number in range(2, 7)])
        self.assertIn("GradScaler", self.answers[5]["text"])
        # The lens's own probe is at step 3; one that was asked for comes after the answer (and may be that one).
        answered = next(at for at, said in enumerate(heard.messages) if said["kind"] == "ack" and said["id"] == 6)
        self.assertIn("mem_probe", [said["kind"] for said in heard.messages[answered:]])

    def test_tf32_and_cudnn_switch_on_and_off_in_torch_itself(self):
        flags = "(torch.backends.cuda.matmul.allow_tf32, torch.backends.cudnn.allow_tf32, torch.backends.cudnn.benchmark)"
        for before, value in ((False, True), (True, False)):
            heard = self.run_it([{"op": "tf32", "value": value}, {"op": "cudnn_benchmark", "value": value}], f"""
torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = torch.backends.cudnn.benchmark = {before}
first = {flags}
epoch(0.05)
print(first, {flags})
""")
            self.assertEqual(f"({before}, {before}, {before}) ({value}, {value}, {value})", heard.stdout.strip())
            word = "on" if value else "off"
            self.assertEqual([(True, "tf32 " + word), (True, "cudnn.benchmark " + word)],
                             [(self.answers[number]["ok"], self.answers[number]["text"]) for number in (1, 2)])
            # What the advisor goes by follows.
            self.assertEqual((value, value, value), tuple(heard.last("env")[name] for name in ("tf32_matmul", "tf32_conv", "cudnn_benchmark")))

    def test_detached_it_leaves_torch_as_it_was(self):
        heard = self.run_it([{"op": "detach"}], """
import torch.utils.data.dataloader as module
epoch(0.05)
print([f.__module__ for f in (module.DataLoader.__init__, module.DataLoader.__iter__, module._BaseDataLoaderIter.__next__)],
      [f.__code__.co_filename for f in (torch.autograd.backward, torch.autocast.__enter__, torch.optim.Optimizer.__init__)])
""")
        self.assertNotIn("gputop", heard.stdout)
        self.assertTrue(self.answers[1]["ok"])
        self.assertEqual([], heard.of("bye"))


if __name__ == "__main__":
    unittest.main()
