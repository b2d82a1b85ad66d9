"""The stories of real teams, from a log or a recording to advice: the output of `gputop advise`, as JSON and as text."""
import datetime
import json
import pathlib
import random
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from program import GPUTOP, ProgramTest  # noqa: E402

SPIKE = 41  # the sample with 590 W


def story_4(units=True, header=True, limit=None, order=None, spike=SPIKE):
    """90 readings in 300 s of an RTX 4050 at batch 32: utilisation 11.4 on average, 0 to 20; 167 of 6141 MiB; 26.8 W and one 590 W."""
    busy = [0, 20] + [12] * 38 + [11] * 50  # the mean is exactly 11.4
    random.Random(4).shuffle(busy)
    start = datetime.datetime(2025, 3, 1, 10, 0, 0)
    columns = {"timestamp": [], "name": [], "utilization.gpu [%]": [], "memory.used [MiB]": [], "memory.total [MiB]": [],
               "power.draw [W]": [], "temperature.gpu": []}
    if limit is not None:
        columns["power.limit [W]"] = []
    for i in range(90):
        at = start + datetime.timedelta(seconds=i * 300 / 89)
        columns["timestamp"].append(at.strftime("%Y/%m/%d %H:%M:%S.%f")[:-3])
        columns["name"].append("NVIDIA GeForce RTX 4050 Laptop GPU")
        columns["utilization.gpu [%]"].append(f"{busy[i]} %")
        columns["memory.used [MiB]"].append(f"{167 if i == 70 else 135 + i % 4} MiB")
        columns["memory.total [MiB]"].append("6141 MiB")
        columns["power.draw [W]"].append("590.00 W" if i == spike else f"{20.5 + i % 2:.2f} W")
        columns["temperature.gpu"].append(str(46 + i % 3))
        if limit is not None:
            columns["power.limit [W]"].append(limit)
    names = order or list(columns)
    lines = [", ".join(names)] if header else []
    for row in zip(*(columns[name] for name in names)):
        if not units:
            row = [cell.split(" ")[0] if name.endswith("]") and not cell.startswith("[") else cell for name, cell in zip(names, row)]
        lines.append(", ".join(row))
    return "\n".join(lines) + "\n"


class Story4(ProgramTest):
    def advise(self, text, *words):
        path = self.folder / "gpu_stats.csv"
        path.write_text(text)
        return self.run_gputop("advise", path, *words)

    def advice(self, text, *words):
        done = self.advise(text, "--json", *words)
        self.assertEqual(0, done.returncode, done.stderr)
        return json.loads(done.stdout)

    def check(self, advice):
        self.assertEqual("gputop.advice/1", advice["schema"])
        self.assertEqual("unknown", advice["bottleneck"])  # CPU-bound or batch too small: a log cannot tell which
        first = advice["advice"][0]
        self.assertEqual("low_utilization", first["id"])
        self.assertIn("CPU-bound or batch too small", first["title"])
        figures = {item["metric"]: item["value"] for item in first["evidence"]}
        self.assertAlmostEqual(11.4, figures["gpu_utilization"], 1)
        self.assertAlmostEqual(2.7, figures["gpu_memory"], 1)
        self.assertLess(figures["gpu_power"], 30)  # the spike is in no mean
        self.assertEqual(1, figures["sensor_errors"])
        self.assertIn("590 W", first["why"])
        self.assertIn("sensor error", first["why"])
        self.assertIn("×4–8", first["why"])
        self.assertEqual([{"knob": "batch_size", "from": None, "to": "×4"}], [c for c in first["changes"] if c["knob"] == "batch_size"])
        low, high = first["expected_speedup"]
        self.assertAlmostEqual(1, low, 2)
        self.assertTrue(3 <= high <= 4)
        memory = next(item for item in advice["advice"] if item["id"] == "low_memory")
        self.assertIn("97.3 %", memory["why"])
        self.assertEqual({"kind": None, "detail": None}, advice["end"])

    def test_without_a_power_limit(self):
        self.check(self.advice(story_4()))

    def test_with_a_power_limit_that_is_not_known(self):
        self.check(self.advice(story_4(limit="[N/A]")))

    def test_with_a_known_power_limit(self):
        self.check(self.advice(story_4(limit="115.00 W")))

    def test_nounits(self):
        self.check(self.advice(story_4(units=False)))

    def test_any_order_of_columns(self):
        self.check(self.advice(story_4(order=["power.draw [W]", "memory.total [MiB]", "name", "utilization.gpu [%]", "timestamp",
                                              "memory.used [MiB]"])))

    def test_noheader(self):
        self.check(self.advice(story_4(header=False)))

    def test_noheader_nounits_with_the_columns_named(self):
        self.check(self.advice(story_4(header=False, units=False), "--columns",
                               "timestamp,name,utilization.gpu,memory.used,memory.total,power.draw,temperature.gpu"))

    def test_for_people(self):
        done = self.advise(story_4())
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn("11 % busy: CPU-bound or batch too small", done.stdout)
        self.assertIn("change: batch_size ×4", done.stdout)
        self.assertIn("Known from: NVML only", done.stdout)

    def test_a_threshold_of_the_user(self):
        config = self.folder / "mine.yaml"
        config.write_text("thresholds:\n  low_utilization: 5\n")
        done = self.advise(story_4(), "--json", "--config", config)
        self.assertEqual("", done.stderr)
        self.assertNotIn("low_utilization", [item["id"] for item in json.loads(done.stdout)["advice"]])

    def test_a_rule_of_the_user(self):
        config = self.folder / "mine.yaml"
        config.write_text("off: [low_memory]\nrules:\n  - {id: cold, metric: temperature, below: 60, message: Cold, for: 10s}\n")
        ids = [item["id"] for item in self.advice(story_4(), "--config", config)["advice"]]
        self.assertIn("cold", ids)
        self.assertNotIn("low_memory", ids)

    def test_a_mistake_in_the_configuration_is_named(self):
        config = self.folder / "mine.yaml"
        config.write_text("thresholds:\n  low_utilisation: 5\n")
        done = self.advise(story_4(), "--json", "--config", config)
        self.assertEqual(0, done.returncode)
        self.assertIn("mine.yaml:2: thresholds: unknown name", done.stderr)


