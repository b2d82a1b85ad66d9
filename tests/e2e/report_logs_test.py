"""gputop report over the logs people already have: every form of dmon, gpustat and nvidia-smi CSV, and files in none of these forms."""
import datetime
import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from reports import ReportTest  # noqa: E402

# What `nvidia-smi dmon -s GROUPS` writes: column, unit, value.
GROUPS = {"p": [("pwr", "W", 120), ("gtemp", "C", 61), ("mtemp", "C", "-")],
          "u": [("sm", "%", 80), ("mem", "%", 30), ("enc", "%", 0), ("dec", "%", 0), ("jpg", "%", "-"), ("ofa", "%", "-")],
          "c": [("mclk", "MHz", 6250), ("pclk", "MHz", 1695)],
          "v": [("pviol", "%", 0), ("tviol", "bool", 0)],
          "m": [("fb", "MB", 2048), ("bar1", "MB", 6), ("ccpm", "MB", 0)],
          "e": [("sbecc", "errs", "-"), ("dbecc", "errs", "-"), ("pci", "errs", 0)],
          "t": [("rxpci", "MB/s", 14), ("txpci", "MB/s", 7)]}


def dmon(groups="pucvmet", options="", rounds=30, gpus=2, again=10):
    columns = [column for group in groups for column in GROUPS[group]]
    stamp = [("Date", "YYYYMMDD", "20240501")] * ("D" in options) + [("Time", "HH:MM:SS", None)] * ("T" in options)
    names = "#" + " ".join(f"{name:>10}" for name, _, _ in stamp) + "  gpu" + "".join(f"{name:>7}" for name, _, _ in columns)
    units = "#" + " ".join(f"{unit:>10}" for _, unit, _ in stamp) + "  Idx" + "".join(f"{unit:>7}" for _, unit, _ in columns)
    lines = []
    for i in range(rounds):
        if i % again == 0:
            lines += [names, units]
        for gpu in range(gpus):
            when = [value or f"12:00:{2 * i:02}" for _, _, value in stamp]
            lines.append(" ".join(when) + f" {gpu:>4}" + "".join(f"{value:>7}" for _, _, value in columns))
    return "\n".join(lines) + "\n"


class Dmon(ReportTest):
    def test_all_groups_alone_and_together(self):
        for groups in ("p", "u", "c", "v", "m", "e", "t", "pu", "pucvmet", "tmu"):
            with self.subTest(groups=groups):
                answer = self.report(self.file(dmon(groups), "dmon.log"))
                self.assertEqual((answer["samples"], len(answer["gpus"])), (30, 2))
                gpu = answer["gpus"][1]
                known = {"utilization_percent": ("u", 80), "power_watts": ("p", 120), "memory_used_mib": ("m", 2048), "temperature_celsius": ("p", 61)}
                for name, (group, value) in known.items():
                    self.assertEqual(gpu[name] and gpu[name]["avg"], value if group in groups else None, name)

    def test_date_and_time(self):
        for options, seconds in (("", None), ("D", None), ("T", 58), ("DT", 58)):
            with self.subTest(options=options):
                answer = self.report(self.file(dmon("pu", options), "dmon.log"))
                self.assertEqual(answer["duration_seconds"], seconds)
                self.assertEqual(any("no times" in note for note in answer["notes"]), seconds is None)
                self.assertEqual(answer["all_gpus"]["energy_wh"] is None, seconds is None)

    def test_a_last_line_that_is_cut_off_is_said(self):
        answer = self.report(self.file(dmon("pu", "DT")[:-30], "dmon.log"))
        self.assertEqual(answer["gpus"][0]["samples"], 30)
        self.assertEqual(answer["gpus"][1]["samples"], 29)
        self.assertIn("1 line left out", answer["notes"][0])


