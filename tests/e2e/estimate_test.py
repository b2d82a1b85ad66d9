"""gputop estimate and show: the stories of real teams, from configuration to numbers, and the answers to wrong words."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from program import ProgramTest  # noqa: E402

GiB = 1 << 30
PARTS = "parameters=0.2GB,gradients=0.2GB,optimizer=0.8GB,overhead=1.5GB"

NAICS = """\
data_loader:
  batch_size: 4
  num_workers: 4
training:
  trainer:
    accumulate_grad_batches: 16
estimate:
  family: components
  components: {parameters: 0.2GB, gradients: 0.2GB, optimizer: 0.8GB, overhead: 1.5GB}
  per-sample: 0.375GB
curriculum:
  stages:
    - {name: "01", n_positives: 32, n_negatives: 24}
    - {name: "02", n_positives: 16, n_negatives: 8}
"""


class EstimateTest(ProgramTest):
    def config(self, text, name="train.yaml"):
        path = self.folder / name
        path.write_text(text)
        return path

    def estimate(self, *words, **more):
        done = self.run_gputop("estimate", *words, "--json", **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        answer = json.loads(done.stdout)
        self.assertEqual(answer["schema"], "gputop.estimate/1")
        return answer

    def refused(self, *words, **more):
        done = self.run_gputop(*words, **more)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertEqual(done.stdout, "")
        return done.stderr


class Stories(EstimateTest):
    def test_s1_the_breakdown_at_batch_8_and_32_as_the_first_step(self):
        path = self.config("batch_size: 8\nestimate:\n  components: {parameters: 0.5GB, optimizer: 0.5GB, activations: 1.5GB, overhead: 0.2GB}\n")
        answer = self.estimate("--config", path, "--gpu", "RTX 3090")
        parts = answer["components"]
        self.assertAlmostEqual(parts["parameters_bytes"] / GiB, 0.5, 2)
        self.assertAlmostEqual(parts["activations_bytes"] / GiB, 1.5, 2)
        self.assertAlmostEqual(parts["optimizer_bytes"] / GiB, 0.5, 2)
        self.assertAlmostEqual(answer["total_bytes"] / GiB, 2.7, 1)
        first = answer["steps"][0]
        self.assertEqual(first["batch_size"], 32)
        low, high = (first["total_bytes"] * (1 + sign * first["error_percent"] / 100) / GiB for sign in (-1, 1))
        self.assertTrue(low <= 6 <= high, (low, high))
        self.assertAlmostEqual(first["total_bytes"] / GiB, 6, delta=0.5)

    def test_s2_batch_45_on_24_gib(self):
        answer = self.estimate("--family", "components", "--components", PARTS, "--per-sample", "0.375GB", "--gpu-memory", 24)
        best = answer["best"]
        self.assertLessEqual(abs(best["batch_size"] - 45), 2)
        self.assertAlmostEqual(best["total_bytes"] / GiB, 19.8, delta=0.6)
        self.assertAlmostEqual(best["memory_percent"], 84, delta=2)
        self.assertEqual(answer["budget_bytes"], int(24 * GiB * 0.85))

    def test_s2_128_times_2_on_80_gib(self):
        answer = self.estimate("--components", PARTS, "--per-sample", "0.375GB", "--gpu-memory", 80, "--max-batch", 128,
                               "--target-effective-batch", 256)
        best = answer["best"]
        self.assertEqual((best["batch_size"], best["accumulation"]), (128, 2))
        self.assertAlmostEqual(best["total_bytes"] / GiB, 51.5, delta=1)
        self.assertAlmostEqual(best["memory_percent"], 64, delta=1)

    def test_s2_a_row_for_every_stage_and_a_batch_that_fits_them_all(self):
        answer = self.estimate("--config", self.config(NAICS), "--gpu-memory", 24)
        self.assertEqual([stage["name"] for stage in answer["stages"]], ["01", "02"])
        largest = [stage["best"]["batch_size"] for stage in answer["stages"]]
        self.assertGreater(largest[1], largest[0])
        names = {choice["name"]: choice for choice in answer["alternatives"]}
        self.assertEqual(names["largest"]["batch_size"], min(largest))
        self.assertEqual((answer["best"]["batch_size"], answer["best"]["accumulation"]), (32, 2))  # 64 samples a step, as now
        self.assertEqual(answer["batch_size"], 4)
        self.assertAlmostEqual(answer["total_bytes"] / GiB, 4.2, 1)

    def test_s2_apply_makes_the_first_step_that_was_printed(self):
        path = self.config(NAICS)
        done = self.run_gputop("estimate", "--config", path, "--gpu-memory", 24, "--apply", "--yes")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.startswith("fits: 4.2 GiB"), done.stdout)
        self.assertIn("(underused); largest batch 46", done.stdout.splitlines()[0])
        self.assertIn("go there in steps, since each is measured: → 16 (", done.stdout)
        self.assertIn("batch_size: 16\n", path.read_text())
        self.assertIn("accumulate_grad_batches: 4\n", path.read_text())

    def test_s5_a_measured_line_against_plain_scaling(self):
        path = self.config("per_device_train_batch_size: 32\nper_device_eval_batch_size: 64\ngradient_accumulation_steps: 3\n"
                           "dataloader_num_workers: 6\n")
        words = ("--config", path, "--components", "parameters=1.5GB", "--measured", "32:7.0GB,48:7.8GB", "--gpu-memory", 8)
        answer = self.estimate(*words)
        self.assertEqual(answer["level"], "measured")
        self.assertAlmostEqual(answer["per_sample_bytes"] / GiB, 0.05, 3)
        best = answer["best"]
        self.assertEqual((best["batch_size"], best["accumulation"]), (48, 2))
        self.assertAlmostEqual(best["total_bytes"] / GiB, 7.8, 2)
        self.assertLessEqual(best["error_percent"], 3)
        self.assertAlmostEqual(answer["naive_bytes"] / GiB, 9.75, 2)
        names = {choice["name"]: choice for choice in answer["alternatives"]}
        self.assertEqual((names["fallback"]["batch_size"], names["fallback"]["accumulation"]), (40, 2))
        self.assertIn("checkpointing", names)
        text = self.run_gputop("estimate", *words).stdout
        self.assertIn("9.75 GiB", text)
        self.assertIn("do not grow with the batch", text)


class TheAnswer(EstimateTest):
    def test_has_every_field_of_the_contract(self):
        answer = self.estimate("--model", "bert-large", "--batch", 4, "--gpu", "rtx3090")
        for key in ("level", "components", "total_bytes", "error_percent", "budget_bytes", "best", "alternatives", "stages"):
            self.assertIn(key, answer)
        self.assertEqual(set(answer["components"]), {f"{part}_bytes" for part in (
            "parameters", "gradients", "optimizer", "activations", "batch", "overhead")})
        for key in ("batch_size", "accumulation", "total_bytes", "memory_percent"):
            self.assertIn(key, answer["best"])
        self.assertEqual({"safe", "recommended", "max", "checkpointing", "amp"} - {c["name"] for c in answer["alternatives"]}, set())

    def test_more_evidence_narrows_the_band(self):
        shape = ("--model", "bert-large", "--batch", 8, "--gpu-memory", 24)
        analytic = self.estimate(*shape)["error_percent"]
        one = self.estimate(*shape, "--measured", "4:12GB")["error_percent"]
        two = self.estimate(*shape, "--measured", "4:12GB,8:15GB")["error_percent"]
        self.assertGreater(analytic, one)
        self.assertGreater(one, two)

    def test_flags_win_over_the_file(self):
        path = self.config(NAICS)
        self.assertEqual(self.estimate("--config", path, "--gpu-memory", 24, "--batch", 16)["batch_size"], 16)

    def test_the_free_memory_of_this_machine_counts_not_its_total(self):
        scenario = "gpus 2\ngpu * name \"NVIDIA Test\"\ngpu * memory_total 24GiB\ngpu 0 memory_used 20GiB\ngpu 1 memory_used 12GiB\n"
        answer = self.estimate("--components", PARTS, "--per-sample", "0.375GB", scenario=scenario)
        self.assertAlmostEqual(answer["budget_bytes"] / GiB, 0.85 * 12, 2)
        self.assertIn("1 NVIDIA Test", answer["gpu"]["name"])
        first = self.estimate("--components", PARTS, "--per-sample", "0.375GB", "--gpu", "0", scenario=scenario)
        self.assertAlmostEqual(first["budget_bytes"] / GiB, 0.85 * 4, 2)

    def test_without_a_gpu_a_batch_still_gets_its_total(self):
        answer = self.estimate("--model", "resnet50", "--batch", 32)
        self.assertGreater(answer["total_bytes"], GiB)
        self.assertIsNone(answer["best"])
        self.assertIsNone(answer["budget_bytes"])

    def test_nothing_simulated_without_saying_so(self):
        self.assertIn("SIMULATED", self.run_gputop("estimate", "--model", "resnet50", "--source", "sim").stdout)

    def test_the_table_says_level_band_and_why(self):
        text = self.run_gputop("estimate", "--model", "deeplabv3plus_r101-d8", "--resolution", "512x1024", "--gpu", "V100 32GB").stdout
        for words in ("level analytic", "±", "table of models", "recommended", "safe", "max"):
            self.assertIn(words, text)

    def test_help_lists_every_flag_and_says_what_a_gb_is(self):
        text = self.run_gputop("estimate", "--help").stdout
        for flag in ("family model params trainable layers hidden heads kv-heads vocab seq resolution batch accumulation world shard "
                     "precision optimizer checkpointing attention components per-sample measured gpu-memory gpu margin max-batch "
                     "target-effective-batch json config profile").split():
            self.assertIn(f"--{flag} ", text)
        self.assertIn("GB is GiB", text)


class WrongWords(EstimateTest):
    def test_each_is_named_with_a_remedy_and_exit_code_2(self):
        model = ("--model", "resnet50", "--gpu-memory", "24")
        for words, *wanted in (
            ((*model, "--batch", "zero"), "--batch", "zero"),
            ((*model, "--margin", "1.5"), "--margin", "0.85"),
            ((*model, "--precision", "fp17"), "--precision", "fp32"),
            ((*model, "--measured", "32"), "--measured", "32:7.0GB"),
            (("--model", "resnet5O", "--gpu-memory", "24"), "did you mean resnet50?"),
            (("--model", "resnet50", "--gpu", "RTX 3900"), "--gpu", "did you mean RTX 3090?"),
            (("--model", "resnet50", "--gpu", "A100"), "A100 40GB, A100 80GB"),
            (("--gpu-memory", "24"), "--model"),
            (("--layers", "24", "--gpu-memory", "24"), "--hidden"),
            ((*model, "--gpu", "RTX 3090"), "give one"),
            ((*model, "--bach", "3"), "unknown option '--bach'"),
            (("--config", "/nowhere.yaml"), "--config", "/nowhere.yaml"),
            (("--measured", "8:5GB,16:700GB", "--gpu-memory", "24"), "5.0 GiB at batch 8", "process of its own"),
            (("--model", "resnet50", "--gpu", "RTX 9999"), "there are", "--gpu-memory 24"),
            (("--layers", "12", "--hidden", "768", "--seq", "512", "--heads", "7", "--gpu-memory", "24"), "7 does not divide the 768"),
        ):
            with self.subTest(words=words):
                said = self.refused("estimate", *words)
                for word in wanted:
                    self.assertIn(word, said)

    def test_a_mistake_in_the_file_has_its_line(self):
        path = self.config("batch_size: 4\nestimate:\n  model: resnet50\n  margn: 0.9\n")
        self.assertIn(f"{path}:4: estimate: unknown key \"margn\" (did you mean margin?)", self.refused("estimate", "--config", path))

    def test_without_a_gpu_and_a_batch_it_says_what_to_give(self):
        said = self.refused("estimate", "--model", "resnet50")
        self.assertIn("no GPU on this machine", said)
        self.assertIn("--gpu-memory 24", said)


class Show(EstimateTest):
    def test_settings_with_their_places_and_an_estimate_per_stage(self):
        path = self.config(NAICS)
        text = self.run_gputop("show", "--config", path, "--gpu-memory", 24).stdout
        self.assertIn(f"{path}\n", text)
        self.assertIn("2 data_loader.batch_size", text)
        self.assertIn(f"{path}\n", text)
        self.assertIn("6 training.trainer.accumulate_grad_batches", text)
        self.assertIn("workers", text)
        for stage in ("01", "02"):
            self.assertRegex(text, rf"(?m)^  {stage} +4 ")
        shown = json.loads(self.run_gputop("show", "--config", path, "--gpu-memory", 24, "--json").stdout)
        self.assertEqual(len(shown["estimate"]["stages"]), 2)
        self.assertIn({"name": "batch", "value": "4", "file": str(path), "where": "2 data_loader.batch_size", "used": True}, shown["settings"])

    def test_settings_are_shown_even_when_nothing_can_be_estimated(self):
        path = self.config("trainer:\n  batch_size: 8\n  lr: 0.001\n")
        done = self.run_gputop("show", "--config", path, "--gpu-memory", 24)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"{path}\n", done.stdout)
        self.assertIn("2 trainer.batch_size", done.stdout)
        self.assertIn("no estimate: nothing says what is trained", done.stdout)

    def test_without_a_file_it_says_what_to_give(self):
        self.assertIn("--config FILE", self.refused("show"))

    def shown(self, name, text, *words):
        path = self.config(text, name)
        answer = json.loads(self.run_gputop("show", "--config", path, "--gpu", "RTX 3090", "--json", *words).stdout)
        return answer, {item["name"]: item["value"] for item in answer["settings"] if item["used"]}

    def test_a_python_file_has_its_knobs(self):
        path = self.config("_base_ = 'x.py'\ntrain_dataloader = dict(batch_size=2, num_workers=4)\nlr = 0.02\n", "config.py")
        text = self.run_gputop("show", "--config", path, "--gpu-memory", 24).stdout
        self.assertIn(f"{path}\n", text)
        self.assertIn("2 train_dataloader.batch_size", text)
        self.assertIn(f"{path}\n", text)
        self.assertIn("2 train_dataloader.num_workers", text)

    def test_a_model_stands_where_its_name_does(self):
        path = self.config("# trained at night\nmodel:\n  dropout: 0.1\n  name: bert-base\nbatch_size: 8\n")
        text = self.run_gputop("show", "--config", path, "--gpu-memory", 24).stdout
        self.assertIn(f"{path}\n", text)
        self.assertIn("4 model.name", text)

    def test_a_reference_gives_way_to_the_value(self):
        _, used = self.shown("hydra.yaml", "trainer:\n  batch_size: ${data.batch_size}\ndata:\n  batch_size: 64\nmodel: {name: vit_base_patch16_224}\n")
        self.assertEqual(used["batch"], "64")

    def test_a_weights_file_and_a_backbone_name_the_model(self):
        answer, _ = self.shown("ultra.yaml", "model: yolov8m.pt\nimgsz: 640\nbatch: 16\n")
        self.assertIsNotNone(answer["estimate"])
        answer, _ = self.shown("lightning.yaml", "model:\n  class_path: my.Model\n  init_args: {backbone: resnet50}\ndata: {batch_size: 32}\n")
        self.assertIsNotNone(answer["estimate"])

    def test_adapters_train_little(self):
        text = "model: {_component_: torchtune.models.llama3.lora_llama3_8b, lora_rank: 8}\nbatch_size: 2\ndtype: bf16\nmax_seq_len: 2048\n"
        answer, _ = self.shown("recipe.yaml", text)
        self.assertLess(answer["estimate"]["components"]["optimizer_bytes"], GiB)

    def test_stages_by_keys_of_their_own_differ_in_memory(self):
        answer, _ = self.shown("stages.yaml", "model: bert-base\nbatch_size: 16\nseq_length: 128\nstage_1: {seq: 128}\nstage_2: {seq: 512}\n")
        first, second = answer["estimate"]["stages"]
        self.assertEqual((first["name"], second["name"]), ("stage_1", "stage_2"))
        self.assertGreater(second["total_bytes"], first["total_bytes"])


# Ways to write that are not Python's own open(): all of them are tried, none may reach what is the user's.
WRITER = """import ctypes, mmap, os, shutil, sqlite3, subprocess
folder, shared = os.environ["FOLDER"], os.environ["SHARED"]
libc = ctypes.CDLL(None)
def database():
    sqlite3.connect(folder + "/db").execute("create table a(b)")
