"""Each knob of the corpus' projects is changed by `gputop apply`, and the library that a run reads its settings with (PyYAML, OmegaConf, Hydra,
mmengine, HyperPyYAML, HfArgumentParser, LightningCLI, fvcore, tomllib, json) is asked for the value that is then in force."""
import json
import math
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from framework_run import PYTHON, SCRIPTS  # noqa: E402
from program import GPUTOP, ProgramTest  # noqa: E402

PROJECTS = pathlib.Path(__file__).parents[1] / "corpus" / "projects"
READ = SCRIPTS / "settings_in_force.py"

HF = {"batch_size": "per_device_train_batch_size", "eval_batch_size": "per_device_eval_batch_size", "accumulation": "gradient_accumulation_steps",
      "learning_rate": "learning_rate", "workers": "dataloader_num_workers"}

# project → the command (or a file), its reader, and per change what is in force afterwards.
CASES = {
    "axolotl": ("qlora.yml", "pyyaml", {
        "batch_size=4": {"micro_batch_size": 4, "gradient_accumulation_steps": 2}, "learning_rate=1e-4": {"learning_rate": 1e-4},
        "checkpointing=none": {"gradient_checkpointing": False}, "workers=4": {"dataloader_num_workers": 4},
        "precision=amp-fp16": {"bf16": False, "fp16": True}}),
    "deepspeed": ("ds_config.json", "json_file", {
        "batch_size=16": {"train_micro_batch_size_per_gpu": 16, "gradient_accumulation_steps": 2},
        "learning_rate=0.0001": {"optimizer.params.lr": 1e-4}}),
    "detectron2_yaml": (None, "detectron2", {
        "batch_size=4": {"SOLVER.IMS_PER_BATCH": 32}, "learning_rate=0.02": {"SOLVER.BASE_LR": 0.02}, "workers=8": {"DATALOADER.NUM_WORKERS": 8}}),
    "espnet": ("conf/train_asr.yaml", "pyyaml", {
        "batch_size=40": {"batch_size": 40, "accum_grad": 1}, "precision=fp32": {"use_amp": False}, "workers=8": {"num_workers": 8}}),
    "gpt_neox": ("small.yml", "pyyaml", {
        "batch_size=8": {"train_micro_batch_size_per_gpu": 8, "gradient_accumulation_steps": 4}, "learning_rate=0.0003": {"optimizer.params.lr": 3e-4}}),
    "hf_flags": (None, "hf_parser", {
        "batch_size=64": {HF["batch_size"]: 64}, "accumulation=2": {HF["accumulation"]: 2}, "workers=4": {HF["workers"]: 4},
        "precision=amp-bf16": {"bf16": True, "fp16": False}, "checkpointing=full": {"gradient_checkpointing": True}, "tf32=true": {"tf32": True},
        "eval_batch_size=64": {HF["eval_batch_size"]: 64}, "learning_rate=3e-5": {HF["learning_rate"]: 3e-5}}),
    "hf_json": ("args.json", "hf_parser", {
        "batch_size=8": {HF["batch_size"]: 8, HF["accumulation"]: 8}, "workers=6": {HF["workers"]: 6}, "precision=amp-bf16": {"bf16": True, "fp16": False},
        "checkpointing=full": {"gradient_checkpointing": True}, "eval_batch_size=16": {HF["eval_batch_size"]: 16},
        "learning_rate=2e-4": {HF["learning_rate"]: 2e-4}}),
    "hydra": (None, "hydra", {
        "batch_size=128": {"data.batch_size": 128, "eval.batch_size": 128, "trainer.accumulate_grad_batches": 1}, "workers=8": {"data.num_workers": 8},
        "learning_rate=0.004": {"model.optimizer.lr": 0.004}, "pin_memory=true": {"data.pin_memory": True}}),
    "lightning_cli": (None, "lightning_cli", {
        "batch_size=32": {"data.init_args.batch_size": 32, "trainer.accumulate_grad_batches": 2}, "precision=amp-bf16": {"trainer.precision": "bf16-mixed"},
        "precision=amp-fp16": {"trainer.precision": "16-mixed"}, "workers=8": {"data.init_args.num_workers": 8},
        "learning_rate=0.002": {"optimizer.init_args.lr": 0.002}}),
    "litgpt": ("lora.yaml", "pyyaml", {
        "batch_size=8": {"train.micro_batch_size": 8}, "learning_rate=0.0001": {"optimizer.init_args.lr": 1e-4}, "precision=fp32": {"precision": "32-true"}}),
    "llama_factory": ("sft.yaml", "hf_parser", {
        "batch_size=2": {HF["batch_size"]: 2, HF["accumulation"]: 4}, "learning_rate=2e-4": {HF["learning_rate"]: 2e-4}, "workers=8": {HF["workers"]: 8},
        "eval_batch_size=1": {HF["eval_batch_size"]: 1}, "precision=amp-fp16": {"bf16": False, "fp16": True}}),
    "llm_foundry": ("mpt.yaml", "omegaconf", {
        "batch_size=16": {"device_train_microbatch_size": 16}, "precision=fp32": {"precision": "fp32"}, "workers=4": {"train_loader.num_workers": 4},
        "eval_batch_size=16": {"device_eval_batch_size": 16}}),
    "mmdet_base": (None, "mmengine", {
        "batch_size=4": {"train_dataloader.batch_size": 4}, "workers=6": {"train_dataloader.num_workers": 6},
        "precision=amp-fp16": {"optim_wrapper.type": "AmpOptimWrapper"}}),
    "mmdet_chain": (None, "mmengine", {"batch_size=8": {"train_dataloader.batch_size": 8}, "workers=8": {"train_dataloader.num_workers": 8}}),
    "mmdet_child": (None, "mmengine", {
        "batch_size=8": {"train_dataloader.batch_size": 8}, "learning_rate=0.0002": {"optim_wrapper.optimizer.lr": 2e-4},
        "precision=amp-fp16": {"optim_wrapper.type": "AmpOptimWrapper"}}),
    "mmseg_variable": (None, "mmengine", {
        "learning_rate=0.02": {"optim_wrapper.optimizer.lr": 0.02}, "batch_size=4": {"train_dataloader.batch_size": 4},
        "eval_batch_size=2": {"val_dataloader.batch_size": 2}}),
    "nanogpt": ("config/finetune_poems.py", "python_file", {
        "batch_size=24": {"batch_size": 24, "gradient_accumulation_steps": 4}, "learning_rate=3e-5": {"learning_rate": 3e-5}}),
    "nemo": ("conf/gpt_config.yaml", "omegaconf", {
        "batch_size=32": {"model.micro_batch_size": 32, "model.global_batch_size": 256}, "workers=8": {"model.data.num_workers": 8},
        "learning_rate=1e-4": {"model.optim.lr": 1e-4}}),
    "olmo": ("configs/tiny.yaml", "omegaconf", {"batch_size=8": {"device_train_microbatch_size": 8}, "workers=8": {"data.num_workers": 8}}),
    "speechbrain": (None, "hyperpyyaml", {
        "batch_size=32": {"train_dataloader_opts.batch_size": 32, "valid_dataloader_opts.batch_size": 8, "grad_accumulation_factor": 2},
        "workers=8": {"train_dataloader_opts.num_workers": 8}, "precision=amp-bf16": {"precision": "bf16"}, "learning_rate=2.0": {"Adam.lr": 2.0}}),
    "torchtitan": ("llama3_8b.toml", "toml_file", {
        "batch_size=4": {"training.local_batch_size": 4, "validation.local_batch_size": 8}, "checkpointing=full": {"activation_checkpoint.mode": "full"},
        "learning_rate=1e-4": {"optimizer.lr": 1e-4}}),
    "torchtune": (None, "omegaconf", {
        "batch_size=8": {"batch_size": 8, "gradient_accumulation_steps": 4}, "learning_rate=1e-5": {"optimizer.lr": 1e-5}, "precision=fp32": {"dtype": "fp32"},
        "checkpointing=none": {"enable_activation_checkpointing": False}}),
    "tts_hparams": ("configs/base.json", "json_file", {"batch_size=32": {"train.batch_size": 32}, "precision=fp32": {"train.fp16_run": False}}),
    "yaml_anchor": ("train.yaml", "pyyaml", {"workers=6": {"train.num_workers": 6}, "learning_rate=0.02": {"train.lr": 0.02}}),
    "json_comments": ("train.json5", "json5_file", {
        "batch_size=32": {"train.batch_size": 32}, "workers=8": {"train.num_workers": 8}, "learning_rate=0.002": {"train.optimizer.lr": 0.002}}),
}


