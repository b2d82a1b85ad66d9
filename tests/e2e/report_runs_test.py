"""Reports on live runs and on torn recordings, and comparisons of runs of the bundled example."""
import json
import pathlib
import signal
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import processes
from program import GPUTOP  # noqa: E402
from reports import Page, ReportTest, tables_of  # noqa: E402

COUNTING = "import time\nfor i in range(600): print('step', i, flush=True); time.sleep(.1)"


class GoingOn(ReportTest):
    def test_are_found_by_name_id_and_file_and_are_not_called_broken(self):
        path = self.folder / "long.gputop"
        run = self.start_gputop("--headless", "--record", path, "--name", "longrun", "--source", "sim:healthy", "--interval", "100ms", "--", sys.executable, "-c", COUNTING)
        for _ in range(40):
            run.stdout.readline()
        listed = json.loads(self.output_of("ls", "--json"))["runs"]
        names = ["longrun", next(item["id"] for item in listed if item["name"] == "longrun"), path]
        answers = [self.run_gputop("report", name, "--format", "json") for name in names]
        text = self.run_gputop("report", "longrun").stdout
        advised = [self.run_gputop("advise", name, "--json") for name in names]
        run.send_signal(signal.SIGTERM)
        run.communicate(timeout=30)
        for done in answers:
            self.assertEqual(done.returncode, 0, done.stderr)
            answer = json.loads(done.stdout)
            self.assertEqual((answer["configuration"]["run"], answer["end"]["kind"], answer["recording"]), ("longrun", "running", "still written"))
            self.assertEqual(answer["notes"], [])
            self.assertGreater(answer["samples"], 10)
        self.assertIn("It is still running", text)
        for done in advised:
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout)["end"]["kind"], "running")
        ended = self.report(path)
        self.assertEqual(ended["recording"], "whole")
        self.assertIn(ended["end"]["kind"], ("stopped", "killed", "interrupted", "terminated", "finished", "failed", "signal"))

    def test_a_run_that_was_recorded_is_found_by_its_name_afterwards(self):
        self.output_of("--headless", "--name", "short", "--source", "sim:healthy", "--interval", "100ms", "--", sys.executable, "-c", "import time; time.sleep(1)")
        self.assertEqual(self.report("short")["configuration"]["run"], "short")
        self.assertEqual(self.run_gputop("report", "sho").returncode, 1)

    def test_a_script_in_the_folder_is_not_meant_where_a_run_has_its_name(self):
        script = self.file("import time; time.sleep(1)", "train.py")
        self.output_of("--headless", "--source", "sim:healthy", "--interval", "100ms", "--", sys.executable, script)
        done = self.run_gputop("report", "train.py", "--format", "json", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["configuration"]["run"], "train.py")
        named = self.run_gputop("report", "./train.py", cwd=self.folder)  # a path is a path
        self.assertEqual(named.returncode, 1)

    def test_without_a_name_the_last_one_is_reported_and_ls_all_lists_those_that_are_over(self):
        for name, code in (("first", 0), ("second", 3)):
            self.run_gputop("--headless", "--name", name, "--source", "sim:healthy", "--interval", "100ms", "--", sys.executable, "-c", f"import sys, time; time.sleep(1); sys.exit({code})")
        last = json.loads(self.output_of("report", "--format", "json"))
        self.assertEqual(last["configuration"]["run"], "second")
        self.assertNotIn("second", self.output_of("ls"))
        listed = [line for line in self.output_of("ls", "--all").splitlines() if " ended " in line]  # others' runs may go on
        self.assertIn("second", listed[0])
        self.assertIn("exited with code 3", listed[0])
        self.assertIn("first", listed[1])
        ended = [run for run in json.loads(self.output_of("ls", "--all", "--json"))["runs"] if run["state"] == "ended"]
        self.assertEqual([(run["name"], run["state"]) for run in ended], [("second", "ended"), ("first", "ended")])
        self.assertGreater(ended[0]["lasted_seconds"], 0.5)

    def test_brief_fits_a_pull_request(self):
        self.output_of("--headless", "--name", "short", "--source", "sim:healthy", "--interval", "100ms", "--", sys.executable, "-c", "import time; time.sleep(1)")
        text = self.output_of("report", "short", "--brief")
        self.assertLessEqual(len(text.splitlines()), 40)
        for part in ("short", "speed", "busy", "memory", "energy", "How it ended"):
            self.assertIn(part, text)
        self.assertIn("<details>", self.output_of("report", "short"))