class Gpustat(ReportTest):
    def reading(self, i, **more):
        gpus = [{"index": n, "uuid": f"GPU-{n}", "name": "A", "utilization.gpu": 10 * n + i % 3, "power.draw": 50 + n, "enforced.power.limit": 300,
                 "memory.used": 100, "memory.total": 1000, "temperature.gpu": 40, "processes": [{"username": "ada", "command": "py}[{\"", "pid": 1}]}
                for n in range(2)]
        return {"hostname": "node", "driver_version": "550.54", "query_time": f"2024-05-01T12:00:{i:02}.500000", "gpus": gpus, **more}

    def test_in_every_shape(self):
        readings = [self.reading(i) for i in range(20)]
        shapes = {"lines": "\n".join(map(json.dumps, readings)), "concatenated": "".join(json.dumps(r, indent=4) for r in readings),
                  "array": json.dumps(readings, indent=2), "bom": "\ufeff" + "\r\n".join(map(json.dumps, readings))}
        for name, text in shapes.items():
            with self.subTest(shape=name):
                answer = self.report(self.file(text, "gpustat.json"))
                self.assertEqual((answer["samples"], len(answer["gpus"]), answer["duration_seconds"]), (20, 2, 19))
                self.assertEqual(answer["gpus"][1]["power_watts"]["avg"], 51)
                self.assertEqual(answer["configuration"]["hostname"], "node")
                self.assertEqual(answer["notes"], [])

    def test_one_reading_and_missing_fields(self):
        answer = self.report(self.file(json.dumps({"gpus": [{"index": 0, "name": "A", "utilization.gpu": None}]}), "one.json"))
        self.assertEqual(answer["samples"], 1)
        self.assertIsNone(answer["gpus"][0]["utilization_percent"])

    def test_a_last_object_that_is_cut_off_is_said(self):
        answer = self.report(self.file("\n".join(json.dumps(self.reading(i)) for i in range(20))[:-40], "cut.json"))
        self.assertEqual(answer["samples"], 19)
        self.assertIn("cut off", answer["notes"][0])


class SmiCsv(ReportTest):
    COLUMNS = ["timestamp", "index", "uuid", "pci.bus_id", "utilization.gpu [%]", "memory.used [MiB]", "memory.total [MiB]", "power.draw [W]"]

    def log(self, columns, units=True, header=True, end="\n", again=0):
        lines = []
        for i in range(20):
            if header and (i == 0 or again and i % again == 0):
                lines.append(", ".join(columns))
            for gpu in range(2):
                cells = {"timestamp": f"2024/05/01 12:00:{2 * i:02}.{123 + 3 * gpu}", "index": gpu, "uuid": f"GPU-{'ab'[gpu]}", "pci.bus_id": f"00000000:0{gpu + 1}:00.0",
                         "utilization.gpu [%]": f"{40 + 20 * gpu} %", "memory.used [MiB]": f"{1000 + i} MiB", "memory.total [MiB]": "8192 MiB",
                         "power.draw [W]": "[N/A]" if i == 3 else "[Unknown Error]" if i == 4 else "[Not Supported]" if i == 5 else f"{100 + gpu}.50 W"}
                texts = [str(cells[column]) for column in columns]
                lines.append(", ".join(texts if units else [text.split(" ")[0] if column != "timestamp" else text for column, text in zip(columns, texts)]))
        return end.join(lines) + end

    def check(self, answer, seconds):
        self.assertEqual((answer["samples"], len(answer["gpus"]), answer["duration_seconds"]), (20, 2, seconds))
        for gpu, (work, power) in enumerate(((40, 100.5), (60, 101.5))):
            found = answer["gpus"][gpu]
            self.assertEqual(found["utilization_percent"]["avg"], work)
            self.assertEqual((found["power_watts"]["avg"], found["power_watts"]["count"]), (power, 17))
            self.assertEqual((found["memory_used_mib"]["max"], found["memory_total_mib"]), (1019, 8192))

    def test_columns_in_any_order_and_gpus_by_any_name(self):
        every = self.COLUMNS
        for columns in (every, every[::-1], [c for c in every if c not in ("uuid", "pci.bus_id")], [c for c in every if c not in ("index", "pci.bus_id")],
                        [c for c in every if c not in ("index", "uuid")], [c for c in every if c not in ("index", "uuid", "pci.bus_id")]):
            with self.subTest(columns=columns):
                self.check(self.report(self.file(self.log(columns))), 38)

    def test_no_timestamps_windows_lines_byte_order_mark_and_headers_again(self):
        self.check(self.report(self.file(self.log(self.COLUMNS[1:]))), None)
        self.check(self.report(self.file("\ufeff" + self.log(self.COLUMNS, end="\r\n", again=5))), 38)

    def test_no_units_and_no_header(self):
        self.check(self.report(self.file(self.log(self.COLUMNS, units=False))), 38)
        names = ",".join(column.split(" ")[0] for column in self.COLUMNS)
        self.check(self.report(self.file(self.log(self.COLUMNS, units=False, header=False)), "--columns", names), 38)
        self.check(self.report(self.file(self.log(self.COLUMNS, header=False)), "--columns", names), 38)

    def test_decimal_commas(self):
        text = self.log(self.COLUMNS).replace(".50 W", ",50 W")
        self.check(self.report(self.file(text)), 38)
        self.check(self.report(self.file(self.log(self.COLUMNS).replace(", ", ";").replace(".50 W", ",50 W"))), 38)


