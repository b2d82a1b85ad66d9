"""The lens never breaks, changes or talks over a run: its own errors, a gputop that goes, workers, other sitecustomizes."""
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from lens_monitor import Monitor, python  # noqa: E402

TRAIN = """
import torch
from torch.utils.data import DataLoader, TensorDataset

def train(steps=40, **loader):
    torch.manual_seed(1)
    torch.set_num_threads(1)
    data = TensorDataset(torch.randn(4 * steps, 8))
    model = torch.nn.Linear(8, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, in DataLoader(data, batch_size=4, **loader):
        optimizer.zero_grad()
        loss = model(x).pow(2).mean()
        loss.backward()
        optimizer.step()
    return "%.9g" % loss.item()
"""


class MannersTest(unittest.TestCase):
    def setUp(self):
        self.monitor = Monitor(GPUTOP_LENS_FLUSH="0.01").__enter__()
        self.addCleanup(self.monitor.__exit__)

    def run_it(self, text, *words, **more):
        heard = self.monitor.run(*python(*words, self.monitor.script(TRAIN + text)), **more)
        self.assertEqual((0, ""), (heard.code, heard.stderr))
        return heard


class Faults(MannersTest):
    # Every function the hooks call raises; the run prints the same as always.
    BROKEN = """
import sys
plain = None
def boom(*_, **__):
    raise ZeroDivisionError("on purpose")
for module, names in {"loaders": ["shapes", "describe"], "ticks": ["flush"], "models": ["scan"], "loader_set": ["Making"],
                      "activations": ["probe"], "optimizers": ["made"]}.items():
    for name in names:
        setattr(sys.modules["_gputop_lens." + module], name, boom)
print(train())
lens = sys.modules["_gputop_lens.lens"].lens
print(lens.on, lens.faults)
print(DataLoader.__init__.__module__, torch.optim.SGD.step.__module__)
"""

    def test_errors_of_the_lens_switch_off_the_lens_and_nothing_else(self):
        expected = self.run_it("print(train())").stdout.split()[0]
        heard = self.run_it(self.BROKEN)
        words = heard.stdout.split()
        self.assertEqual([expected, "False", "3"], words[:3])
        self.assertEqual([], heard.of("tick"))

    def test_one_fault_is_told_and_forgiven(self):
        heard = self.run_it("""
import sys
def boom(*_):
    raise ZeroDivisionError("on purpose")
sys.modules["_gputop_lens.activations"].probe = boom
print(train())
""")
        self.assertEqual(1, heard.last("fault")["count"])
        self.assertIn("ZeroDivisionError: on purpose", heard.last("fault")["text"])
        self.assertEqual(40, heard.last("tick")["steps"])


class Steps(MannersTest):
    def test_each_step_counts_once_whoever_calls_whom(self):
        heard = self.run_it("""
import sys
class Own(torch.optim.SGD):
    def step(self, closure=None):
        return super().step(closure)
class Heir(Own):
    pass
parameter = torch.nn.Parameter(torch.ones(4))
optimizers = sys.modules["_gputop_lens.optimizers"]
for made in torch.optim.SGD, Own, Heir:
    optimizer = made([parameter], lr=0.1)
    for _ in range(30):
        parameter.grad = torch.ones(4)
        optimizer.step()
    optimizers.add_up()
    print(optimizers._records[id(optimizer)].steps)
""")
        self.assertEqual(["30", "30", "30"], heard.stdout.split())


class Connections(MannersTest):
    def test_a_gputop_that_is_not_there_costs_nothing_but_its_reports(self):
        self.monitor.server.close()
        os.unlink(self.monitor.folder / "socket")
        self.monitor.listen()
        self.monitor.environment["GPUTOP_LENS_SOCKET"] = "/nonexistent/socket"
        heard = self.run_it("print(train())")
        self.assertEqual([], heard.messages)

    def test_a_gputop_that_comes_again_is_told_everything_again(self):
        heard = self.run_it("""
import os, socket, sys, time
path = os.environ["GPUTOP_LENS_SOCKET"]
wire = sys.modules["_gputop_lens.wire"].wire
train()
wire.socket.shutdown(socket.SHUT_RDWR)   # as a killed engine does
train(), time.sleep(0.4), train()
""")
        self.assertEqual(2, len(heard.of("hello")))
        second = [message["kind"] for message in heard.messages if message["connection"] == heard.last("hello")["connection"]]
        self.assertEqual({"hello", "loader", "optimizer", "model", "env", "mem_probe", "flops", "tick", "bye"}, set(second))

    def test_switched_off_by_the_environment(self):
        self.monitor.environment["GPUTOP_LENS"] = "0"
        heard = self.run_it("import sys\nprint(train(), '_gputop_lens' in sys.modules)")
        self.assertEqual([], heard.messages)
        self.assertIn("False", heard.stdout)


class Processes(MannersTest):
    def test_spawned_and_forkserver_workers_are_silent(self):
        heard = self.run_it("""
if __name__ == "__main__":
    for context in ("spawn", "forkserver"):
        print(train(8, num_workers=1, multiprocessing_context=context))
""")
        self.assertEqual(1, len(heard.of("hello")))
        self.assertEqual(["spawn", "forkserver"], [loader["mp_context"] for loader in heard.of("loader")])
        self.assertEqual(1, len(heard.of("bye")))

    def test_children_speak_only_when_they_train(self):
        heard = self.run_it("""
import multiprocessing
def idle():
    DataLoader(TensorDataset(torch.randn(4, 1)))
if __name__ == "__main__":
    for target in (idle, train):
        child = multiprocessing.get_context("fork").Process(target=target)
        child.start(), child.join()
""")
        self.assertEqual(1, len(heard.of("hello")))
        self.assertEqual(40, heard.last("bye")["steps"])

    def test_launched_by_torchrun_as_a_module(self):
        (self.monitor.folder / "pkg.py").write_text(TRAIN + "train()\n")
        # (-r and -t: Debian's torch 1.13 cannot do without them on Python 3.11)
        heard = self.monitor.run(*python("-m", "torch.distributed.run", "-r", "1", "-t", "1", "--log_dir", "log",
                                         "--nproc_per_node", "2", "-m", "pkg"))
        self.assertEqual(0, heard.code, heard.stderr)
        self.assertEqual([(0, 2), (1, 2)], sorted((hello["rank"], hello["world"]) for hello in heard.of("hello")))

    def test_loaders_optimizers_and_models_can_still_be_pickled_and_copied(self):
        heard = self.run_it("""
import copy, pickle
data = TensorDataset(torch.randn(8, 8))
loader = DataLoader(data, batch_size=4)
model = torch.nn.Linear(8, 1)
optimizer = torch.optim.Adam(model.parameters())
iter(loader), next(iter(loader))
for thing in (loader, model, optimizer):
    assert b"gputop" not in pickle.dumps(thing)
    copy.deepcopy(thing)
assert b"gputop" not in pickle.dumps(loader.__dict__)
print(len(list(pickle.loads(pickle.dumps(loader)))))
""")
        self.assertEqual("2", heard.stdout.strip())

    def test_an_exception_is_the_last_word(self):
        script = self.monitor.script(TRAIN + "train()\nraise MemoryError('CUDA out of memory. Tried')")
        heard = self.monitor.run(*python(script))
        self.assertEqual(1, heard.code)
        self.assertEqual("MemoryError", heard.last("bye")["exception"])
        self.assertEqual("other", heard.last("oom")["phase"])


if __name__ == "__main__":
    unittest.main()
