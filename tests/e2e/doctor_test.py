"""gputop doctor: what is wrong with a machine, on three generations of drivers and in places where little is visible."""
import json
import os
import pathlib
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from program import GPUTOP, ProgramTest  # noqa: E402

HEALTHY = """
gpus 2
gpu * name "NVIDIA Test"
gpu * utilization 50
gpu * memory_total 80GiB
gpu * memory_used 1GiB
gpu * temperature 60
gpu * fan 40
gpu * power_limit 300
gpu * default_power_limit 300
gpu * sm_clock 1900
gpu * throttle 0
gpu * persistence on
gpu * pcie_generation 4
gpu * pcie_width 16
gpu * max_pcie_generation 4
gpu * max_pcie_width 16
gpu * compute_capability 9.0
gpu * ecc_mode on
gpu * ecc_corrected 0
gpu * ecc_uncorrected 0
gpu * pages_pending off
gpu * remap_pending off
gpu * remap_failed off
gpu * pcie_replays 0
gpu * compute_mode 0
gpu * mig off
"""
# What each generation of drivers does not have yet.
OLD = "driver 470.256.02\nwithout nvmlDeviceGetMarginTemperature nvmlDeviceGetRemappedRows *_v2 *ClocksEventReasons\n" + HEALTHY
MIDDLE = "driver 535.183.01\nwithout nvmlDeviceGetMarginTemperature\n" + HEALTHY
NEW = "driver 580.65.06\n" + HEALTHY + "gpu * thermal_margin 30\ngpu * recovery_action 0\n"

# check → (a line that makes it fire, the level, a word of what is found)
FAULTS = {
    "ecc_memory": ("gpu 1 ecc_uncorrected 2", "bad", "GPU 1: 2 uncorrectable"),
    "memory_repair": ("gpu 1 remap_failed on", "bad", "remapped"),
    "persistence_mode": ("gpu 1 persistence off", "warn", "GPU 1: off"),
    "power_limit": ("gpu 1 power_limit 200", "warn", "limited to 200 W (default 300 W)"),
    "gpu_clocks": ("gpu 1 throttle applications_clocks_setting", "warn", "GPU 1: held"),
    "gpu_fan": ("gpu 1 fan 0\ngpu 1 temperature 80", "bad", "is stopped at 80"),
    "pcie_link": ("gpu 1 pcie_width 4", "warn", "4 of 16 lanes"),
    "pcie_replays": ("gpu 1 pcie_replays 900", "warn", "900"),
    "compute_mode": ("gpu 1 compute_mode 2", "bad", "prohibited"),
    "recovery_action": ("gpu 1 recovery_action 2", "bad", "reboot"),
    "gpu_heat": ("gpu 1 thermal_margin 2", "warn", "2 degrees below"),
}
KNOWN_TO_ALL = ["ecc_memory", "persistence_mode", "power_limit", "gpu_fan", "pcie_link", "pcie_replays", "compute_mode"]
KNOWN = {"old": KNOWN_TO_ALL, "middle": [*KNOWN_TO_ALL, "memory_repair"], "new": list(FAULTS)}


