"""gputop estimate -- CMD: unmodified scripts are rehearsed without a GPU, say what they would take, write nothing, and train afterwards
as if they had never been rehearsed."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from framework_run import PYTHON, SCRIPTS  # noqa: E402
from program import GPUTOP  # noqa: E402

HERE = pathlib.Path(__file__).parent
STYLES = str(HERE / "rehearsed" / "styles.py")
MORE = str(HERE / "rehearsed" / "more_styles.py")
MIB = 1 << 20
WEIGHTS = 6 * (2 * 4 * 1024 * 1024 + 5 * 1024) * 4      # bytes of the model of more_styles.py


class Rehearsal(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def estimate(self, *command, words=("--gpu", "RTX 3090", "--timeout", "300"), cwd=None):
        done = subprocess.run([GPUTOP, "estimate", *words, "--json", "--", *command], cwd=cwd or self.folder, capture_output=True, text=True,
                              timeout=1300)
        self.assertEqual(done.returncode, 0, done.stderr)
        answer = json.loads(done.stdout)
        self.assertEqual(answer["level"], "rehearsed", (answer["notes"], done.stderr))
        return answer

    def style(self, name, *more, **options):
        answer = self.estimate(PYTHON, STYLES, name, *more, **options)["rehearsal"]
        self.assertGreaterEqual(answer["steps"], 3, answer)
        self.assertEqual(answer["verdict"], "fits")
        self.assertGreater(answer["peak_allocated_bytes"], 0)
        self.assertGreaterEqual(answer["peak_reserved_bytes"], answer["peak_allocated_bytes"])
        return answer

    def test_scripts_of_frameworks(self):
        shutil.copytree(SCRIPTS, self.folder / "scripts")
        for words in (["plain.py"], ["vision.py"], ["accelerated.py"], ["lit.py"], ["timm_train.py"],
                      ["hf.py", "--output_dir", "out", "--max_steps", "12"],
                      ["hf.py", "--lora", "--output_dir", "out", "--max_steps", "12", "--bf16", "true"]):
            with self.subTest(script=words):
                before = sorted(os.listdir(self.folder / "scripts"))
                answer = self.estimate(PYTHON, *words, cwd=self.folder / "scripts")
                self.assertGreaterEqual(answer["rehearsal"]["steps"], 3)
                self.assertIsNotNone(answer["best"])
                self.assertEqual(before, sorted(os.listdir(self.folder / "scripts")))

    def test_loops(self):
        for name in ("plain", "cuda_calls", "accumulated", "own_function", "averaged", "recurrent", "adversarial", "default_device", "transformer"):
            with self.subTest(style=name):
                self.style(name)

    def test_values_of_the_gpu_that_nobody_knows_are_assumed_aloud(self):
        self.assertTrue(self.style("masks")["assumptions"])
        self.assertTrue(any("loop" in sentence for sentence in self.style("rejection")["assumptions"]))

    def test_compiling_is_rehearsed_eagerly_and_said(self):
        self.assertTrue(any("compile" in sentence for sentence in self.style("compiled")["assumptions"]))

    def test_mixed_precision_halves_what_it_halves(self):
        self.style("mixed")

    def test_checkpointing_saves_memory(self):
        plain = self.style("transformer")["at_peak"]["activations_bytes"]
        for name in ("checkpointed", "checkpointed_reentrant"):
            self.assertLess(self.style(name)["at_peak"]["activations_bytes"], plain, name)

    def test_other_ranks_are_believed_in(self):
        self.assertEqual(self.style("parallel")["world"], 4)

    def test_loops_with_threads_packed_sequences_checked_values_and_boxes(self):
        for name in ("fed_by_a_thread", "packed", "speech", "policy", "detected"):
            with self.subTest(style=name):
                self.assertGreaterEqual(self.estimate(PYTHON, MORE, name)["rehearsal"]["steps"], 3)

    def test_loops_without_a_loader_or_an_optimizer_with_experts_and_older_types(self):
        for name in ("own_update", "older_types", "experts", "sampled_often"):
            with self.subTest(style=name):
                answer = self.estimate(PYTHON, MORE, name)["rehearsal"]
                self.assertGreaterEqual(answer["steps"], 3)
                self.assertIsNotNone(answer["batch_size"], name)
                self.assertFalse([one for one in answer["assumptions"] if "waited" in one], name)

    def test_micro_steps_that_are_alike_are_played_a_few_times(self):
        few, many = (self.estimate(PYTHON, MORE, "accumulated", times) for times in ("3", "60"))
        self.assertEqual(few["rehearsal"]["peak_allocated_bytes"], many["rehearsal"]["peak_allocated_bytes"])
        self.assertTrue(any("micro-steps" in one for one in many["rehearsal"]["assumptions"]))
        self.assertFalse(any("micro-steps" in one for one in few["rehearsal"]["assumptions"]))
        self.assertEqual(8, many["rehearsal"]["batch_size"])

    def test_an_optimizer_in_the_backward_pass_needs_no_room_for_all_gradients(self):
        peak = self.estimate(PYTHON, MORE, "stepped_in_backward")["rehearsal"]["peak_allocated_bytes"]
        self.assertGreater(peak, 3 * WEIGHTS)       # with two states of AdamW: whole steps were played
        self.assertLess(peak, 3.6 * WEIGHTS)        # a layer's gradient and the optimizer's own temporaries

    def test_a_rank_of_fsdp_holds_its_share(self):
        with unittest.mock.patch.dict(os.environ, RANK="0", LOCAL_RANK="0", MASTER_ADDR="127.0.0.1", MASTER_PORT="29598"):
            alone = self.estimate(PYTHON, MORE, "alone")["rehearsal"]["peak_allocated_bytes"]
            self.assertGreater(alone, 4 * WEIGHTS)               # and its gradients, and two states of AdamW
            with unittest.mock.patch.dict(os.environ, WORLD_SIZE="4"):
                for name in ("sharded", "sharded_by_wrapping"):
                    answer = self.estimate(PYTHON, MORE, name)["rehearsal"]
                    self.assertEqual(4, answer["world"], name)
                    self.assertGreaterEqual(answer["peak_allocated_bytes"], WEIGHTS, name)   # a quarter of four times the weights
                    self.assertLess(answer["peak_allocated_bytes"], 0.5 * alone, name)
                    self.assertEqual(WEIGHTS // 2, answer["at_peak"]["optimizer_bytes"], name)

    def test_ranks_with_synchronized_norms_or_parameters_that_never_were_on_the_host(self):
        with unittest.mock.patch.dict(os.environ, RANK="0", LOCAL_RANK="0", MASTER_ADDR="127.0.0.1", MASTER_PORT="29597", WORLD_SIZE="4"):
            for name in ("synchronized_norms", "sharded_from_nothing"):
                with self.subTest(style=name):
                    self.assertGreaterEqual(self.estimate(PYTHON, MORE, name)["rehearsal"]["steps"], 3)

    def test_a_validation_that_comes_soon_is_seen(self):
        self.assertIn("validation", [moment[2] for moment in self.style("validated")["timeline"]])

    def test_nothing_of_the_users_is_written(self):
        (self.folder / "data.txt").write_text("precious")
        self.style("saved", str(self.folder))
        self.assertEqual(["data.txt"], sorted(os.listdir(self.folder)))
        self.assertEqual("precious", (self.folder / "data.txt").read_text())

    def test_what_c_code_writes_is_not_the_users_either(self):
        outside = pathlib.Path(tempfile.mkdtemp())  # neither the working folder nor the home
        self.addCleanup(shutil.rmtree, outside, ignore_errors=True)
        for folder in (self.folder, outside):
            (folder / "data.txt").write_text("precious")
        script = self.folder / "train.py"
        script.write_text("""import ctypes, os, sqlite3, subprocess, sys, torch
