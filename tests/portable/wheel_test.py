"""The wheel as a user gets it: checked by auditwheel and twine, installed into a fresh venv and into a plain prefix (conda), started
by name and by python -m, its demo on a terminal, its module. Run by hand: python3 tests/portable/wheel_test.py WHEEL (scripts/wheel
prints it). Needs PyPI for auditwheel and twine."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import venv

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from terminal import Terminal  # noqa: E402

WHEEL = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else None
USE = """
import gputop, json
reading = gputop.snapshot("sim")
rows = list(gputop.read(RECORDING))
print(json.dumps({"gpus": len(reading["gpus"]), "rows": len(rows), "keys": sorted(rows[0]), "report": sorted(gputop.report(RECORDING))}))
"""


def run(*words, **more):
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300, **more)


@unittest.skipUnless(WHEEL, "no wheel was named")
class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="wheel.")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.home = pathlib.Path(cls.folder.name)
        cls.env = {"PATH": os.environ["PATH"], "HOME": str(cls.home), "LANG": "C.UTF-8", "TERM": "xterm-256color",
                   "GPUTOP_RUNTIME_DIR": str(cls.home / "runtime")}
        venv.create(cls.home / "venv", with_pip=True)
        cls.python = cls.home / "venv" / "bin" / "python"
        done = run(cls.python, "-m", "pip", "install", "--no-index", "--disable-pip-version-check", WHEEL)
        assert done.returncode == 0, done.stdout + done.stderr

    def test_starts_by_name_and_as_a_module(self):
        for words in ([self.python.parent / "gputop"], [self.python, "-m", "gputop"]):
            done = run(*words, "--version", env=self.env)
            self.assertRegex(done.stdout, r"^gputop \d+\.\d+")

    def test_shows_its_demo_on_a_terminal(self):
        terminal = Terminal([str(self.python.parent / "gputop"), "--demo"], self.env, 120, 40)
        self.addCleanup(terminal.close)
        terminal.wait("samples/s", seconds=60)
        terminal.wait("SIMULATED")
        terminal.stop_run()

    def test_the_module_reads_snapshots_and_recordings(self):
        recording = self.home / "run.gputop"
        done = run(self.python.parent / "gputop", "--source", "sim", "--headless", "--duration", "3s", "--record", recording, env=self.env)
        self.assertEqual(0, done.returncode, done.stderr)
        done = run(self.python, "-c", f"RECORDING = {str(recording)!r}\n{USE}", env=self.env)
        self.assertEqual(0, done.returncode, done.stderr)
        said = json.loads(done.stdout)
        self.assertEqual(1, said["gpus"])
        self.assertGreaterEqual(said["rows"], 2)
        self.assertIn("schema", said["report"])

    def test_a_plain_prefix_as_of_conda(self):
        prefix = self.home / "prefix"
        done = run(self.python, "-m", "pip", "install", "--no-index", "--disable-pip-version-check", "--prefix", prefix, "--ignore-installed", WHEEL)
        self.assertEqual(0, done.returncode, done.stderr)
        done = run(prefix / "bin" / "gputop", "snapshot", "--json", "--source", "sim", env=self.env)
        self.assertEqual("sim", json.loads(done.stdout)["source"])

    def test_pipx_and_uv_install_it_as_a_tool(self):
        done = run(self.python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "pipx", "uv")
        if done.returncode != 0:
            self.skipTest("pipx and uv could not be installed")
        places = {"PIPX_HOME": self.home / "pipx", "PIPX_BIN_DIR": self.home / "pipx-bin", "UV_TOOL_DIR": self.home / "uv",
                  "UV_TOOL_BIN_DIR": self.home / "uv-bin", "UV_CACHE_DIR": self.home / "uv-cache"}
        env = {**self.env, **{name: str(place) for name, place in places.items()}}
        for words, place in ((["pipx", "install", WHEEL], "pipx-bin"), (["uv", "tool", "install", "--offline", WHEEL], "uv-bin")):
            with self.subTest(words[0]):
                done = run(self.python, "-m", *words, env=env)
                self.assertEqual(0, done.returncode, done.stdout + done.stderr)
                program = self.home / place / "gputop"
                self.assertEqual("sim", json.loads(run(program, "snapshot", "--json", "--source", "sim", env=env).stdout)["source"])
                self.assertIn("--demo", run(program, "snapshot", "--source", "nvml", env=env).stderr)

    def test_brings_its_licences_man_page_and_completions(self):
        files = run(self.python, "-m", "pip", "show", "-f", "gputop").stdout
        for name in ("licenses/LICENSE", "third-party-licenses.txt", "gputop.spdx.json", "man1/gputop.1", "completions/gputop", "_gputop"):
            self.assertIn(name, files)

    def test_auditwheel_and_twine_accept_it(self):
        done = run(self.python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "auditwheel", "twine")
        if done.returncode != 0:
            self.skipTest("auditwheel and twine could not be installed")
        self.assertIn("PASSED", run(self.python, "-m", "twine", "check", "--strict", WHEEL).stdout)
        shown = run(self.python, "-m", "auditwheel", "show", WHEEL)
        tag = re.search(r'consistent with\s+the\s+following\s+platform\s+tag:\s+"(\w+)"', shown.stdout)
        self.assertIsNotNone(tag, shown.stdout + shown.stderr)
        self.assertRegex(tag[1], r"^manylinux_2_(5|12|17)_")  # not newer than its name says


if __name__ == "__main__":
    unittest.main()
