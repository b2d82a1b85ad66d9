"""Runs the built gputop like a user: a scenario for the fake NVML, a private home, output and exit code."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

import processes

GPUTOP = os.environ["GPUTOP"]
FAKE_NVML = os.environ["GPUTOP_FAKE_NVML"]


class ProgramTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gputop-e2e-"))
        self.addCleanup(shutil.rmtree, self.folder, True)

    def environment(self, scenario=None, **more):
        """Without the caller's settings; with the fake NVML only if a scenario is given."""
        env = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "LANG": "C.UTF-8",
               "GPUTOP_SIM_BUS": str(self.folder / "bus"), "TERM": "xterm-256color",
               "GPUTOP_RUNTIME_DIR": str(self.folder / "runtime")}  # no other test's runs
        if scenario is not None:
            path = self.folder / "scenario"
            path.write_text(scenario)
            env["FAKE_NVML_SCENARIO"] = str(path)
            env["LD_LIBRARY_PATH"] = FAKE_NVML
        env.update(more)
        return env

    def run_gputop(self, *words, scenario=None, timeout=60, cwd=None, **more):
        return subprocess.run([GPUTOP, *map(str, words)], env=self.environment(scenario, **more), text=True, cwd=cwd,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout)

    def start_gputop(self, *words, scenario=None, **more):
        process = subprocess.Popen([GPUTOP, *map(str, words)], env=self.environment(scenario, **more), text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(self._end, process)
        return process

    @staticmethod
    def processes_with(variable):
        """PIDs of the living processes that have this in their environment."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and variable in (entry / "environ").read_bytes().decode(errors="replace"):
                    found.append(int(entry.name))
            except OSError:
                pass  # gone, or not ours
        return found

    def _end(self, process):
        """Also after a failure: a run's living processes (its job, its keeper) hold the pipes open, so all of them are ended."""
        if process.poll() is None:
            process.kill()
            end = time.monotonic() + 20
            while (found := set(self.processes_with(str(self.folder))) - {os.getpid()}) and time.monotonic() < end:
                processes.kill(found)
                process.poll()
                time.sleep(0.05)
        process.communicate(timeout=20)
