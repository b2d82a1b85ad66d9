"""What a user does first with a gputop copied to a machine that did not build it: snapshot, the demo on a terminal, a headless run,
detach and attach, apply, report. Run by hand: python3 tests/portable/smoke_test.py PROGRAM [ROOT]. ROOT is a folder with another
user land (tests/portable/lands makes them): everything of gputop and its jobs then runs inside, by chroot; only this test does not.
Jobs are shell scripts, so that the land needs nothing but sh, sleep and glibc."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from terminal import Terminal  # noqa: E402

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else None
ROOT = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else None
PATIENCE = float(os.environ.get("GPUTOP_PATIENCE", "60"))  # seconds; qemu wants more
STEPS = """i=0; while [ $i -lt {count} ]; do i=$((i+1)); echo "Epoch 1/1 step $i/{count} loss 0.$((99-i))"; sleep 0.2; done; exit {code}"""
YAML = "train:\n  batch_size: 8      # small\n  lr: 1e-3\n"


@unittest.skipUnless(PROGRAM, "no program was named")
class Smoke(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Below /tmp of the land, and named as the land sees it: gputop must find everything inside itself, wherever it lies.
        cls.base = pathlib.Path(tempfile.mkdtemp(prefix="gputop smoke ", dir=(ROOT or pathlib.Path("/")) / "tmp"))
        cls.addClassCleanup(shutil.rmtree, cls.base, True)
        cls.home = pathlib.Path("/") / cls.base.relative_to(ROOT) if ROOT else cls.base
        shutil.copy(PROGRAM, cls.base / "gputop")
        cls.enter = ["chroot", str(ROOT)] if ROOT else []
        cls.gputop = [*cls.enter, str(cls.home / "gputop")]
        cls.env = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": str(cls.home), "LANG": "C.UTF-8",
                   "TERM": "xterm-256color", "GPUTOP_RUNTIME_DIR": str(cls.home / "runs")}

    def run_gputop(self, *words, code=0):
        done = subprocess.run([*self.gputop, *map(str, words)], env=self.env, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              timeout=4 * PATIENCE)
        self.assertEqual(code, done.returncode, done)
        return done

    def terminal(self, *words, size=(120, 40)):
        terminal = Terminal([*self.gputop, *words], self.env, *size)
        self.addCleanup(terminal.close)
        return terminal

    def test_snapshot(self):
        self.assertRegex(self.run_gputop("--version").stdout, r"^gputop \d+\.\d+")
        reading = json.loads(self.run_gputop("snapshot", "--json", "--source", "sim").stdout)
        self.assertEqual(1, len(reading["gpus"]))
        self.assertGreaterEqual(reading["host"]["cpu_count"], 1)
        # NVML is looked for, and that it is not there is said: the loader works.
        self.assertIn("libnvidia-ml.so.1", self.run_gputop("snapshot", "--source", "nvml").stdout)

    def test_the_demo_on_a_terminal(self):
        terminal = self.terminal("--demo")
        terminal.wait("SIMULATED", seconds=PATIENCE)
        terminal.wait("samples/s", seconds=PATIENCE)
        terminal.press("q")
        terminal.wait("Detach or stop?", seconds=PATIENCE)
        terminal.press("s")
        self.assertEqual(128 + signal.SIGTERM, terminal.wait_end(PATIENCE))  # the run's own: it was stopped

    def test_a_headless_run_and_its_report(self):
        recording = self.home / "run.gputop"
        done = self.run_gputop("--source", "sim", "--headless", "--record", recording, "--", "sh", "-c", STEPS.format(count=15, code=7), code=7)
        self.assertEqual([f"Epoch 1/1 step {i}/15 loss 0.{99 - i}" for i in range(1, 16)], done.stdout.splitlines())
        self.assertIn("exited with code 7", done.stderr)
        report = json.loads(self.run_gputop("report", "--format", "json", recording).stdout)
        self.assertIn("schema", report)
        self.assertIn("exited with code 7", self.run_gputop("report", recording).stdout)
        self.assertIn("<svg", self.run_gputop("report", "--format", "html", recording).stdout)

    def test_detach_and_attach(self):
        first = self.terminal("--source", "sim", "--name", "smoke", "--", "sh", "-c", STEPS.format(count=4000, code=0))
        first.wait("step 3/4000", seconds=PATIENCE)
        first.press("D")
        self.assertEqual(0, first.wait_end(PATIENCE))
        self.assertIn("smoke", self.run_gputop("ls").stdout)
        second = self.terminal("attach", "smoke", size=(80, 24))
        second.wait("/4000", seconds=PATIENCE)
        second.press("D")
        self.assertEqual(0, second.wait_end(PATIENCE))
        self.run_gputop("stop", "smoke")
        self.assertNotIn("RUNNING", self.run_gputop("ls").stdout.upper())

    def test_apply_and_undo(self):
        config = self.base / "train.yaml"
        config.write_text(YAML)
        inside = self.home / "train.yaml"
        self.run_gputop("apply", "--config", inside, "--change", "batch_size=32", "--scale", "--yes", "--outside")
        self.assertIn("batch_size: 32      # small", config.read_text())
        self.assertIn("32", self.run_gputop("show", "--config", inside).stdout)
        self.run_gputop("undo", "--yes")
        self.assertEqual(YAML, config.read_text())

    def test_doctor(self):
        done = subprocess.run([*self.gputop, "doctor"], env=self.env, capture_output=True, text=True, timeout=4 * PATIENCE)
        self.assertIn(done.returncode, (0, 1), done)  # 1: it found something bad here
        self.assertTrue(done.stdout)


if __name__ == "__main__":
    unittest.main()
