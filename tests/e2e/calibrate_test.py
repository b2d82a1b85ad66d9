"""gputop calibrate: what a card reaches, measured with a fake CUDA that can be slow, broken, hung or dead."""
import concurrent.futures
import json
import os
import pathlib
import re
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from program import FAKE_NVML, ProgramTest  # noqa: E402

FAKE_CUDA = os.environ["GPUTOP_FAKE_CUDA"]
SOURCE = pathlib.Path(os.environ["GPUTOP_SOURCE"])
CALLS = re.findall(r"^(?:RUNTIME|MATH)\((\w+)", (SOURCE / "src/calibrate/functions.def").read_text(), re.M)
NVML = """driver 580.65.06
gpus 1
gpu 0 name "NVIDIA Test"
gpu 0 uuid GPU-test
gpu 0 utilization 0
gpu 0 memory_total 24GiB
"""
CARD = """context 436MiB
to_gpu_pinned 25e9
to_gpu_pageable 6e9
to_host_pinned 24e9
to_host_pageable 5e9
gpu_memory 2e12
fp32 19e12
tf32 140e12
fp16 280e12
bf16 271e12
"""


class Calibrate(ProgramTest):
    def calibrate(self, *words, card=CARD, nvml=NVML, name="card", **more):
        place = self.folder / name
        place.mkdir(exist_ok=True)
        memory = place / "memory"
        memory.write_text(str(1 << 30))
        (place / "scenario").write_text(nvml + f"gpu 0 memory_used file {memory}\n")
        (place / "cuda").write_text(card + f"memory_file {memory}\n")
        environment = {"FAKE_NVML_SCENARIO": str(place / "scenario"), "FAKE_CUDA_SCENARIO": str(place / "cuda"),
                       "LD_LIBRARY_PATH": f"{FAKE_NVML}:{FAKE_CUDA}", "XDG_STATE_HOME": str(place / "state"), **more}
        return self.run_gputop("calibrate", *words, **environment)

    def measured(self, *words, **more):
        done = self.calibrate("--json", *words, **more)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        document = json.loads(done.stdout)
        self.assertEqual(document["schema"], "gputop.calibration/1")
        return document["calibrations"]

    def test_every_figure_and_that_it_is_kept(self):
        (card,) = self.measured()
        for key, value in {"to_gpu_pinned": 25e9, "to_gpu_pageable": 6e9, "to_host_pinned": 24e9, "to_host_pageable": 5e9,
                           "gpu_memory": 2e12, "fp32": 19e12, "tf32": 140e12, "fp16": 280e12, "bf16": 271e12}.items():
            self.assertAlmostEqual(card[key] / value, 1, delta=0.01, msg=key)
        self.assertEqual(card["context"], 436 << 20)
        self.assertEqual(card["context_with_math"], 436 << 20)
        self.assertEqual((card["uuid"], card["driver"], card["runtime"]), ("GPU-test", "580.65.06", "13.0"))
        self.assertEqual(card["notes"], [])
        self.assertGreater(card["launch_time"], 0)
        self.assertEqual(self.measured("--show"), [card])
        shown = self.calibrate("--show").stdout
        self.assertIn("25.0 GB/s", shown)
        self.assertIn("271 TFLOP/s", shown)

    def test_latency_is_that_of_the_call(self):
        (card,) = self.measured(card=CARD + "latency cudaMemsetAsync 1ms\nlatency cudaMemcpyAsync 2ms\n")
        self.assertGreaterEqual(card["launch_time"], 0.001)
        self.assertGreaterEqual(card["copy_time"], 0.002)

    def test_an_old_card(self):
        (card,) = self.measured(card=CARD + "capability 6\nruntime 11080\n")
        self.assertIsNone(card["tf32"])
        self.assertIsNone(card["bf16"])
        self.assertIsNotNone(card["fp16"])
        self.assertEqual(card["runtime"], "11.8")
        self.assertIn("bf16 was not measured: this card does not support it", card["notes"])

    def test_little_memory(self):
        (card,) = self.measured(card=CARD + "free 40MiB\nlockable 10MiB\n")
        self.assertAlmostEqual(card["to_gpu_pinned"] / 25e9, 1, delta=0.01)
        self.assertAlmostEqual(card["fp32"] / 19e12, 1, delta=0.01)
        (card,) = self.measured(card=CARD + "free 1MiB\n")
        self.assertIsNone(card["to_gpu_pinned"])
        self.assertIn("copies were not measured: cudaMalloc: out of memory (2)", card["notes"])

    def test_one_precision_refused_costs_only_that(self):
        (card,) = self.measured(card=CARD + "error bf16 15\n")
        self.assertIsNone(card["bf16"])
        self.assertIsNotNone(card["fp16"])
        self.assertIn("bf16 was not measured: cublasGemmEx: cuBLAS error (15)", card["notes"])

    def trouble(self, call, line, name):
        began = time.monotonic()
        done = self.calibrate("--timeout", "1", card=CARD + line + "\n", name=name)
        return call, done, time.monotonic() - began

    def every_call(self, kind, make):
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            results = list(pool.map(lambda call: self.trouble(call, make(call), f"{kind}-{call}"), CALLS))
        self.assertGreaterEqual(len(results), 20)
        return results

    def test_a_hang_in_each_call_is_named(self):
        for call, done, seconds in self.every_call("hang", lambda call: f"hang {call}"):
            with self.subTest(call=call):
                self.assertEqual(done.returncode, 1, done.stdout)
                self.assertIn(f"CUDA hangs in {call}: it did not come back within 1 s", done.stderr)
                self.assertLess(seconds, 30)
        self.assertEqual(self.processes_with("FAKE_CUDA_SCENARIO=" + str(self.folder)), [])

    def test_a_crash_in_each_call_is_named(self):
        ways = ("segfault", "abort", "exit")
        how = {"segfault": "crashed (Segmentation fault)", "abort": "crashed (Aborted)", "exit": "called exit()"}
        for call, done, _ in self.every_call("die", lambda call: f"die {call} {ways[CALLS.index(call) % 3]}"):
            with self.subTest(call=call):
                self.assertEqual(done.returncode, 1, done.stdout)
                self.assertIn(f"CUDA {how[ways[CALLS.index(call) % 3]]} in {call}", done.stderr)

    def test_an_error_of_each_call_is_told(self):
        harmless = {"cudaFreeHost", "cudaStreamDestroy", "cudaEventDestroy", "cublasDestroy_v2"}
        for call, done, _ in self.every_call("error", lambda call: f"error {call} 700"):
            with self.subTest(call=call):
                if call not in harmless:
                    self.assertIn(call, done.stdout + done.stderr)
                    self.assertIn("(700)", done.stdout + done.stderr)

    def test_a_gpu_in_use_is_left_alone(self):
        busy = NVML + "gpu 0 process 4242 type C memory 12GiB\n"
        done = self.calibrate(nvml=busy)
        self.assertEqual(done.returncode, 1)
        self.assertIn("process 4242 computes on it and holds 12.0 GiB", done.stderr)
        self.assertIn("--yes", done.stderr)
        self.assertEqual(self.calibrate("--show").stdout, "")
        self.assertEqual(self.calibrate("--yes", nvml=busy).returncode, 0)
        self.assertEqual(self.calibrate(nvml=NVML + "gpu 0 process 4242 type G memory 1GiB\n").returncode, 0)
        self.assertIn("80 % busy", self.calibrate(nvml=NVML + "gpu 0 utilization 80\n").stderr)
        self.assertIn("MIG splits it", self.calibrate(nvml=NVML + "gpu 0 mig on\n").stderr)

    def test_a_driver_too_old_for_the_runtime(self):
        done = self.calibrate(card="error cudaGetDeviceCount 35\n")
        self.assertEqual(done.returncode, 1)
        self.assertIn("insufficient", done.stderr + done.stdout)

    def test_another_driver_is_another_calibration(self):
        self.measured()
        self.measured(nvml=NVML.replace("580.65.06", "590.1"))
        self.assertEqual(len(self.measured("--show")), 2)

    def test_a_simulated_gpu(self):
        done = self.run_gputop("calibrate", "--source", "sim")
        self.assertEqual(done.returncode, 1)
        self.assertIn("simulated", done.stderr)

    def test_the_real_runtime_without_a_driver(self):
        real = [path for place in ("/usr/local/cuda/lib64", "/usr/local/cuda/lib") for path in pathlib.Path(place).glob("libcudart.so.*")]
        if not real:
            self.skipTest("no libcudart of a CUDA toolkit on this machine")
        done = self.run_gputop("calibrate", LD_LIBRARY_PATH=str(real[0].parent))
        if "no GPU to calibrate" not in done.stderr:
            self.skipTest("there is a GPU on this machine")
        self.assertEqual(done.returncode, 1)
        self.assertIn("libnvidia-ml.so.1", done.stderr)
        self.assertRegex(done.stderr, r"libcudart\.so\.\d+ .*says: (CUDA finds no driver on this machine|.*\(\d+\))")

    def test_a_monitor_beside_it_does_not_notice(self):
        """A monitor's readings keep their pace while calibrate's helper hangs."""
        words = ("--headless", "--interval", "200ms", "--duration", "4s")
        alone = self.run_gputop(*words, scenario=NVML + "gpu 0 memory_used 1GiB\n").stdout.count("GPU 0")
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            hung = pool.submit(self.trouble, "cudaMalloc", "hang cudaMalloc", "beside")
            beside = self.run_gputop(*words, scenario=NVML + "gpu 0 memory_used 1GiB\n").stdout.count("GPU 0")
            self.assertIn("CUDA hangs in cudaMalloc", hung.result()[1].stderr)
        self.assertGreater(alone, 10)
        self.assertGreaterEqual(beside, alone * 0.8)


if __name__ == "__main__":
    unittest.main()