class Folder(ReportTest):
    def test_a_recording_that_links_name_again_is_one_rank(self):
        folder = self.folder / "job"
        folder.mkdir()
        for name in ("a", "b"):
            self.output_of("--headless", "--record", folder / f"{name}.gputop", "--source", "sim:healthy", "--", "sh", "-c", "echo step 1/2")
        (folder / "latest.gputop").symlink_to("b.gputop")
        (folder / "self").symlink_to(".")
        for job in (folder, folder / "*.gputop"):
            self.assertEqual(2, len(json.loads(self.output_of("report", job, "--format", "json"))["ranks"]))


class Torn(ReportTest):
    def killed(self):
        path = self.folder / "torn.gputop"
        process = self.start_gputop("--headless", "--record", path, "--source", "sim:healthy", "--interval", "100ms")
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and not (path.exists() and path.stat().st_size > 2000):
            time.sleep(.1)
        time.sleep(2.5)  # the 2 s that may be lost are not all there is
        processes.send(process.pid, signal.SIGKILL)
        process.wait()
        return path

    def test_by_kill_9_what_was_lost_is_said(self):
        path = self.killed()
        answer = self.report(path)
        self.assertEqual(answer["recording"], "cut off")
        self.assertGreater(answer["samples"], 10)
        self.assertIn("its last 2 s may be missing", answer["notes"][0])
        self.assertIn("breaks off", answer["end"]["text"])
        text = self.output_of("report", path)
        self.assertIn("The recording is incomplete: cut off at byte", text)

    def test_what_is_before_a_cut_is_reported_and_what_nobody_can_read_is_refused(self):
        path = self.record("hurt.gputop", seconds=4)
        whole = self.report(path)
        data = path.read_bytes()
        path.write_bytes(data[:-20])
        answer = self.report(path)
        self.assertEqual(answer["recording"], "cut off")
        self.assertTrue(0 < answer["samples"] <= whole["samples"], answer["samples"])
        path.write_bytes(data[:100] + bytes(byte ^ 0x5A for byte in data[100:]))
        done = self.run_gputop("report", path)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("hurt.gputop: not a gputop recording, or nothing in it is readable: damaged at byte", done.stderr)


class Compare(ReportTest):
    def example(self, name, *flags):
        path = self.folder / name
        self.output_of("--headless", "--record", path, "--source", "sim", "--interval", "100ms", "--", GPUTOP, "example", "--speed", "20",
                       "--epochs", "1", "--steps-per-epoch", "2400", *flags)
        return path

    def test_a_larger_batch_with_more_workers_is_faster_and_says_how_sure_that_is(self):
        before, after = self.example("a.gputop", "--batch-size", "8"), self.example("b.gputop", "--batch-size", "16", "--num-workers", "8")
        answer = json.loads(self.output_of("compare", before, after, "--format", "json"))
        speed = next(metric for metric in answer["metrics"] if metric["name"] == "throughput")
        change = speed["against_first"][1]
        self.assertTrue(change["certain"], answer["verdict"])
        self.assertGreater(change["percent"]["mean"], 0)
        self.assertIsNotNone(change["percent"]["plus_minus"])
        self.assertIn("faster than A", answer["verdict"])
        words = json.dumps(answer["configuration"])
        self.assertIn("--batch-size 8 \\u2192 16" if "\\u2192" in words else "--batch-size 8 → 16", words)
        text = self.output_of("compare", before, after)
        page = Page(self.output_of("compare", before, after, "--format", "html"))
        row = next(row for table in tables_of(text) for row in table if row[0].startswith("speed"))
        self.assertEqual(float(row[1].split(" ")[0]), speed["means"][0]["mean"])
        self.assertEqual(float(row[3].split(" ")[0]), change["percent"]["mean"])
        self.assertIn(row, page.rows)
        self.assertIn("Verdict", page.headings)
        same = json.loads(self.output_of("compare", before, before, after, "--format", "json"))
        self.assertTrue(same["verdict"].startswith("no difference"), same["verdict"])
        self.assertIn("C is", same["verdict"])

    def test_needs_two(self):
        self.assertEqual(self.run_gputop("compare", self.record("one.gputop", seconds=1)).returncode, 2)


if __name__ == "__main__":
    unittest.main()
