"""gputop report, compare and --csv: what teams write down after a run, from recordings and from the logs they already have."""
import csv
import html.parser
import io
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from program import GPUTOP, ProgramTest  # noqa: E402

SECTIONS = ["Summary", "Configuration and environment", "Duration and samples", "Utilisation, memory, power", "Throughput",
            "Step-time breakdown", "Diagnosis", "Recommendations", "Next steps", "Changes made and their effect", "How the run ended"]
VOID = {"meta", "line", "polygon", "polyline", "circle"}
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def laptop_log(header=True, units=True, spike=47):
    """A debug run on a laptop as nvidia-smi -l saw it: 90 samples in 300 s, one power reading of 590 W."""
    utilization = [11.0] * 90
    for i, value in ((0, 0), (3, 0), (10, 20), (20, 20), (30, 20), (40, 20), (50, 20), (60, 20), (61, 15), (62, 14)):
        utilization[i] = value
    utilization = [int(u) for u in utilization]
    missing = round(11.4 * 90) - sum(utilization)  # the rest of the average, one point at a time
    for i in range(4, 4 + abs(missing)):
        utilization[i] += 1 if missing > 0 else -1
    power = [27.0] * 90
    power[0] = 1.7
    rest = 26.8 * 89 - sum(power[i] for i in range(90) if i not in (spike, 5))
    power[5] = round(rest, 2)
    power[spike] = 590.0
    lines = []
    if header:
        lines.append("timestamp, name, utilization.gpu [%], memory.used [MiB], memory.total [MiB], power.draw [W]")
    for i in range(90):
        seconds = i * 300 / 89
        stamp = f"2024/05/01 12:{int(seconds // 60):02}:{seconds % 60:06.3f}"
        memory = 167 if i == 44 else 135
        mib, percent, watt = (" MiB", " %", " W") if units else ("", "", "")
        lines.append(f"{stamp}, NVIDIA GeForce RTX 4050 Laptop GPU, {utilization[i]}{percent}, {memory}{mib}, 6141{mib}, {power[i]:.2f}{watt}")
    return "\n".join(lines) + "\n"


class Page(html.parser.HTMLParser):
    """Checks that every tag is closed, and collects what the page holds."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.texts, self.headings, self.cells = [], [], [], [], []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        assert self.open and self.open[-1] == tag, (tag, self.open)
        self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] == "h2":
            self.headings.append(data)
        if self.open and self.open[-1] == "td":
            self.cells.append(data)
        self.texts.append(data)


class ReportTest(ProgramTest):
    def file(self, text, name="gpu.csv"):
        path = self.folder / name
        path.write_text(text)
        return path

    def output_of(self, *words):
        done = self.run_gputop(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def report(self, path, *words):
        return json.loads(self.output_of("report", path, "--format", "json", *words))

    def record(self, name, scenario="healthy", seconds=4):
        path = self.folder / name
        self.output_of("--headless", "--record", path, "--source", f"sim:{scenario}", "--interval", "100ms", "--duration", f"{seconds}s")
        return path


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
        for metric, label in (("utilization_percent", "utilisation, %"), ("power_watts", "power, W")):
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
        self.assertEqual(page.headings[:len(SECTIONS)], SECTIONS)
        tags = [tag for tag, _ in page.tags]
        self.assertNotIn("script", tags)
        self.assertGreaterEqual(tags.count("svg"), 2)
        for _, attributes in page.tags:
            self.assertFalse({"src", "href", "onload", "onclick"} & set(attributes))
        self.assertNotIn("http:", text)
        self.assertNotIn("https:", text)
        self.assertIn("prefers-color-scheme", text)
        self.assertIn("11.4", page.cells)

    @unittest.skipUnless(CHROMIUM, "no Chromium here (Debian's package chromium): the page is only parsed")
    def test_html_is_drawn_by_a_browser(self):
        page = self.folder / "report.html"
        self.output_of("report", self.file(laptop_log()), "--format", "html", "--output", page)
        picture = self.folder / "report.png"
        common = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.folder / 'profile'}"]
        drawn = subprocess.run([*common, "--dump-dom", page.as_uri()], capture_output=True, text=True, timeout=100)
        self.assertEqual(Page(drawn.stdout.replace("<!DOCTYPE html>", "")).headings[:len(SECTIONS)], SECTIONS)
        subprocess.run([*common, "--window-size=1000,3000", f"--screenshot={picture}", page.as_uri()], capture_output=True, timeout=100)
        self.assertGreater(picture.stat().st_size, 20_000)

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


class OtherLogs(ReportTest):
    def test_dmon_and_gpustat(self):
        dmon = "# gpu   pwr    sm    fb\n# Idx     W     %    MB\n" + "".join(f"    0    {40 + i}    {i}   167\n" for i in range(20))
        answer = self.report(self.file(dmon, "dmon.txt"))
        self.assertEqual([answer["samples"], answer["gpus"][0]["utilization_percent"]["avg"]], [20, 9.5])
        gpustat = "\n".join(json.dumps({"query_time": f"2024-05-01T12:00:{i:02}.0", "gpus": [
            {"index": 0, "name": "A", "utilization.gpu": i, "memory.used": 100, "memory.total": 1000}]}, indent=4) for i in range(20))
        answer = self.report(self.file(gpustat, "gpustat.json"))
        self.assertEqual([answer["samples"], answer["duration_seconds"], answer["memory_headroom_percent"]], [20, 19, 90])


class Recordings(ReportTest):
    def test_are_reported_and_compared_in_the_same_phase(self):
        first, second = self.record("a.gputop"), self.record("b.gputop", "idle")
        answer = self.report(first)
        self.assertTrue(answer["simulated"])
        self.assertGreater(answer["samples"], 20)
        text = self.output_of("compare", first, second)
        self.assertIn("SIMULATED", text)
        verdict = text.split("## Verdict")[1].strip().splitlines()[0]
        self.assertIn("GPU utilisation", verdict)
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

    def test_of_a_run_that_goes_on_are_found_by_its_name(self):
        run = self.start_gputop("--name", "longrun", "--source", "sim:healthy", "--interval", "100ms", "--",
                                "python3", "-c", "import time\nfor i in range(600): print(i, flush=True); time.sleep(.1)")
        for _ in range(40):
            run.stdout.readline()
        done = self.run_gputop("report", "longrun", "--format", "json")
        run.send_signal(signal.SIGTERM)
        run.communicate(timeout=30)
        self.assertEqual(done.returncode, 0, done.stderr)
        answer = json.loads(done.stdout)
        self.assertEqual([answer["configuration"]["run"], answer["end"]["kind"]], ["longrun", "running"])


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
