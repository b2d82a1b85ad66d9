"""The lens finds its way around torch 2: names and places that Debian's torch 1.13 does not have, played by a fake."""
import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import fake_torch  # noqa: E402
from lens_monitor import Monitor  # noqa: E402

TRAIN = """
import torch
from torch.utils.data import DataLoader
from torch.utils.checkpoint import checkpoint

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self._parameters["weight"] = torch.Tensor(16, 3, 3, 3)

class Saved:
    unpack_hook = None
class Packed:
    unpack_hook = print
class Node:
    next_functions = ()
class MmBackward(Node):
    _raw_saved_self, _raw_saved_other = Saved(), Packed()
    def __init__(self):
        self._saved_self = torch.Tensor(8, 100)
    @property
    def _saved_other(self):
        raise AssertionError("unpacked what a hook had packed")
class CompiledFunctionBackward(Node):
    _raw_saved_tensors = (Saved(), Saved())
    def __init__(self):
        self.saved_tensors = (torch.Tensor(8, 10), torch.Tensor(8, 10))
        self.next_functions = ((MmBackward(), 0), (None, 0))

def train(steps=6):
    global model, optimizer
    model = Net()
    whole = wrapped(model)
    optimizer = torch.optim.AdamW(whole.parameters(), dict(lr=0.01, momentum=None))
    scaler = torch.amp.GradScaler("cuda") if hasattr(torch.amp, "GradScaler") else torch.amp.grad_scaler.GradScaler()
    for batch in DataLoader(list(range(8 * steps)), batch_size=8):
        with torch.autocast("cuda", dtype=torch.float16):
            checkpoint(len, ())
        loss = torch.Tensor(1)
        loss.grad_fn = CompiledFunctionBackward()
        for _ in range(2):
            loss.backward()
        optimizer.step()

def wrapped(model):
    from torch._dynamo.eval_frame import OptimizedModule
    return OptimizedModule(model)
"""


class Torch2(unittest.TestCase):
    def run_it(self, text="train()", overrides=None):
        with Monitor(GPUTOP_LENS_FLUSH="0", GPUTOP_LENS_SET=json.dumps(overrides or {})) as monitor:
            fake_torch.write(monitor.folder)
            heard = monitor.run(sys.executable, "-B", monitor.script(TRAIN + text))
        self.assertEqual((0, ""), (heard.code, heard.stderr))
        self.assertEqual([], heard.of("fault"))
        return heard

    def test_everything_is_found(self):
        heard = self.run_it()
        self.assertEqual(("2.9.0+cu126", "12.6"), (heard.last("hello")["torch"], heard.last("hello")["cuda"]))
        self.assertEqual((6, 2.0), (heard.last("tick")["steps"], heard.last("tick")["backwards_per_step"]))
        self.assertEqual((5, 1), (heard.loader()["batches"], heard.loader()["first"]))
        environment = heard.last("env")
        self.assertEqual((False, True), (environment["tf32_matmul"], environment["tf32_conv"]))
        self.assertEqual([{"device": "cuda", "type": "float16", "enabled": True}], environment["autocast"])
        self.assertEqual((True, True), (environment["scaler"], environment["checkpointing"]))
        self.assertEqual("GPU-11111111-2222-3333-4444-555555555555", environment["device_uuid"])
        self.assertEqual((400, 200, 1), tuple(heard.last("tick")["cuda"][0][name] for name in ("reserved_peak", "allocated_peak", "ooms")))
        self.assertEqual(1, len(heard.last("tick")["cuda"]))

    def test_a_compiled_model_is_recognised(self):
        root = self.run_it().last("model")["roots"][0]
        self.assertEqual(("Net", ["OptimizedModule"], True, True, 16 * 27),
                         (root["class"], root["wrappers"], root["compiled"], root["channels_last"], root["params"]))

    def test_saved_tensors_are_counted_and_packed_ones_left_alone(self):
        probe = self.run_it().last("mem_probe")
        self.assertEqual((4 * (800 + 80 + 80), 1), (probe["activation_bytes"], probe["skipped"]))

    def test_tf32_is_switched_through_the_names_that_keep_both_apis_consistent(self):
        heard = self.run_it("train()\nprint(torch.backends.cuda.matmul.fp32_precision)", {"tf32": True})
        self.assertEqual("tf32", heard.stdout.strip())
        self.assertEqual("tf32 on", heard.last("applied")["text"])

    def test_a_compiled_model_is_not_put_under_autocast(self):
        with Monitor(GPUTOP_LENS_FLUSH="0") as monitor:
            fake_torch.write(monitor.folder)
            monitor.commands.append((lambda message: message["kind"] == "tick" and message["steps"] >= 2,
                                     {"id": 1, "op": "autocast", "value": "bf16"}))
            heard = monitor.run(sys.executable, "-B", monitor.script(TRAIN + "train(2000)"))
        self.assertEqual((False, "RuntimeError: the model is compiled"), (heard.last("ack")["ok"], heard.last("ack")["text"]))

    def test_hugging_face_arguments_are_changed_before_they_are_checked(self):
        heard = self.run_it("from transformers.training_args import TrainingArguments\n"
                            "print(TrainingArguments(per_device_train_batch_size=4).effective)\ntrain()",
                            {"hf": {"per_device_train_batch_size": 16, "gradient_accumulation_steps": 2, "nonsense": 1}})
        self.assertEqual("32", heard.stdout.strip())
        told = heard.last("framework")
        self.assertEqual({("per_device_train_batch_size", "4", "16"), ("gradient_accumulation_steps", "1", "2")},
                         {(change["name"], change["before"], change["after"]) for change in told["applied"]})
        self.assertEqual(["nonsense"], [refusal["name"] for refusal in told["refused"]])
        self.assertIn({"name": "per_device_train_batch_size", "value": "16"}, told["settings"])


if __name__ == "__main__":
    unittest.main()
