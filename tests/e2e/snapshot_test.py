"""gputop snapshot prints what the driver reports, and nothing else."""
import csv
import io
import json
import os
import pathlib
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from program import ProgramTest  # noqa: E402

GiB = 1 << 30

# Every value differs by GPU, so that none can be another's.
EVERYTHING = """
driver 550.54.15
gpu * name "NVIDIA Test {i}"
gpu * uuid "GPU-test-{i}"
gpu * utilization 10+1i
gpu * memory_utilization 5+1i
gpu * memory_total 80GiB
gpu * memory_used 1048576+4096i
gpu * memory_reserved 600MiB
gpu * temperature 40+1i
gpu * fan 20+1i
gpu * power 100.125+1i
gpu * power_limit 300+1i
gpu * max_power_limit 400+1i
gpu * sm_clock 1000+1i
gpu * memory_clock 5000+1i
gpu * pcie_rx 1000+1i
gpu * pcie_tx 2000+1i
gpu * encoder 1+1i
gpu * decoder 2+1i
gpu * throttle sw_power_cap+hw_thermal_slowdown
gpu * performance_state 2
gpu * persistence on
gpu * ecc_corrected 3+1i
gpu * ecc_uncorrected 0
gpu * pcie_generation 4
gpu * pcie_width 8
gpu * max_pcie_generation 5
gpu * max_pcie_width 16
gpu * compute_capability 9.0
"""


def expected(i):
    return {
        "index": i, "name": f"NVIDIA Test {i}", "uuid": f"GPU-test-{i}", "utilization_percent": 10 + i,
        "memory_used_bytes": 1048576 + 4096 * i, "memory_total_bytes": 80 * GiB, "temperature_celsius": 40 + i,
        "fan_percent": 20 + i, "power_watts": 100.125 + i, "power_limit_watts": 300 + i, "sm_clock_mhz": 1000 + i,
        "memory_clock_mhz": 5000 + i, "pcie_rx_bytes_per_second": (1000 + i) * 1024,
        "pcie_tx_bytes_per_second": (2000 + i) * 1024, "encoder_percent": 1 + i, "decoder_percent": 2 + i,
        "throttle_reasons": ["sw_power_cap", "hw_thermal_slowdown"], "processes": [], "error": None,
        "performance_state": 2, "persistence": True, "ecc_corrected": 3 + i, "ecc_uncorrected": 0,
        "pcie_generation": 4, "pcie_width": 8, "pcie_max_generation": 5, "pcie_max_width": 16,
        "compute_capability": "9.0", "max_power_limit_watts": 400 + i, "memory_reserved_bytes": 600 << 20,
    }


