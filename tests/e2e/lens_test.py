"""gputop puts the lens into a run and receives its messages: the environment, private files, isolated Pythons, a killed engine."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import processes
import fake_torch  # noqa: E402
import run_jobs  # noqa: E402
from program import ProgramTest  # noqa: E402

RECORDING_TOOL = os.environ["GPUTOP_RECORDING_TOOL"]

# Trains until it is told to stop by a file (or for half a second).
TRAIN = """
import os, sys, time
import torch
from torch.utils.data import DataLoader
model = torch.nn.Module()
model._parameters["weight"] = torch.Tensor(4, 4)
optimizer = torch.optim.AdamW(model.parameters(), dict(lr=0.1))
end = time.monotonic() + 0.5
while not os.path.exists(sys.argv[1]) if len(sys.argv) > 1 else time.monotonic() < end:
    for batch in DataLoader(list(range(80)), batch_size=8):
        time.sleep(0.01)
        optimizer.step()
print("trained")
"""

# Closes everything it did not open, as daemons and subprocess helpers do, and opens sockets of its own under the same numbers.
CLOSES = """
import os, socket, sys, time
import torch
from torch.utils.data import DataLoader
model = torch.nn.Module()
model._parameters["weight"] = torch.Tensor(4, 4)
optimizer = torch.optim.AdamW(model.parameters(), dict(lr=0.1))
def train(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for batch in DataLoader(list(range(80)), batch_size=8):
            time.sleep(0.01)
            optimizer.step()
train(1.5)
os.closerange(3, 512)
pairs = [socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET) for _ in range(40)]
for ours, theirs in pairs:
    ours.send(b"to theirs")
    theirs.send(b"to ours")
train(3)
for pair in pairs:
    got = []
    for end in pair:
        end.setblocking(False)
        try:
            while True:
                got.append(end.recv(65536).decode())
        except BlockingIOError:
            pass
    assert got == ["to ours", "to theirs"], got
print("untouched")
"""

SHOW = """
import json, os, sys
here = os.environ.get("PYTHONPATH", "").split(":")[0]
files = {}
for folder, folders, names in os.walk(os.path.dirname(here)):
    for name in folders + names:
        path = os.path.join(folder, name)
        files[os.path.relpath(path, os.path.dirname(here))] = oct(os.stat(path).st_mode & 0o777)
print(json.dumps(dict(environment={k: v for k, v in os.environ.items() if k.startswith(("PYTHON", "GPUTOP_LENS"))},
                      path=sys.path, files=files, finders=[str(f) for f in sys.meta_path])))
