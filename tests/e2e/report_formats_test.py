"""The same numbers in every format of a report: Markdown, HTML, JSON and CSV, of a run with everything in it."""
import csv
import io
import statistics
import subprocess
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from reports import CHROMIUM, RUN_SECTIONS, SECTIONS, Page, ReportTest, laptop_log, tables_of  # noqa: E402

KEYS = ("avg", "min", "max", "p5", "p50", "p95")
METRICS = {"busy, %": "utilization_percent", "memory, MiB": "memory_used_mib", "memory, % of it": "memory_used_percent", "power, W": "power_watts",
           "temperature, °C": "temperature_celsius"}
JOB = "import time\nfor i in range(60):\n  print('Epoch 1/2: %d/200 [%.2fit/s, batch_size=32]' % (i, 10), flush=True); time.sleep(.1)"


OOM = """import sys, time
for batch in (8, 16, 32):
    print(f'batch_size={batch}', flush=True)
    for i in range(12):
        print(f'Epoch 1/5: step {i}/100 {batch * 10} samples/s', flush=True)
        time.sleep(.1)
sys.exit('Traceback (most recent call last):\\n  File "train.py", line 1, in <module>\\ntorch.cuda.OutOfMemoryError: CUDA out of memory. '
         'Tried to allocate 2.00 GiB (GPU 0; 23.69 GiB total capacity; 20.12 GiB already allocated; 1.20 GiB free; 21.01 GiB reserved in total by PyTorch)')
"""