libc = ctypes.CDLL(None, use_errno=True)
def write(path):
    file = libc.open(path.encode(), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    if file < 0:
        return False
    libc.write(file, b"spoiled", 7)
    return libc.close(file) == 0
assert write("data.txt"), "the working folder seems to be writable"
assert open("data.txt").read() == "spoiled", "what was written is found again"
base = sqlite3.connect("results.db")
base.execute("create table t(x)")
base.commit()
assert subprocess.call(["sh", "-c", "echo x > of_a_child; rm -f train.py"]) == 0
for other in sys.argv[1:]:
    write(os.path.join(other, "data.txt")); write(os.path.join(other, "new.txt"))
    libc.unlink(os.path.join(other, "data.txt").encode())
    libc.rename(os.path.join(other, "data.txt").encode(), os.path.join(other, "moved").encode())
    libc.mkdir(os.path.join(other, "folder").encode(), 0o755)
from torch.utils.data import DataLoader
model = torch.nn.Linear(8, 8).cuda()
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for rows in DataLoader(torch.randn(64, 8), batch_size=4, num_workers=1):
    model(rows.cuda()).sum().backward(); optimizer.step(); optimizer.zero_grad()
""")
        before = {folder: sorted(os.listdir(folder)) for folder in (self.folder, outside)}
        text = script.read_text()
        answer = self.estimate(PYTHON, str(script), str(outside))["rehearsal"]
        self.assertGreaterEqual(answer["steps"], 3)
        self.assertFalse([sentence for sentence in answer["assumptions"] if "not Python" in sentence])
        for folder, names in before.items():
            self.assertEqual(names, sorted(os.listdir(folder)))
            self.assertEqual("precious", (folder / "data.txt").read_text())
        self.assertEqual(text, script.read_text())

    def test_the_run_afterwards_is_bitwise_what_it_would_have_been(self):
        script = self.folder / "train.py"
        script.write_text("import hashlib, torch\nfrom torch import nn\ntorch.manual_seed(3)\nmodel = nn.Linear(8, 8)\n"
                          "device = 'cuda' if torch.cuda.is_available() else 'cpu'\nmodel.to(device)\n"
                          "optimizer = torch.optim.AdamW(model.parameters())\n"
                          "for _ in range(20):\n    model(torch.randn(4, 8).to(device)).pow(2).mean().backward()\n    optimizer.step()\n"
                          "print(hashlib.sha256(model.weight.detach().cpu().numpy().tobytes()).hexdigest())\n")
        train = lambda: subprocess.run([PYTHON, str(script)], capture_output=True, text=True, cwd=self.folder, timeout=200).stdout  # noqa: E731
        before = train()
        self.assertEqual(len(before.strip()), 64)
        self.estimate(PYTHON, str(script))
        self.assertEqual(before, train())
        self.assertEqual(["train.py"], sorted(os.listdir(self.folder)))

    def test_what_is_pretended_takes_what_the_same_run_takes_for_real(self):
        """The trace of a rehearsal beside that of a run on the CPU that was only watched, as --profile watches a GPU."""
        script = self.folder / "train.py"
        script.write_text("import torch\nfrom torch import nn\nplace = 'cuda' if torch.cuda.is_available() else 'cpu'\n"
                          "model = nn.Sequential(nn.Linear(64, 512), nn.Tanh(), nn.Linear(512, 64)).to(place)\n"
                          "optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9, foreach=False)\n"
                          "for _ in range(20):\n    rows = torch.ones(32, 64, device=place)\n    model(rows).pow(2).mean().backward()\n"
                          "    optimizer.step()\n    optimizer.zero_grad()\n")
        lens = str(pathlib.Path(__file__).parents[2] / "src" / "lens" / "inject")
        peaks = []
        for wish in ({}, {"watch": "cpu"}):
            trace = self.folder / ("trace" + wish.get("watch", ""))
            environment = dict(os.environ, PYTHONPATH=lens, GPUTOP_REHEARSAL=json.dumps(dict(wish, trace=str(trace), steps=3, timeout=100)))
            subprocess.run([PYTHON, str(script)], env=environment, capture_output=True, timeout=300, check=True)
            live, now, peak = {}, 0, 0
            for line in trace.read_text().splitlines():
                word, *rest = line.split()
                if word == "a":
                    live[rest[0]] = int(rest[1])
                    now += int(rest[1])
                elif word == "f":
                    now -= live.pop(rest[0])
                peak = max(peak, now)
            peaks.append(peak)
        self.assertGreater(peaks[0], 4 * 2 * 64 * 512 * 2)      # weights and momentum
        self.assertAlmostEqual(1, peaks[0] / peaks[1], delta=0.02)

    def test_what_cannot_be_rehearsed_says_why(self):
        script = self.folder / "broken.py"
        script.write_text("import torch\nmodel = torch.nn.Linear(4, 4).cuda()\nraise ValueError('no data here')\n")
        done = subprocess.run([GPUTOP, "estimate", "--gpu", "RTX 3090", "--", PYTHON, str(script)], capture_output=True, text=True,
                              cwd=self.folder, timeout=200)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("not rehearsed", done.stderr)
        self.assertIn("no data here", done.stderr)
        self.assertIn("broken.py:3", done.stderr)

    def test_a_model_that_is_too_large_is_said_not_to_fit(self):
        script = self.folder / "large.py"
        script.write_text("import torch\nfrom torch import nn\nfrom torch.utils.data import DataLoader\n"
                          "model = nn.Sequential(*[nn.Linear(8192, 8192) for _ in range(40)]).cuda()\n"
                          "optimizer = torch.optim.AdamW(model.parameters())\n"
                          "for rows in DataLoader(torch.randn(64, 8192), batch_size=4):\n"
                          "    model(rows.cuda()).sum().backward(); optimizer.step(); optimizer.zero_grad()\n")
        answer = self.estimate(PYTHON, str(script), words=("--gpu-memory", "24"))
        self.assertEqual("does not fit", answer["rehearsal"]["verdict"])
        self.assertGreater(answer["rehearsal"]["oom_chance"], 0.99)
        # 40 × 8192² parameters of 4 bytes: weights, gradients, two states, and the optimizer's temporaries
        least = 4 * 40 * 8192 * 8192 * 4
        self.assertGreater(answer["rehearsal"]["peak_allocated_bytes"], least)
        self.assertLess(answer["rehearsal"]["peak_allocated_bytes"], 1.5 * least)
        changes = {other["change"]: other["total_bytes"] for other in answer["rehearsal"]["what_if"]}
        self.assertLess(changes["sgd"], 0.7 * answer["rehearsal"]["total_bytes"])


if __name__ == "__main__":
    unittest.main()