"""


class LensTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.runtime = self.folder / "runtime"
        self.runtime.mkdir(mode=0o700)
        self.recording = self.folder / "recording"

    def environment(self, scenario=None, **more):
        """With the runtime folder that a login session has."""
        env = super().environment(scenario, XDG_RUNTIME_DIR=str(self.runtime), **more)
        del env["GPUTOP_RUNTIME_DIR"]
        return env

    def run_job(self, *job, options=(), **more):
        self.recording.unlink(missing_ok=True)
        result = self.run_gputop("--headless", "--record", self.recording, *options, "--", *job, **more)
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertEqual([], list((self.runtime / "gputop").iterdir()), "the run's files are still there")
        return result

    def python(self, text, *words, options=(), flags=(), interpreter=sys.executable, **more):
        script = self.folder / "script.py"
        script.write_text(text)
        return self.run_job(interpreter, *flags, script, *words, options=options, **more)

    def events(self):
        text = subprocess.run([RECORDING_TOOL, "events", self.recording], capture_output=True, text=True).stdout
        return [json.loads(line) for line in text.splitlines() if line.startswith("{")]

    def said(self, kind):
        return [event["event"] for event in self.events() if event["kind"] == "lens_" + kind]


class Injection(LensTest):
    def shown(self, **more):
        return json.loads(self.python(SHOW, flags=["-B"], **more).stdout)

    def test_two_variables_and_private_files_and_nothing_else(self):
        shown = self.shown()
        self.assertEqual({"PYTHONPATH", "GPUTOP_LENS_SOCKET"}, set(shown["environment"]))
        self.assertTrue(shown["environment"]["PYTHONPATH"].startswith(str(self.runtime)))
        self.assertNotIn(shown["environment"]["PYTHONPATH"], shown["path"])
        self.assertEqual("0o600", shown["files"]["inject/sitecustomize.py"])
        self.assertEqual("0o700", shown["files"]["_gputop_lens"])
        self.assertEqual({"0o600", "0o700"}, set(shown["files"].values()))
        self.assertEqual(["inject/sitecustomize.py"], [name for name in shown["files"] if name.startswith("inject/")])
        self.assertEqual("0o700", oct(os.stat(self.runtime / "gputop").st_mode & 0o777))
        self.assertIn("GputopFinder", shown["finders"][0])

    def test_the_users_own_path_and_sitecustomize_stay(self):
        own = self.folder / "own"
        own.mkdir()
        (own / "sitecustomize.py").write_text("import sys\nsys.user_customized = __file__\n")
        result = self.python(SHOW + "import sitecustomize\nprint(sys.user_customized, sitecustomize.__file__)\n", PYTHONPATH=str(own))
        first, second = result.stdout.splitlines()
        shown = json.loads(first)
        self.assertTrue(shown["environment"]["PYTHONPATH"].endswith(":" + str(own)))
        self.assertIn(str(own), shown["path"])
        self.assertEqual(f"{own}/sitecustomize.py {own}/sitecustomize.py", second)

    def test_an_error_in_the_users_sitecustomize_is_reported_as_always(self):
        own = self.folder / "own"
        own.mkdir()
        (own / "sitecustomize.py").write_text("import no_such_module\n")
        errors = self.python("print(1)", PYTHONPATH=str(own)).stderr
        self.assertIn("Error in sitecustomize", errors)
        self.assertIn("no_such_module", errors)

    def test_switched_off_nothing_is_changed(self):
        for more in (dict(options=["--no-lens"]), dict(GPUTOP_LENS="0")):
            shown = self.shown(**more)
            self.assertNotIn("PYTHONPATH", shown["environment"])
            self.assertNotIn("GputopFinder", shown["finders"][0])

    def test_isolated_pythons_are_named_and_run_on(self):
        for flags in (["-I"], ["-uE"], ["-S"]):
            result = self.python("print('ran')", flags=flags)
            self.assertEqual("ran\n", result.stdout)
            self.assertIn("lens not available: isolated mode", result.stderr)
            messages = [event["event"]["message"] for event in self.events() if event["kind"] == "source"]
            self.assertTrue(any("isolated mode" in message for message in messages), messages)

    def test_every_python_there_is_starts_as_ever(self):
        """Including Pythons too old for a lens."""
        for name in ("python2.7", "python3.6", "python3.7", "python3.8", "python3.12", "python3.13"):
            found = shutil.which(name)
            if found and subprocess.run([found, "-c", "1"], capture_output=True).returncode == 0:
                with self.subTest(name):
                    result = self.python("import sys\nprint(sys.version_info[0])", interpreter=found)
                    self.assertEqual(name[6], result.stdout.strip())
                    self.assertNotIn("Traceback", result.stderr)


class Hearing(LensTest):
    def setUp(self):
        super().setUp()
        fake_torch.write(self.folder)  # beside the script

    def test_what_the_lens_says_is_recorded(self):
        result = self.python(TRAIN, flags=["-B"])
        self.assertEqual("trained\n", result.stdout)
        self.assertEqual(8, self.said("loader")[0]["batch_size"])
        self.assertEqual("2.9.0+cu126", self.said("hello")[0]["torch"])
        self.assertEqual(16, self.said("model")[0]["roots"][0]["params"])
        self.assertGreaterEqual(self.said("tick")[-1]["steps"], 10)
        self.assertEqual(self.said("bye")[0]["steps"], self.said("tick")[-1]["steps"])
        self.assertEqual(self.said("hello")[0]["pid"], self.said("hello")[0]["of"])

    def training(self):
        """A run that lasts until the file exists, its process and its engine."""
        script = self.folder / "script.py"
        script.write_text(TRAIN)
        stop = self.folder / "stop"
        process = self.start_gputop("--headless", "--record", self.recording, "--", sys.executable, "-B", script, stop)
        self.wait_for(lambda: self.said("tick"))
        engine = [pid for pid in self.processes_with(str(self.runtime)) if b"engine" in self.command(pid)]
        self.assertEqual(1, len(engine))
        return stop, process, engine[0]

    def test_its_last_words_are_heard_by_an_engine_that_is_late(self):
        stop, process, engine = self.training()
        job = self.said("hello")[0]["pid"]
        processes.send(engine, signal.SIGSTOP)
        stop.touch()
        self.wait_for(lambda: not run_jobs.alive(job))
        processes.send(engine, signal.SIGCONT)
        out, errors = process.communicate(timeout=60)
        self.assertEqual((0, "trained\n"), (process.returncode, out), errors)
        self.assertEqual(1, len(self.said("bye")))

    def test_an_engine_that_was_killed_is_found_again(self):
        stop, process, engine = self.training()
        processes.send(engine, signal.SIGKILL)
        self.wait_for(lambda: len(self.said("hello")) == 2)
        stop.touch()
        out, errors = process.communicate(timeout=60)
        self.assertEqual((0, "trained\n"), (process.returncode, out), errors)
        self.assertEqual(2, len(self.said("hello")))
        self.assertEqual(1, len(self.said("bye")))

    def test_a_descriptor_that_is_not_its_own_any_more_is_left_alone(self):
        result = self.python(CLOSES, flags=["-B"])
        self.assertEqual("untouched\n", result.stdout, result.stderr)
        self.assertEqual(2, len(self.said("hello")), "it connects again")

    @staticmethod
    def command(pid):
        try:
            return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            return b""

    def wait_for(self, condition):
        end = time.monotonic() + 40
        while not condition():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.1)


if __name__ == "__main__":
    unittest.main()