class Formats(ReportTest):
    def run_recording(self):
        path = self.folder / "run.gputop"
        self.output_of("--headless", "--record", path, "--source", "sim:healthy", "--interval", "100ms", "--", sys.executable, "-c", JOB)
        return path

    def check(self, path):
        answer = self.report(path)
        text = self.output_of("report", path)
        page = Page(self.output_of("report", path, "--format", "html"))
        drawn = {"speed": 0, "part": 0}  # tables of the text that the page has as tiles and as a bar, with the same words
        for table in tables_of(text):
            if table[0][0] in drawn:
                drawn[table[0][0]] += 1
                for cell in (cell.replace("\\", "") for row in table[1:] for cell in row):
                    self.assertIn(cell.strip("■"), " ".join(page.texts))
        self.assertEqual(list(drawn.values()), [1, 1])
        rows = [row for table in tables_of(text) if table[0][0] not in drawn for row in table]
        pages = [[cell for cell in row] for row in page.rows]
        plain = [[cell.replace("\\", "") for cell in row] for row in rows]
        for row in plain:  # every row of the text is one of the page
            self.assertIn(row, pages)
        for gpu in answer["gpus"]:
            for label, name in METRICS.items():
                if gpu[name] is None:
                    continue
                row = next(row for row in plain if row[0] == f"GPU {gpu['index']}: {label}")
                self.assertEqual([float(cell) for cell in row[1:]], [gpu[name][key] for key in KEYS])
        samples = next(row for row in plain if row[0] == "readings")
        self.assertEqual(int(samples[1]), answer["samples"])
        for error in answer["sensor_errors"]:
            self.assertTrue(any(error["text"] in row for row in plain))
        for share, value in answer["step_shares_percent"].items():
            if value >= 0.1:
                self.assertRegex(text, rf"(?m)^\| [^|]+ \| +{value:g} % \| ■*", share)
        for item in answer["recommendations"]:
            self.assertIn(item["title"], text.replace("\\", ""))
        for step in answer["next_steps"]:
            self.assertIn(step, text.replace("\\", ""))
        if answer["throughput"]:
            row = next(row for row in plain if row[0] == answer["throughput"]["unit"])
            self.assertEqual([float(cell) for cell in row[1:]], [answer["throughput"][key] for key in KEYS])
        self.assertIn(answer["end"]["text"], text.replace("\\", ""))
        expected = SECTIONS if answer["efficiency"] is None else RUN_SECTIONS
        self.assertEqual([title for title in page.headings if title not in ("Plots", "Events")], expected)
        self.check_csv(path, answer)
        return answer

    def check_csv(self, path, answer):
        rows = list(csv.DictReader(io.StringIO(self.output_of("report", path, "--format", "csv"))))
        for gpu in answer["gpus"]:
            mine = [row for row in rows if int(row["index"]) == gpu["index"]]
            self.assertEqual(len(mine), gpu["samples"])
            for column, name, unit in (("utilization_percent", "utilization_percent", 1), ("power_watts", "power_watts", 1), ("memory_used_bytes", "memory_used_mib", 1 << 20)):
                values = [float(row[column]) / unit for row in mine if row[column]]
                if gpu[name] is None:
                    self.assertEqual(values, [])
                    continue
                self.assertEqual(len(values), gpu[name]["count"])
                self.assertAlmostEqual(statistics.mean(values), gpu[name]["avg"], delta=0.051)
                self.assertAlmostEqual(max(values), gpu[name]["max"], delta=0.051)
                self.assertAlmostEqual(statistics.median(values), gpu[name]["p50"], delta=0.051)

    def test_have_equal_numbers_for_a_log(self):
        self.assertEqual(self.check(self.file(laptop_log()))["sensor_error_count"], 1)

    def test_have_equal_numbers_for_a_run(self):
        answer = self.check(self.run_recording())
        self.assertEqual(answer["end"]["kind"], "finished")
        self.assertEqual(answer["throughput"]["unit"] in ("it/s", "samples/s"), True)

    def test_have_equal_numbers_for_a_run_with_several_batches_that_ran_out_of_memory_and_its_plots_fit_into_80_columns(self):
        path = self.folder / "oom.gputop"
        self.run_gputop("--headless", "--record", path, "--source", "sim:healthy", "--interval", "100ms", "--", sys.executable, self.file(OOM, "train.py"))
        answer = self.check(path)
        self.assertEqual(answer["end"]["kind"], "gpu_oom")
        self.assertEqual([change["change"] for change in answer["changes"]], ["batch_size 8 → 16", "batch_size 16 → 32"])
        text = self.output_of("report", path)
        self.assertIn("How it ended: exited with code 1: GPU 0 out of memory", text)
        self.assertIn("seen: 8: 80, 16: 160, 32: 320", text)
        inside = False
        for line in text.splitlines():
            inside = inside != line.startswith("```")
            if inside:
                self.assertLessEqual(len(line), 80, line)
        page = Page(self.output_of("report", path, "--format", "html"))
        labels = [text for tag, text in page.texts_in if tag == "text"]
        for label in ("8", "16", "32", "80", "160", "320", "batch size"):  # at the axes and beside the points
            self.assertIn(label, labels)

    def test_have_equal_numbers_for_logs_that_know_less_and_several_gpus(self):
        rows = "".join(f"{i},{gpu},{10 * gpu + i % 7},{40 + gpu}\n" for i in range(50) for gpu in range(3))
        self.assertEqual(len(self.check(self.file("elapsed_s,gpu_id,gpu_util,temp_c\n" + rows))["gpus"]), 3)
        dmon = "# gpu  pwr  fb\n# Idx   W   MB\n" + "".join(f"  {gpu}  {100 + i}  {200 + i}\n" for i in range(30) for gpu in range(2))
        self.check(self.file(dmon, "dmon.log"))

    @unittest.skipUnless(CHROMIUM, "SKIPPED ALOUD: no Chromium here (Debian's package chromium), so the page is parsed but not drawn")
    def test_html_is_drawn_by_a_browser_in_light_and_dark(self):
        page = self.folder / "report.html"
        self.output_of("report", self.file(laptop_log()), "--format", "html", "--output", page)
        common = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.folder / 'profile'}"]
        drawn = subprocess.run([*common, "--dump-dom", page.as_uri()], capture_output=True, text=True, timeout=100)
        headings = Page(drawn.stdout.replace("<!DOCTYPE html>", "")).headings
        self.assertEqual([title for title in headings if title not in ("Plots", "Events")], SECTIONS)
        pictures = []
        for name, more in (("light", []), ("dark", ["--blink-settings=preferredColorScheme=0"])):
            picture = self.folder / f"{name}.png"
            subprocess.run([*common, *more, "--window-size=1000,3000", f"--screenshot={picture}", page.as_uri()], capture_output=True, timeout=100)
            pictures.append(picture.read_bytes())
            self.assertGreater(len(pictures[-1]), 20_000)
        self.assertNotEqual(pictures[0], pictures[1])


if __name__ == "__main__":
    unittest.main()
