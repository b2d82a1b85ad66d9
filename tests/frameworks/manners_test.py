"""The lens is neither heard nor seen: not in warnings, not in tracebacks, not by objects that speak when they are looked at."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from framework_run import PYTHON, FrameworkTest  # noqa: E402

# Every property of the model, the batch, the dataset and the samplers says that it was asked.
LOUD = """
import sys, warnings
import torch
from torch.utils.data import BatchSampler, DataLoader, Dataset, SequentialSampler

warnings.simplefilter("always")

def loud(name):
    @property
    def asked(self):
        print("asked for", name, file=sys.stderr)
        warnings.warn(f"{name} is deprecated", FutureWarning)
        raise AttributeError(name)
    return asked

class Batch:
    shape, dtype, items, values, size = (loud(name) for name in ("shape", "dtype", "items", "values", "size"))
    def __init__(self, x):
        self.x = x

class Data(Dataset):
    batch_size, transform, targets, shape = (loud(name) for name in ("batch_size", "transform", "targets", "shape"))
    def __len__(self):
        return 64
    def __getitem__(self, index):
        return torch.full((8,), float(index))

class Batches(BatchSampler):
    pass

class Net(torch.nn.Module):
    is_gradient_checkpointing, gradient_checkpointing, dtype, device, config, hparams = (
        loud(name) for name in ("is_gradient_checkpointing", "gradient_checkpointing", "dtype", "device", "config", "hparams"))
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(8, 1)
    def forward(self, batch):
        return self.layer(batch.x)
    def parameters(self, recurse=True):
        print("parameters", file=sys.stderr)
        return super().parameters(recurse)
    def buffers(self, recurse=True):
        print("buffers", file=sys.stderr)
        return super().buffers(recurse)
    def modules(self):
        print("modules", file=sys.stderr)
        return super().modules()

class Opt(torch.optim.SGD):
    name = loud("name")

torch.manual_seed(0)
net = Net()
optimizer = Opt(net.parameters(), lr=0.01)
data = Data()
loader = DataLoader(data, batch_sampler=Batches(SequentialSampler(data), 8, False), collate_fn=lambda rows: Batch(torch.stack(rows)))
for epoch in range(3):
    for batch in loader:
        loss = net(batch).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"loss {loss.item():.6f}")
torch.save(dict(net.named_parameters()), "last.pt")
"""
BROKEN = """
import torch
from torch.utils.data import DataLoader, Dataset

class Data(Dataset):
    def __len__(self):
        return 64
    def __getitem__(self, index):
        if index == 40:
            raise ValueError("sample 40 is broken")
        return torch.zeros(4)

def main():
    net = torch.nn.Linear(4, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for batch in DataLoader(Data(), batch_size=8):
        net(batch).sum().backward()
        optimizer.step()

try:
    torch.save(dict(a=1), "/no/such/folder/last.pt")
except RuntimeError as error:
    print(error)
main()
"""


class Manners(FrameworkTest):
    def both(self, text):
        (self.job / "own.py").write_text(text)
        watched = self.watched(PYTHON, "own.py")
        bare = self.bare(PYTHON, "own.py", files=[("own.py", text)])
        self.assertEqual((bare.code, bare.stdout), (watched.code, watched.stdout))
        self.assertEqual(bare.stderr, watched.stderr)
        return watched

    def test_nothing_of_the_users_is_asked_aloud(self):
        watched = self.both(LOUD)
        self.assertEqual((0, 8, "opt"), (watched.code, watched.fact("batch_size"), watched.fact("optimizer")))

    def test_an_error_is_printed_as_it_would_be(self):
        watched = self.both(BROKEN)
        self.assertEqual(1, watched.code)
        self.assertIn("ValueError: sample 40 is broken", watched.stderr)


if __name__ == "__main__":
    unittest.main()