class OwnScripts(ReportTest):
    """The output of somebody's own monitor_gpu.py."""

    def check(self, path, seconds=38):
        answer = self.report(path)
        gpu = answer["gpus"][0]
        self.assertEqual((answer["samples"], answer["duration_seconds"]), (20, seconds))
        self.assertEqual((gpu["utilization_percent"]["avg"], gpu["memory_used_mib"]["max"], gpu["memory_total_mib"], gpu["power_watts"]["avg"]), (12, 512, 6144, 30))

    def log(self, names, stamp="%Y-%m-%d %H:%M:%S", end="\n", memory=(512, 6144)):
        begin = datetime.datetime(2024, 5, 1, 23, 59, 50)
        rows = [f"{(begin + datetime.timedelta(seconds=2 * i)).strftime(stamp)},{12},{memory[0]},{memory[1]},{30}" for i in range(20)]
        return end.join([names, *rows]) + end

    def test_names_and_times_of_their_own(self):
        for names in ("timestamp,gpu_util,memory_used_mb,memory_total_mb,power_w", "Time,GPU Utilization (%),Memory Used (MiB),Memory Total (MiB),Power Draw (W)",
                      "ts,gpuUtilPct,memUsedMB,memTotalMB,powerWatts", "datetime,gpu_load,vram_used,vram_total,gpu_power"):
            with self.subTest(names=names):
                self.check(self.file(self.log(names)))
        self.check(self.file(self.log("timestamp,gpu_util,mem_used_gb,mem_total_gb,power", memory=(.5, 6))))
        for stamp in ("%H:%M:%S", "%m/%d/%Y %I:%M:%S %p", "%d.%m.%Y %H:%M:%S", "%a %b %d %H:%M:%S %Y", "%Y-%m-%dT%H:%M:%S.000000+02:00"):
            with self.subTest(stamp=stamp):
                self.check(self.file(self.log("timestamp,gpu_util,memory_used_mb,memory_total_mb,power_w", stamp)))

    def test_of_a_windows_shell(self):
        path = self.folder / "utf16.csv"
        text = self.log("timestamp,gpu_util,memory_used_mb,memory_total_mb,power_w", end="\r\n")
        for encoding in ("utf-16", "utf-16-le", "utf-16-be"):
            path.write_bytes(text.encode(encoding))
            self.check(path)

    def test_without_a_single_reading_of_a_gpu_are_refused_with_their_columns(self):
        done = self.run_gputop("report", self.file("timestamp,cpu_percent,ram_used_mb\n2024-01-01 00:00:00,10,2\n"))
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("none of its columns (timestamp, cpu_percent, ram_used_mb) is a reading of a GPU", done.stderr)


class NoLogs(ReportTest):
    def test_are_refused_with_what_where_and_what_to_do(self):
        cases = {"": "is empty", "\n\n": "is empty", "hello\nworld\n": "--columns", "{\"a\": 1}": "gpustat", "[]": "gpustat",
                 "# gpu pwr sm\n# Idx W %\n": "dmon", "timestamp, utilization.gpu [%]\n": "no readings", "a\0b": "not a gputop recording"}
        for text, why in cases.items():
            with self.subTest(text=text):
                done = self.run_gputop("report", self.file(text, "odd.txt"))
                self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
                self.assertIn("odd.txt", done.stderr)
                self.assertIn(why, done.stderr)

    def test_folders_and_missing_columns(self):
        done = self.run_gputop("report", self.folder)
        self.assertEqual((done.returncode, done.stderr), (1, f"gputop: {self.folder}: is a folder; name a recording or a log in it\n"))
        self.assertIn("a pipe or a device", self.run_gputop("report", "/dev/null").stderr)
        done = self.run_gputop("report", self.file("1, 2, 3\n"), "--columns", "index,utilization.gpu")
        self.assertEqual(done.returncode, 1)
        self.assertIn("3 columns, --columns names 2", done.stderr)


if __name__ == "__main__":
    unittest.main()
