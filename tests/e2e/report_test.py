"""gputop report, compare and --csv: what teams write down after a run, from recordings and from the logs they already have."""
import csv
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from program import GPUTOP  # noqa: E402
from reports import SECTIONS, Page, ReportTest, laptop_log  # noqa: E402


class TheLaptop(ReportTest):
    def check_numbers(self, answer):
        gpu = answer["gpus"][0]
        self.assertEqual(answer["samples"], 90)
        self.assertEqual(answer["duration_seconds"], 300)
        self.assertEqual([gpu["utilization_percent"][key] for key in ("avg", "min", "max")], [11.4, 0, 20])
        self.assertEqual(gpu["memory_used_mib"]["max"], 167)
        self.assertEqual(gpu["memory_total_mib"], 6141)
        self.assertEqual(gpu["memory_used_percent"]["max"], 2.7)
        self.assertEqual(gpu["memory_used_percent"]["avg"], 2.2)
        self.assertEqual(gpu["power_watts"]["avg"], 26.8)
        self.assertEqual(gpu["power_watts"]["min"], 1.7)
        self.assertLess(gpu["power_watts"]["max"], 100)
        self.assertEqual(answer["memory_headroom_percent"], 97.3)
        self.assertEqual(answer["sensor_error_count"], 1)
        self.assertIn("590 W", answer["sensor_errors"][0]["text"])
        self.assertIn("sensor error", answer["sensor_errors"][0]["text"])

    def test_gives_its_findings_with_the_spike_called_a_sensor_error(self):
        answer = self.report(self.file(laptop_log()))
        self.check_numbers(answer)
        knobs = {change["knob"] for item in answer["recommendations"] for change in item["changes"]}
        advised = json.dumps(answer["recommendations"])
        self.assertTrue("batch_size" in knobs or "batch" in advised, advised)
        self.assertTrue(answer["next_steps"])

    def test_with_and_without_header_and_units_and_wherever_the_spike_is(self):
        for header, units, spike in ((True, False, 47), (False, True, 47), (False, False, 47), (True, True, 1), (True, True, 89)):
            with self.subTest(header=header, units=units, spike=spike):
                self.check_numbers(self.report(self.file(laptop_log(header, units, spike))))

    def test_markdown_has_all_sections_and_the_same_numbers(self):
        path = self.file(laptop_log())
        text = self.output_of("report", path)
        self.assertEqual(re.findall(r"^## (.*)$", text, re.M)[:len(SECTIONS)], SECTIONS)
        gpu = self.report(path)["gpus"][0]
        for metric, label in (("utilization_percent", "busy, %"), ("power_watts", "power, W")):
            row = next(line for line in text.splitlines() if f"GPU 0: {label}" in line)
            shown = [float(cell) for cell in row.strip("|").split("|")[1:]]
            self.assertEqual(shown, [gpu[metric][key] for key in ("avg", "min", "max", "p5", "p50", "p95")])
        for block in re.findall(r"(?:^\|.*\n)+", text, re.M):  # each table is one: as many cells in every row
            self.assertEqual(len({len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}), 1, block)
        self.assertEqual(text.count("```") % 2, 0)

    def test_html_is_whole_escaped_and_needs_nothing_else(self):
        path = self.file(laptop_log().replace("RTX 4050", "<script>alert(1)</script>"))
        text = self.output_of("report", path, "--format", "html")
        page = Page(text)
        self.assertEqual([title for title in page.headings if title not in ("Plots", "Events")], SECTIONS)
        tags = [tag for tag, _ in page.tags]
        self.assertNotIn("script", tags)
        self.assertGreaterEqual(tags.count("svg"), 2)
        for _, attributes in page.tags:
            self.assertFalse({"src", "href", "onload", "onclick"} & set(attributes))
        self.assertNotIn("http:", text)
        self.assertNotIn("https:", text)
        self.assertIn("prefers-color-scheme", text)
        self.assertIn("11.4", page.cells)

    def test_csv_has_every_reading_and_can_be_read_again(self):
        rows = list(csv.DictReader(io.StringIO(self.output_of("report", self.file(laptop_log()), "--format", "csv"))))
        self.assertEqual(len(rows), 90)
        wrong = [row for row in rows if row["error"]]
        self.assertEqual(len(wrong), 1)
        self.assertEqual(wrong[0]["power_watts"], "")
        again = self.report(self.file(self.output_of("report", self.file(laptop_log()), "--format", "csv"), "again.csv"))
        self.assertEqual([again["samples"], again["gpus"][0]["power_watts"]["avg"], again["gpus"][0]["memory_used_mib"]["max"]], [90, 26.8, 167])

    def test_what_is_no_log_is_refused_with_the_reason(self):
        done = self.run_gputop("report", self.file("hello\nworld\n"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("gpu.csv", done.stderr)
        missing = self.run_gputop("report", self.folder / "nothing")
        self.assertEqual(missing.returncode, 1)
        self.assertIn("no such file", missing.stderr)
        self.assertEqual(self.run_gputop("report", self.file(laptop_log()), "--format", "pdf").returncode, 2)


class Recordings(ReportTest):
    def test_are_reported_and_compared_in_the_same_phase(self):
        first, second = self.record("a.gputop"), self.record("b.gputop", "idle")
        answer = self.report(first)
        self.assertTrue(answer["simulated"])
        self.assertGreater(answer["samples"], 20)
        text = self.output_of("compare", first, second)
        self.assertIn("SIMULATED", text)
        verdict = text.split("## Verdict")[1].strip().splitlines()[0]
        self.assertIn("GPU busy", verdict)
        compared = json.loads(self.output_of("compare", first, second, "--format", "json"))
        load = next(metric for metric in compared["metrics"] if metric["name"] == "utilization")
        self.assertLess(load["means"][1]["mean"], load["means"][0]["mean"])
        self.assertTrue(load["against_first"][1]["certain"])
        same = json.loads(self.output_of("compare", first, first, "--format", "json"))
        self.assertEqual(next(m for m in same["metrics"] if m["name"] == "utilization")["against_first"][1]["absolute"]["mean"], 0)
        self.assertIn("Verdict", Page(self.output_of("compare", first, second, first, "--format", "html")).headings)

    def test_full_resolution_csv_has_every_reading(self):
        path = self.record("a.gputop", seconds=2)
        rows = list(csv.DictReader(io.StringIO(self.output_of("report", path, "--format", "csv"))))
        self.assertEqual(len(rows), sum(gpu["samples"] for gpu in self.report(path)["gpus"]))


class Streaming(ReportTest):
    def test_csv_is_a_header_and_a_line_for_each_gpu_and_reading(self):
        text = self.output_of("--csv", "--source", "sim:healthy", "--interval", "100ms", "--duration", "1s")
        rows = list(csv.DictReader(io.StringIO(text)))
        self.assertTrue(text.startswith("time,index,name,"))
        self.assertGreater(len(rows), 3)
        self.assertTrue(all(row["utilization_percent"] for row in rows[2:]))

    def test_csv_comes_at_once_and_ends_when_nobody_reads(self):
        process = subprocess.Popen([GPUTOP, "--csv", "--source", "sim:healthy", "--interval", "100ms"], env=self.environment(),
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(self._end, process)
        self.assertTrue(process.stdout.readline().startswith(b"time,"))
        self.assertTrue(process.stdout.readline())
        process.stdout.close()
        self.assertEqual(process.wait(20), 0)
        self.assertNotIn(b"cannot write", process.stderr.read())
        process.stdout = open(os.devnull, "rb")  # for _end

    def test_csv_is_not_for_runs(self):
        self.assertEqual(self.run_gputop("--csv", "--", "true").returncode, 2)


if __name__ == "__main__":
    unittest.main()