def is_same(wanted, got):
    if isinstance(wanted, bool) or isinstance(got, bool) or isinstance(wanted, str):
        return wanted is got or (isinstance(wanted, str) and wanted == got)
    # A number must be one for its reader, not a word: "2e-4" is a word to PyYAML.
    return isinstance(got, (int, float)) and math.isclose(wanted, got, rel_tol=1e-9)


class Readers(ProgramTest):
    def in_force(self, reader, asked):
        done = subprocess.run([PYTHON, READ, reader], input=json.dumps(asked), text=True, capture_output=True, timeout=600)
        self.assertEqual(0, done.returncode, done.stderr[-2000:])
        return json.loads(done.stdout.splitlines()[-1])

    def apply(self, name, change, file, command):
        """The folder with the change in it, and the command as it is then."""
        folder = self.folder / name / re.sub(r"[^a-z0-9]", "-", change)
        shutil.copytree(PROJECTS / name, folder)
        words = ["--", *command] if command else ["--config", file]
        done = subprocess.run([GPUTOP, "apply", "--change", change, "--yes", *words], cwd=folder, env=self.environment(), text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
        self.assertEqual(0, done.returncode, f"{name} {change}: {done.stderr}")
        told = re.search(r"^new command line:\n +(.*)$", done.stdout, re.M)
        return folder, shlex.split(told[1]) if told else command

    def check(self, reader):
        """All projects of one reader: it is loaded once."""
        asked, wanted = [], []
        for name, (file, own, edits) in CASES.items():
            if own != reader:
                continue
            command = tomllib.loads((PROJECTS / name / "truth.toml").read_text()).get("command", [])
            asked.append([str(PROJECTS / name), [file] if file else words_of(command)])
            wanted.append((name, "", {}))
            for change, values in edits.items():
                folder, after = self.apply(name, change, file, command)
                asked.append([str(folder), [file] if file else words_of(after)])
                wanted.append((name, change, values))
        before = {}
        for (name, change, values), found in zip(wanted, self.in_force(reader, asked)):
            with self.subTest(project=name, change=change):
                self.assertNotIn("error", found)
                if not change:
                    before = found
                    continue
                for key, value in values.items():
                    self.assertTrue(is_same(value, found.get(key)), f"{key}: wanted {value!r}, in force is {found.get(key)!r}")
                others = {key for key in before.keys() | found.keys() if before.get(key) != found.get(key)} - values.keys()
                # Whatever else differs refers to one of these.
                self.assertTrue(all(any(is_same(value, found.get(key)) for value in values.values()) for key in others), f"changed as well: {others}")


def words_of(command):
    """What its reader gets to see: the words behind the script."""
    for at, word in enumerate(command):
        if word.endswith(".py") and at > 0 and at + 1 <= len(command):
            return command[at + 1:]
    return command[1:]


for reader in sorted({own for _, own, _ in CASES.values()}):
    setattr(Readers, f"test_{reader}", lambda self, reader=reader: self.check(reader))


if __name__ == "__main__":
    unittest.main()