class Snapshot(ProgramTest):
    def gpus(self, scenario, **more):
        done = self.run_gputop("snapshot", "--json", scenario=scenario, **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["gpus"]

    def test_json_equals_the_scenario_for_1_8_and_64_gpus(self):
        for count in (1, 8, 64):
            with self.subTest(gpus=count):
                gpus = self.gpus(f"gpus {count}\n{EVERYTHING}")
                self.assertEqual(len(gpus), count)
                for i, gpu in enumerate(gpus):
                    wanted = expected(i)
                    self.assertEqual({key: gpu[key] for key in wanted}, wanted)

    def test_a_modern_driver_counts_bytes_and_says_what_the_chip_did(self):
        gpu, = self.gpus("""
gpus 1
driver 580.65.06
gpu * utilization 100
gpu * pcie_tx_bytes linear 0:0 1000:1000000000000
gpu * pcie_rx_bytes linear 0:0 1000:2000000000000
gpu * power_cap_time linear 0:0 1000:500
gpu * memory_temperature 88
gpu * thermal_margin 12
gpu * recovery_action 0
gpu * gpm_sm 62
gpu * gpm_occupancy 40
gpu * gpm_tensor 31
gpu * gpm_dram 48
""")
        self.assertAlmostEqual(gpu["pcie_tx_bytes_per_second"], 1e9, delta=1e7)
        self.assertAlmostEqual(gpu["pcie_rx_bytes_per_second"], 2e9, delta=2e7)
        self.assertAlmostEqual(gpu["slowed_percent"]["power_cap"], 50, delta=1)
        self.assertIsNone(gpu["slowed_percent"]["hardware_thermal"])
        self.assertEqual(gpu["activity_percent"], {"sm": 62, "occupancy": 40, "tensor": 31, "dram": 48})
        self.assertEqual(gpu["memory_temperature_celsius"], 88)
        self.assertEqual(gpu["health"]["thermal_margin_celsius"], 12)
        self.assertEqual(gpu["health"]["recovery_action"], 0)
        self.assertIsNone(gpu["nvlink_tx_bytes_per_second"])

    def test_an_old_driver_says_none_of_it(self):
        gpu, = self.gpus("gpus 1\ndriver 470.256.02\nwithout nvmlGpm* nvmlDeviceGetMarginTemperature\ngpu * utilization 100\ngpu * pcie_tx 7\n")
        self.assertEqual(gpu["pcie_tx_bytes_per_second"], 7 * 1024)
        for key in ("activity_percent", "slowed_percent", "health", "memory_temperature_celsius", "nvlink_rx_bytes_per_second"):
            self.assertIsNone(gpu[key], key)

    def test_older_symbols_fill_every_field_that_exists(self):
        gpus = self.gpus(f"gpus 2\n{EVERYTHING}\nwithout *_v2 *_v3 *ClocksEventReasons")
        for i, gpu in enumerate(gpus):
            wanted = expected(i)
            # The old memory call cannot tell what the driver reserved: it is part of what is used.
            wanted["memory_used_bytes"] += 600 << 20
            wanted["memory_reserved_bytes"] = None
            self.assertEqual({key: gpu[key] for key in wanted}, wanted)

    def test_not_supported_is_null(self):
        gpu = self.gpus("gpus 1")[0]
        known = {"index", "name", "uuid", "processes", "state", "pci_bus_id", "mig"}
        for key, value in gpu.items():
            if key not in known:
                self.assertIsNone(value, key)

    def test_processes_have_user_and_command(self):
        done = self.run_gputop("snapshot", "--json", scenario=(
            f"gpu 0 process {os.getpid()} memory 2GiB sm 45\ngpu 0 process 4000000 memory unknown\n"))
        processes = {p["pid"]: p for p in json.loads(done.stdout)["gpus"][0]["processes"]}
        mine = processes[os.getpid()]
        self.assertEqual(mine["memory_used_bytes"], 2 * GiB)
        self.assertIn("snapshot_test.py", mine["command"])
        self.assertTrue(mine["user"])
        gone = processes.get(4000000)  # the driver may name a process that has ended
        if gone:
            self.assertIsNone(gone["memory_used_bytes"])
            self.assertIsNone(gone["command"])

    def test_gpu_selects(self):
        done = self.run_gputop("snapshot", "--json", "--gpu", "1,3", scenario=f"gpus 4\n{EVERYTHING}")
        self.assertEqual([gpu["index"] for gpu in json.loads(done.stdout)["gpus"]], [1, 3])

    def test_gpu_selects_simulated_ones_too_and_names_what_is_not_there(self):
        done = self.run_gputop("snapshot", "--json", "--source", "sim:multi", "--gpu", "2,0,17")
        self.assertEqual([gpu["index"] for gpu in json.loads(done.stdout)["gpus"]], [0, 2])
        self.assertIn("there is no GPU 17", done.stderr)
        several = self.run_gputop("snapshot", "--gpu", "1,9", scenario=f"gpus 4\n{EVERYTHING}")
        self.assertIn("there is no GPU 9", several.stderr)

    def test_a_bogus_power_reading_is_called_a_sensor_error(self):
        gpu = self.gpus("gpu 0 power 590\ngpu 0 power_limit 115\ngpu 0 max_power_limit 115")[0]
        self.assertIsNone(gpu["power_watts"])
        self.assertIn("590 W", gpu["error"])

    def test_csv_and_json_say_the_same(self):
        scenario = f"gpus 2\n{EVERYTHING}"
        rows = list(csv.DictReader(io.StringIO(self.run_gputop("snapshot", "--csv", scenario=scenario).stdout)))
        for row, gpu in zip(rows, self.gpus(scenario), strict=True):
            for key in ("utilization_percent", "memory_used_bytes", "power_watts", "pcie_rx_bytes_per_second"):
                self.assertEqual(float(row[key]), gpu[key], key)

    def test_a_hanging_gpu_does_not_hide_the_others(self):
        begin = time.monotonic()
        gpus = self.gpus(f"gpus 3\n{EVERYTHING}\ngpu 1 hang nvmlDeviceGetTemperature at 0 for 10")
        self.assertLess(time.monotonic() - begin, 8)
        self.assertEqual(gpus[1]["state"], "not answering")
        self.assertIn("not answering", gpus[1]["error"])
        self.assertEqual([gpus[0]["utilization_percent"], gpus[2]["utilization_percent"]], [10, 12])

    def test_why_there_is_no_gpu_is_said(self):
        for trouble, words in (("error nvmlInit* driver_not_loaded", "driver"),
                               ("error nvmlInit* version_mismatch", "version"),
                               ("error nvmlInit* no_permission", "permi"),
                               ("gpus 0", "no")):
            with self.subTest(trouble):
                done = self.run_gputop("snapshot", "--json", scenario=trouble)
                self.assertEqual(done.returncode, 0)
                said = json.loads(done.stdout)
                self.assertEqual(said["gpus"], [])
                self.assertIn(words, said["error"].lower())
                self.assertGreater(said["host"]["cpu_count"], 0)

    def test_a_driver_that_takes_its_time_is_waited_for(self):
        gpus = self.gpus(f"gpus 1\n{EVERYTHING}\nlatency nvmlInit_v2 2s")
        self.assertEqual(gpus[0]["utilization_percent"], 10)

    def test_a_driver_that_never_answers_is_named(self):
        begin = time.monotonic()
        said = json.loads(self.run_gputop("snapshot", "--json", scenario="hang nvmlInit_v2 at 0 for 600").stdout)
        self.assertLess(time.monotonic() - begin, 20)
        self.assertIn("nvmlInit", said["error"])

    def test_without_the_library_everything_else_works(self):
        done = self.run_gputop("snapshot", LD_LIBRARY_PATH="/nonexistent")
        self.assertEqual(done.returncode, 0)
        self.assertIn("host  cpu", done.stdout)

    def test_what_is_simulated_says_so(self):
        self.assertIn("SIMULATED", self.run_gputop("snapshot", "--source", "sim:healthy").stdout)
        self.assertTrue(json.loads(self.run_gputop("snapshot", "--json", "--source", "sim:multi").stdout)["simulated"])


if __name__ == "__main__":
    unittest.main()