class Doctor(ProgramTest):
    def doctor(self, *words, scenario=None, code=None, **more):
        done = self.run_gputop("doctor", "--json", *words, scenario=scenario, **more)
        if code is not None:
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        document = json.loads(done.stdout)
        self.assertEqual(document["schema"], "gputop.doctor/1")
        return {check["id"]: check for check in document["checks"]}, document

    def test_three_generations_of_drivers(self):
        for name, scenario in (("old", OLD), ("middle", MIDDLE), ("new", NEW)):
            with self.subTest(driver=name):
                checks, _ = self.doctor(scenario=scenario)
                for check in FAULTS:
                    if check in KNOWN[name]:
                        self.assertEqual(checks[check]["level"], "ok", checks[check])
                spoiled, _ = self.doctor(scenario=scenario + "\n".join(line for line, _, _ in FAULTS.values()) + "\n", code=1)
                for check in KNOWN[name]:
                    _, level, words = FAULTS[check]
                    self.assertEqual(spoiled[check]["level"], level, spoiled[check])
                    self.assertIn(words, spoiled[check]["found"])
                    self.assertTrue(spoiled[check]["cost"])
        checks, _ = self.doctor(scenario=MIDDLE)
        self.assertEqual(checks["recovery_action"]["level"], "unknown")

    def test_the_contract_of_json(self):
        checks, document = self.doctor(scenario=NEW + "gpu 1 persistence off\n")
        self.assertEqual(sum(document[level] for level in ("bad", "warn", "ok", "unknown")), len(document["checks"]))
        for check in document["checks"]:
            self.assertEqual(set(check), {"id", "title", "level", "found", "cost", "fix", "fix_needs_root"})
            self.assertIn(check["level"], ("ok", "warn", "bad", "unknown"))
            self.assertTrue(check["found"])
            if check["level"] in ("ok", "unknown"):
                self.assertIsNone(check["fix"])
                self.assertIsNone(check["fix_needs_root"])
        self.assertEqual(checks["persistence_mode"]["fix"], "nvidia-smi -pm 1")
        self.assertIs(checks["persistence_mode"]["fix_needs_root"], True)

    def test_only_and_exit_codes(self):
        checks, _ = self.doctor("--only", "gpu_fan,persistence_mode", scenario=NEW, code=0)
        self.assertEqual(list(checks), ["persistence_mode", "gpu_fan"])
        self.doctor("--only", "persistence_mode", scenario=NEW + "gpu 0 persistence off\n", code=0)
        self.doctor("--only", "gpu_fan", scenario=NEW + "gpu 0 fan 0\ngpu 0 temperature 90\n", code=1)
        done = self.run_gputop("doctor", "--only", "gpu_fans", scenario=NEW)
        self.assertEqual(done.returncode, 2)
        self.assertIn("did you mean gpu_fan?", done.stderr)
        done = self.run_gputop("doctor", "--", scenario=NEW)
        self.assertEqual(done.returncode, 2)

    def python_with_torch(self, cuda):
        """A folder for PATH whose python3 finds a torch built for this CUDA; it cannot be imported."""
        package = self.folder / "packages" / "torch"
        package.mkdir(parents=True, exist_ok=True)
        (package / "__init__.py").write_text("class _C:\n    @staticmethod\n    def _cuda_getArchFlags(): return 'sm_80 sm_86'\n")
        (package / "version.py").write_text(f"__version__ = '2.15.0'\ncuda = {cuda!r}\n")
        binary = self.folder / "bin"
        binary.mkdir(exist_ok=True)
        (binary / "python3").write_text(f'#!/bin/sh\nPYTHONPATH={self.folder / "packages"} exec {sys.executable} "$@"\n')
        (binary / "python3").chmod(0o755)
        return {"PATH": f"{binary}:{os.environ['PATH']}"}

    def test_the_torch_of_a_command(self):
        env = self.python_with_torch("13.0")
        checks, _ = self.doctor("--", "python3", "train.py", scenario=MIDDLE, code=1, **env)
        self.assertEqual(checks["cuda_versions"]["level"], "bad")
        self.assertIn("535.183.01 is older than 580", checks["cuda_versions"]["found"])
        self.assertEqual(checks["gpu_architecture"]["level"], "bad")
        self.assertIn("9.0", checks["gpu_architecture"]["found"])
        checks, _ = self.doctor(scenario=NEW, **env)
        self.assertEqual(checks["cuda_versions"]["level"], "ok")
        self.assertEqual(checks["gpu_architecture"]["level"], "unknown")  # torch is imported only for a command
        checks, _ = self.doctor(scenario=NEW, code=1, **self.python_with_torch(None))
        self.assertIn("without CUDA", checks["cuda_versions"]["found"])

    def test_settings_of_a_command(self):
        (self.folder / "train.py").write_text(
            "import argparse\np = argparse.ArgumentParser()\np.add_argument('--batch-size', type=int, default=8)\n"
            "p.add_argument('--workers', type=int, default=2)\np.add_argument('--img-size', type=int)\na = p.parse_args()\n")
        command = ["--", "python3", str(self.folder / "train.py"), "--workers", "4000", "--batch-size", "4096", "--img-size", "1024"]
        checks, _ = self.doctor("--only", "shared_memory", *command, code=1)
        self.assertIn("4000 workers × 2 batches of 4096 images of 1024²", checks["shared_memory"]["found"])

    def test_this_machine_says_nothing_false_about_gpus(self):
        checks, _ = self.doctor()
        for check in FAULTS:
            self.assertEqual(checks[check]["level"], "unknown", checks[check])

    def in_places(self):
        yield "as it is", []
        if os.geteuid() == 0:
            yield "a plain user", ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        for name, flags in (("a user and pid namespace", ["-Urpf", "--mount-proc"]), ("no /proc", ["-Urm"])):
            if subprocess.run(["unshare", *flags, "true"], capture_output=True).returncode == 0:
                hide = ["sh", "-c", 'mount -t tmpfs none /proc; exec "$@"', "sh"] if "proc" in name else []
                yield name, ["unshare", *flags, *hide]
        if subprocess.run(["unshare", "-Urm", "sh", "-c", "mount -t tmpfs none /sys"], capture_output=True).returncode == 0:
            yield "no /sys", ["unshare", "-Urm", "sh", "-c", 'mount -t tmpfs none /sys; exec "$@"', "sh"]

    def test_everywhere_it_ends_and_makes_nothing_up(self):
        os.chmod(self.folder, 0o755)
        for name, wrapper in self.in_places():
            with self.subTest(place=name):
                begin = time.monotonic()
                done = subprocess.run([*wrapper, GPUTOP, "doctor", "--json"], env=self.environment(), stdin=subprocess.DEVNULL,
                                      capture_output=True, text=True, timeout=60, cwd=self.folder)
                self.assertLess(time.monotonic() - begin, 30)
                self.assertIn(done.returncode, (0, 1), done.stderr)
                document = json.loads(done.stdout)
                for check in document["checks"]:
                    self.assertTrue(check["found"], check)
                    if check["id"] in FAULTS:
                        self.assertEqual(check["level"], "unknown", check)

    def test_people_read_the_worst_first(self):
        done = self.run_gputop("doctor", scenario=NEW + "gpu 1 fan 0\ngpu 1 temperature 90\ngpu 0 persistence off\n")
        self.assertEqual(done.returncode, 1)
        self.assertLess(done.stdout.index("GPU fan"), done.stdout.index("Persistence mode"))
        self.assertIn("nvidia-smi -pm 1   (as root)", done.stdout)

    def test_a_run_hears_what_is_bad_for_it_once(self):
        record = self.folder / "run.gtr"
        done = self.run_gputop("--headless", "--record", record, "--", sys.executable, "-c", "import time; time.sleep(8)",
                               scenario=NEW + "gpu 1 compute_mode 2\n", PYTORCH_ALLOC_CONF="max_split_size_mb=1")
        self.assertEqual(done.returncode, 0, done.stderr)
        tool = os.environ["GPUTOP_RECORDING_TOOL"]
        events = subprocess.run([tool, "events", record], capture_output=True, text=True, check=True).stdout
        self.assertEqual(events.count("PyTorch cannot read it"), 1, events)
        self.assertEqual(events.count("compute is prohibited"), 1, events)


if __name__ == "__main__":
    unittest.main()
