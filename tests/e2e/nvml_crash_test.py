"""A driver's library that takes its process down costs readings: never a snapshot, the monitor, a recording or a run."""
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import program  # noqa: E402
from screen_program import ScreenTest  # noqa: E402

GPUS = """gpus 2
gpu * name "NVIDIA H100"
gpu * utilization 90
gpu * memory_total 80GiB
gpu * memory_used 10GiB
gpu * power 300
gpu * temperature 60
"""
WAYS = ("segfault", "abort", "exit", "_exit", "smash", "overflow", "heap", "debris")


class NvmlCrash(ScreenTest):
    def dying(self, rule):
        return GPUS + f"die {rule}\n"

    def snapshot(self, rule):
        done = self.run_gputop("snapshot", "--json", scenario=self.dying(rule))
        self.assertEqual(0, done.returncode, done.stderr)
        return json.loads(done.stdout), done.stderr

    def test_a_snapshot_has_all_readings_but_the_one_that_kills(self):
        for way in WAYS:
            with self.subTest(way=way):
                found, said = self.snapshot(f"nvmlDeviceGetPowerUsage {way}")
                self.assertEqual([60, 60], [gpu["temperature_celsius"] for gpu in found["gpus"]], found)
                self.assertEqual([None, None], [gpu["power_watts"] for gpu in found["gpus"]])
                self.assertIn("nvmlDeviceGetPowerUsage", said)
                self.assertIn("helper process", said)

    def test_a_snapshot_of_a_library_that_cannot_even_be_loaded_says_so(self):
        for rule in [f"load {way}" for way in WAYS] + ["nvmlInit_v2 segfault", "nvmlDeviceGetCount_v2 abort"]:
            with self.subTest(rule=rule):
                found, said = self.snapshot(rule)
                self.assertEqual([], found["gpus"])
                self.assertIn("there are no GPU readings", json.dumps(found))
                self.assertIn("cpu", json.dumps(found["host"]))

    def test_a_lock_that_is_never_given_back_costs_readings_only(self):
        rule = "nvmlDeviceGetTemperature lock"
        with self.subTest("snapshot"):
            found, said = self.snapshot(rule)
            self.assertIn("stood still", said)
            self.assertIn("cpu", json.dumps(found["host"]))
        with self.subTest("snapshot, before its loop has begun"):
            found, said = self.snapshot("load lock")
            self.assertIn("stood still", said)
            self.assertEqual([], found["gpus"])
            self.assertIn("cpu", json.dumps(found["host"]))
        with self.subTest("monitor"):
            terminal = self.open("--interval", "250ms", size=(200, 50), until=re.compile("stood still"), scenario=self.dying(f"{rule} at 2"))
            terminal.wait(re.compile("CPU"), "the host's figures")
            self.quit(terminal)
        with self.subTest("run"):
            done = self.run_gputop("--headless", "--interval", "200ms", "--", "sh", "-c", "sleep 3; echo done; exit 7", scenario=self.dying(rule))
            self.assertEqual((7, "done\n"), (done.returncode, done.stdout), done.stderr)

    def test_the_monitor_goes_on_and_gives_the_terminal_back(self):
        row = re.compile(r"│ +1 [^│]*90 %")  # the second GPU, busy
        for way, size in (("smash", (200, 50)), ("_exit", (80, 24)), ("heap", (200, 50)), ("debris", (80, 24)), ("abort", (80, 24)), ("exit", (80, 24))):
            with self.subTest(way=way):
                recording = self.folder / f"{way}.rec"
                terminal = self.open("--record", recording, "--interval", "250ms", size=size, until=row,
                                     scenario=self.dying(f"nvmlDeviceGetTemperature {way} at 2"))
                pid = terminal.pid
                terminal.wait(re.compile("helper"), "the reason", seconds=60)
                terminal.wait(row, "the second GPU again")
                self.assertEqual(pid, terminal.pid)
                self.quit(terminal)
                events = self.events(recording)
                times = [event["seconds"] for event in events if event["kind"] != "stream"]
                self.assertEqual(sorted(times), times, "the recording's time goes on")
                self.assertIn("NVML", json.dumps(events))

    def events(self, recording):
        tool = os.environ["GPUTOP_RECORDING_TOOL"]
        lines = subprocess.run([tool, "events", str(recording)], capture_output=True, text=True, check=True).stdout.splitlines()
        return [json.loads(line) for line in lines]

    def test_a_run_keeps_its_recording_and_its_exit_code(self):
        for way in WAYS:
            with self.subTest(way=way):
                recording = self.folder / f"run-{way}.rec"
                job = "for i in $(seq 40); do echo line $i; sleep 0.1; done; exit 7"
                done = self.run_gputop("--headless", "--interval", "200ms", "--record", recording, "--", "sh", "-c", job,
                                       scenario=self.dying(f"nvmlDeviceGetTemperature {way}"))
                self.assertEqual(7, done.returncode, done.stderr)
                self.assertEqual([f"line {i}" for i in range(1, 41)], done.stdout.split("\n")[:-1])
                text = json.dumps(self.events(recording))
                self.assertIn("nvmlDeviceGetTemperature", text)
                self.assertIn("helper process", text)
                self.assertIn('"exit_code": 7', text)

    def test_the_screen_of_a_run_says_why(self):
        terminal = self.open("--interval", "250ms", "--", "sh", "-c", "sleep 60", size=(200, 50), until="sh output",
                             scenario=self.dying("nvmlDeviceGetPowerUsage segfault"))
        terminal.wait("NVML crashed in nvmlDeviceGetPowerUsage", seconds=60)
        terminal.wait("60°")
        terminal.stop_run()


if __name__ == "__main__":
    unittest.main()