class Logs(ProgramTest):
    def test_story_3_a_gpu_that_is_half_used(self):
        path = self.folder / "log.csv"
        path.write_text("utilization.gpu [%], memory.used [MiB], memory.total [MiB]\n" + "".join(f"{50 + i % 11} %, 9000 MiB, 24576 MiB\n" for i in range(120)))
        advice = json.loads(self.run_gputop("advise", path, "--json").stdout)
        self.assertEqual("low_utilization", advice["advice"][0]["id"])

    def test_a_busy_gpu_is_healthy(self):
        path = self.folder / "log.csv"
        path.write_text("index, utilization.gpu [%], memory.used [MiB], memory.total [MiB]\n" +
                        "".join(f"{i % 2}, {94 + i % 5} %, 20000 MiB, 24576 MiB\n" for i in range(200)))
        advice = json.loads(self.run_gputop("advise", path, "--json").stdout)
        self.assertEqual(["healthy"], [item["id"] for item in advice["advice"]])
        self.assertIn("Nothing to change: 96 % busy", advice["advice"][0]["why"])
        self.assertEqual("gpu_compute", advice["bottleneck"])

    def test_a_gpu_that_lags_behind_its_like_is_named(self):
        path = self.folder / "log.csv"
        busy = {0: 97, 1: 96, 2: 41, 3: 97}
        path.write_text("index, name, utilization.gpu [%], memory.used [MiB], memory.total [MiB]\n" + "".join(
            f"{gpu}, NVIDIA A100-SXM4-40GB, {busy[gpu] + i % 3} %, {30100 + 10 * gpu} MiB, 40960 MiB\n" for i in range(120) for gpu in busy))
        advice = json.loads(self.run_gputop("advise", path, "--json").stdout)
        first = advice["advice"][0]
        self.assertEqual("rank_straggler", first["id"])
        self.assertIn("GPU 2 of 4 is busy 42 %", first["why"])
        self.assertIn("if all train one model", first["why"])

    def test_what_is_neither_log_nor_recording(self):
        path = self.folder / "notes.txt"
        path.write_text("hello\nworld\n")
        done = self.run_gputop("advise", path)
        self.assertEqual(1, done.returncode)
        self.assertIn("is no log of GPUs", done.stderr)
        done = self.run_gputop("advise", self.folder / "absent")
        self.assertEqual(1, done.returncode)
        self.assertIn("absent", done.stderr)
        self.assertEqual(2, self.run_gputop("advise").returncode)


class Written(ProgramTest):
    """Facts about a run that only its command line and a file tell."""

    def test_after_an_out_of_memory_nothing_is_advised_that_is_in_force(self):
        (self.folder / "train.yaml").write_text("data:\n  batch_size: 32\namp: true\n")
        (self.folder / "train.py").write_text(
            "import argparse, sys, time\nparser = argparse.ArgumentParser()\nparser.add_argument('--config')\n"
            "parser.add_argument('--num-workers', type=int)\nparser.parse_args()\ntime.sleep(4)\n"
            "print('torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 23.69 GiB total capacity; "
            "21.00 GiB already allocated; 1.20 GiB free; 21.50 GiB reserved in total by PyTorch)', file=sys.stderr)\nsys.exit(1)\n")
        path = self.folder / "run.gputop"
        done = subprocess.run([GPUTOP, "--source", "sim:healthy", "--headless", "--no-lens", "--record", path, "--", sys.executable, "train.py",
                               "--config", "train.yaml", "--num-workers", "4"], cwd=self.folder, env=self.environment(), text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=100)
        self.assertEqual(1, done.returncode, done.stderr)
        advice = json.loads(self.run_gputop("advise", path, "--json").stdout)
        written = {fact["name"]: fact["value"] for fact in advice["facts"] if fact["source"] == "written" and not fact["name"].startswith("peak")}
        self.assertEqual({"batch_size": 32, "precision": "amp-fp16", "workers": 4}, written)
        self.assertEqual([{"knob": "batch_size", "from": 32, "to": 24}], advice["advice"][0]["changes"])
        text = self.run_gputop("advise", path).stdout
        self.assertIn("next: then 16, 12, then gradient checkpointing, then a smaller model\n", text)
        self.assertNotIn("mixed precision", text)


class Recordings(ProgramTest):
    def test_a_small_batch_is_named_while_it_runs_and_from_its_recording(self):
        config = self.folder / "quick.yaml"
        config.write_text("advisor:\n  thresholds: {warm_up: 1, hold: 1}\n")
        path = self.folder / "run.gputop"
        done = self.run_gputop("--source", "sim:small_batch", "--headless", "--interval", "200ms", "--duration", "20s", "--record", path,
                               "--config", config, timeout=100)
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn("gputop: advice: The GPU is poorly used", done.stderr)
        advice = json.loads(self.run_gputop("advise", path, "--json").stdout)
        self.assertEqual("low_utilization", advice["advice"][0]["id"])


if __name__ == "__main__":
    unittest.main()
