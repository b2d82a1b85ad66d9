"""Civil time jumps a day forward and two back while a job runs: durations, rates and readings are not affected."""
import csv
import io
import json
import os
import pathlib
import subprocess
import sys
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from sanitized import SANITIZERS  # noqa: E402
from whole_run import GPUTOP, WholeRun  # noqa: E402

DAY = 86400
JOB = """
import time
begin = time.monotonic()
for i in range(90):
    print(f"iter {i}: loss 3.1234, time 50.00ms, mfu 30.12%", flush=True)
    time.sleep(max(0, begin + (i + 1) * 0.05 - time.monotonic()))
"""


@unittest.skipIf(SANITIZERS, "a build with sanitizers has its own clock_gettime in between")
class ClockJumps(unittest.TestCase):
    def setUp(self):
        self.run_ = WholeRun()
        self.addCleanup(self.run_.close)
        self.shift = self.run_.dir / "shift"
        self.shift.write_text("0")
        self.env = {**self.run_.env, "LD_PRELOAD": os.environ["GPUTOP_FAULTS"], "CLOCK_SHIFT": str(self.shift)}

    def jump_during(self, words):
        def jump():
            for seconds in (DAY, -DAY):
                time.sleep(1.2)
                self.shift.write_text(str(seconds))
        jumper = threading.Thread(target=jump)
        jumper.start()
        began = time.monotonic()
        done = subprocess.run(words, env=self.env, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
        took = time.monotonic() - began
        jumper.join()
        self.assertEqual(0, done.returncode, done.stderr)
        return done, took

    def test_a_run(self):
        run = self.run_
        done, took = self.jump_during(run.words(sys.executable, "-c", JOB, options=("--interval", "200ms")))
        self.assertRegex(done.stderr, r"finished after 00:00:0[4-9]")
        jumps = [event["wall"] for event in run.events("clock")]
        self.assertEqual(2, len(jumps), "the recording says that civil time jumped, and to what")
        begin = run.events("stream")[0]["wall"]
        self.assertAlmostEqual(jumps[0] - begin, DAY * 1000, delta=1000)
        self.assertAlmostEqual(jumps[1] - begin, -DAY * 1000, delta=1000)

        report = json.loads(run.gputop("report", str(run.recording), "--format", "json").stdout)
        self.assertLessEqual(report["duration_seconds"], took + 0.5)
        self.assertGreaterEqual(report["duration_seconds"], 3.9)
        self.assertEqual(0, report["gaps_seconds"])
        throughput = report["throughput"]
        self.assertEqual("it/s", throughput["unit"])
        for name in ("min", "avg", "max"):
            self.assertAlmostEqual(throughput[name], 20, delta=5, msg=name)
        power, energy = report["gpus"][0]["power_watts"]["avg"], report["gpus"][0]["energy_wh"]
        self.assertLessEqual(energy, power * took / 3600 * 1.5 + 0.1)

        # Readings of the host are rates: none is wild, and the clocks of all rows go forward.
        advice = json.loads(run.gputop("advise", str(run.recording), "--json").stdout)
        self.assertEqual("gputop.advice/1", advice["schema"])
        rows = list(csv.DictReader(io.StringIO(run.gputop("report", str(run.recording), "--format", "csv").stdout)))
        self.assertGreater(len(rows), 15)
        for row in rows:
            self.assertLessEqual(float(row["utilization_percent"]), 100)
            self.assertLess(float(row["power_watts"]), 60)

    def test_the_monitor(self):
        words = [GPUTOP, "--csv", "--interval", "200ms", "--duration", "4s", "--source", "sim:healthy"]
        done, took = self.jump_during(words)
        self.assertLess(took, 9)
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        self.assertGreater(len(rows), 10, "readings go on while civil time is a day back")
        self.assertLess(len(rows), 25, "and do not come faster")
        for row in rows[1:]:
            self.assertLess(float(row["pcie_rx_bytes_per_second"]), 3e9)
            self.assertGreater(float(row["pcie_rx_bytes_per_second"]), 1e8)
            self.assertGreater(float(row["power_watts"]), 200)
        days = {row["time"][:10] for row in rows}
        self.assertEqual(3, len(days), f"the times are those of the clock: {sorted(days)}")

    def test_a_snapshot_on_such_a_day(self):
        self.shift.write_text(str(-DAY))
        done = subprocess.run([GPUTOP, "snapshot", "--json", "--source", "sim:healthy"], env=self.env, capture_output=True, text=True,
                              timeout=20)
        reading = json.loads(done.stdout)
        self.assertLess(reading["time"], time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(time.time() - DAY / 2)))
        self.assertLessEqual(reading["host"]["cpu_percent"], 100)


if __name__ == "__main__":
    unittest.main()
