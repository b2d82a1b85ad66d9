"""gputop --headless: lines for a log, a recording, a replay that prints the same lines."""
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from program import ProgramTest  # noqa: E402

FAST = ("--headless", "--interval", "100ms")


class Headless(ProgramTest):
    def test_lines_with_time_and_simulated(self):
        done = self.run_gputop(*FAST, "--duration", "1s", "--source", "sim:healthy")
        self.assertEqual(done.returncode, 0)
        lines = done.stdout.splitlines()
        self.assertGreater(len(lines), 5)
        for line in lines:
            self.assertRegex(line, r"^20\d\d-\d\d-\d\dT[\d:.]+Z  SIMULATED  (GPU \d|host)")

    def test_output_that_is_no_terminal_means_headless(self):
        self.assertIn("GPU 0", self.run_gputop("--duration", "1s", "--source", "sim:idle").stdout)

    def test_without_a_driver_it_says_why_and_goes_on(self):
        out = self.run_gputop(*FAST, "--duration", "1s", LD_LIBRARY_PATH="/nonexistent").stdout
        self.assertIn("no GPU: ", out)
        self.assertIn("host  cpu", out)

    def test_a_command_of_the_users_is_told_that_a_run_ended_and_nothing_is_run_without_one(self):
        told = self.folder / "told"
        config = self.folder / ".config" / "gputop" / "config.yaml"
        job = ("--source", "sim:healthy", "--name", "mine", "--", sys.executable, "-c", "import sys, time; time.sleep(1); sys.exit(3)")
        self.run_gputop(*FAST, *job)
        config.parent.mkdir(parents=True, exist_ok=True)
        config.write_text(f"on_event: 'echo \"$GPUTOP_EVENT: $GPUTOP_TEXT\" >> {told}'\n")
        self.assertFalse(told.exists())
        self.run_gputop(*FAST, *job)
        end = time.monotonic() + 20
        while not (told.exists() and told.read_text().endswith("\n")) and time.monotonic() < end:
            time.sleep(.05)
        self.assertEqual(told.read_text(), "run_ended: mine exited with code 3\n")

    def test_signals_end_it_well(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = self.start_gputop(*FAST, "--source", "sim:idle")
            self.assertIn("GPU 0", process.stdout.readline())
            process.send_signal(number)
            self.assertEqual(process.wait(10), 0)

    def test_a_reader_that_leaves_ends_it_quietly(self):
        process = self.start_gputop(*FAST, "--source", "sim:idle")
        process.stdout.readline()
        process.stdout.close()
        self.assertEqual(process.wait(10), 0)
        self.assertEqual(process.stderr.read(), "")

    def test_a_gpu_that_hangs_is_named_while_the_other_goes_on(self):
        process = self.start_gputop(*FAST, scenario="gpus 2\ngpu * utilization 50\n"
                                                    "gpu 1 hang nvmlDeviceGetUtilizationRates at 1 for 600")
        named = None
        begin = time.monotonic()
        for line in process.stdout:
            if "GPU 1" in line and "not answering" in line:
                named = line
            if named and "GPU 0" in line and "util 50 %" in line:
                break
            if time.monotonic() - begin > 20:
                break
        self.assertIsNotNone(named)
        begin = time.monotonic()
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(10), 0)
        self.assertLess(time.monotonic() - begin, 2, "the hanging call must not hold up the end")

    def test_a_lost_gpu_is_named_and_comes_back(self):
        process = self.start_gputop("--headless", "--interval", "200ms", scenario=(
            "gpus 2\ngpu * utilization 50\ngpu 1 lost from 1 until 3"))
        begin = time.monotonic()
        wanted = ["util 50 %", "lost", "util 50 %"]
        for line in process.stdout:
            if "GPU 1" in line and wanted[0] in line:
                del wanted[0]
            if not wanted:
                break
            self.assertLess(time.monotonic() - begin, 20, f"waited in vain for {wanted[0]}")
        self.assertEqual(wanted, [])

    def test_the_demo_needs_no_gpu(self):
        done = self.run_gputop("--demo", "--interval", "200ms", "--duration", "4s")
        self.assertEqual(done.returncode, 130)  # the run was interrupted: its code is passed on
        self.assertIn("simulated", done.stdout.lower())  # the run's own words
        self.assertIn("SIMULATED", done.stderr)  # the summary's
        self.assertRegex(done.stderr, r"peak 2\.\d GiB of 24\.0 GiB")
        self.assertEqual(self.processes_with("GPUTOP_SIM_BUS=" + str(self.folder)), [])


class Recording(ProgramTest):
    def test_replay_prints_the_lines_that_were_printed(self):
        path = self.folder / "day.gputop"
        live = self.run_gputop(*FAST, "--duration", "2s", "--source", "sim:multi", "--record", path)
        self.assertEqual(live.returncode, 0, live.stderr)
        self.assertEqual(path.stat().st_mode & 0o777, 0o600)
        again = self.run_gputop("replay", path)
        self.assertEqual((again.returncode, again.stderr), (0, ""))
        # A recording keeps what is meaningful: the host's memory and the times are rounded, what the GPUs said is not.
        printed, replayed = (re.findall(r"GPU \d.*", text) for text in (live.stdout, again.stdout))
        self.assertGreater(len(printed), 8 * 10)
        self.assertEqual(printed, replayed)
        some = re.findall(r"GPU \d.*", self.run_gputop("replay", path, "--gpu", "5").stdout)
        self.assertEqual(some, [line for line in printed if line.startswith("GPU 5")])
        if shutil.which("zstd"):
            text = subprocess.run(["zstd", "-dc", str(path)], stdout=subprocess.PIPE, text=True, check=True).stdout
            self.assertIn("gputop.recording/1", text.splitlines()[0])

    def test_kill_9_loses_at_most_two_seconds(self):
        path = self.folder / "cut.gputop"
        process = self.start_gputop(*FAST, "--source", "sim:multi", "--record", path)
        begin = time.monotonic()
        for line in process.stdout:
            if time.monotonic() - begin > 4:
                break
        process.kill()
        again = self.run_gputop("replay", path)
        self.assertEqual(again.returncode, 0)
        self.assertIn("cut", again.stderr)
        replayed = [l for l in again.stdout.splitlines() if "GPU 7" in l]
        self.assertGreater(len(replayed), 15, "of about 40 readings at most 20 may be missing")

    def test_an_existing_file_is_not_overwritten(self):
        path = self.folder / "precious"
        path.write_text("mine")
        done = self.run_gputop(*FAST, "--duration", "1s", "--source", "sim:idle", "--record", path)
        self.assertEqual(done.returncode, 1)
        self.assertIn("precious", done.stderr)
        self.assertEqual(path.read_text(), "mine")

    def test_any_speed(self):
        path = self.folder / "r"
        self.run_gputop(*FAST, "--duration", "2s", "--source", "sim:idle", "--record", path)
        begin = time.monotonic()
        self.run_gputop("replay", path, "--speed", "1", "--headless")
        self.assertGreater(time.monotonic() - begin, 1.5)
        self.assertEqual(self.run_gputop("--source", f"replay:{path}").returncode, 0)


if __name__ == "__main__":
    unittest.main()