def mapped():
    with open(folder + "/kept", "r+b") as file:
        mmap.mmap(file.fileno(), 0)[0:1] = b"X"
for way in (lambda: open("link/new", "w"), lambda: os.rename("mine", "yours"), lambda: os.truncate(folder + "/kept", 0), database, mapped,
            lambda: libc.creat((folder + "/c").encode(), 0o644), lambda: libc.unlink((folder + "/kept").encode()),
            lambda: shutil.copy("mine", folder + "/copy"), lambda: os.makedirs(folder + "/d"),
            lambda: subprocess.run(f"echo > {folder}/s; echo >> mine; rm -rf {folder}/kept {shared}", shell=True)):
    try:
        way()
    except Exception:
        pass
print("tried all")
"""


def overlays_work(folder):
    """Whether this system lets a user overlay one folder with another."""
    for name in ("upper", "work", "at"):
        (folder / name).mkdir()
    mount = f"mount -t overlay overlay -o lowerdir=/dev/shm,upperdir={folder}/upper,workdir={folder}/work,userxattr {folder}/at"
    return subprocess.run(["unshare", "--mount", *(["--map-root-user"] if os.getuid() else []), "sh", "-c", mount], capture_output=True).returncode == 0


class Rehearsed(EstimateTest):
    def test_a_script_writes_nothing_by_whatever_way_not_even_shared_memory(self):
        project, outside = self.folder / "project", self.folder / "outside"
        project.mkdir()
        outside.mkdir()
        (project / "writer.py").write_text(WRITER)
        (project / "mine").write_text("mine")
        (outside / "kept").write_text("kept")
        (project / "link").symlink_to(outside)
        shared = pathlib.Path(tempfile.mkdtemp(dir="/dev/shm"))
        self.addCleanup(shutil.rmtree, shared, True)
        (shared / "data").write_text("data")
        done = self.run_gputop("estimate", "--", sys.executable, "writer.py", cwd=project, FOLDER=str(outside), SHARED=str(shared))
        self.assertIn("tried all", done.stderr)
        self.assertEqual(["link", "mine", "writer.py"], sorted(path.name for path in project.iterdir()))
        self.assertEqual(["kept"], [path.name for path in outside.iterdir()])
        self.assertEqual(("mine", "kept"), ((project / "mine").read_text(), (outside / "kept").read_text()))
        if overlays_work(self.folder / "project"):
            self.assertEqual("data", (shared / "data").read_text())


if __name__ == "__main__":
    unittest.main()
