"""gputop export: Prometheus reads what the driver and the runs report, and nothing is left behind."""
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import unittest
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from processes import send  # noqa: E402
from program import GPUTOP, ProgramTest  # noqa: E402
from run_jobs import wait_for  # noqa: E402

EIGHT = """
gpus 8
driver 550.54.15
gpu * name "NVIDIA Test {i}"
gpu * uuid "GPU-test-{i}"
gpu * utilization 10+1i
gpu * memory_total 80GiB
gpu * memory_used 1048576+4096i
gpu * temperature 40+1i
gpu * power 100.125+1i
gpu * energy 5000
gpu 3 error nvmlDeviceGetPowerUsage not_supported
"""

JOB = "import time\nfor i in range(1, 100000):\n  print(f'step {i}/100000 loss: 0.25', flush=True); time.sleep(0.1)"


def series(text):
    """{series: value}; every line is a comment or a sample, and no series comes twice."""
    found = {}
    for line in text.splitlines():
        if line.startswith("# "):
            continue
        match = re.fullmatch(r'([a-z_0-9]+(?:\{(?:[a-z_]+="(?:[^"\\]|\\.)*",?)*\})?) (\S+)', line)
        assert match, line
        assert match[1] not in found, line
        found[match[1]] = float(match[2])
    return found


def check_with_promtool(text):
    if not shutil.which("promtool"):
        print("SKIPPED: promtool is not here (apt-get install prometheus)", file=sys.stderr)
        return
    checked = subprocess.run(["promtool", "check", "metrics"], input=text, text=True, capture_output=True, timeout=60)
    assert checked.returncode == 0 and not checked.stdout + checked.stderr, checked


class Export(ProgramTest):
    def environment(self, scenario=None, **more):
        """With its own runs: those of other tests on the same machine are neither shown nor stopped."""
        runs = self.folder / "runs"
        runs.mkdir(mode=0o700, exist_ok=True)
        return super().environment(scenario, GPUTOP_RUNTIME_DIR=str(runs), **more)

    def test_stdout_has_every_gpu_by_its_uuid(self):
        done = self.run_gputop("export", scenario=EIGHT)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = series(done.stdout)
        for i in range(8):
            uuid = f'{{uuid="GPU-test-{i}"}}'
            self.assertEqual(found["gputop_gpu_utilization_ratio" + uuid], (10 + i) / 100)
            self.assertEqual(found["gputop_gpu_memory_used_bytes" + uuid], 1048576 + 4096 * i)
            self.assertEqual(found.get("gputop_gpu_power_watts" + uuid), None if i == 3 else 100.125 + i)
            self.assertEqual(found["gputop_gpu_energy_joules_total" + uuid], 5000)
        check_with_promtool(done.stdout)

    def test_without_a_gpu_the_host_is_there(self):
        done = self.run_gputop("export", "--once")
        self.assertEqual(done.returncode, 0, done.stderr)
        found = series(done.stdout)
        self.assertEqual(found["gputop_gpu_source_up"], 0)
        self.assertIn("gputop_host_cpus", found)
        self.assertNotIn("gputop_gpu_utilization_ratio", done.stdout)
        check_with_promtool(done.stdout)

    def test_files_are_whole_and_gone_at_the_end(self):
        folder = self.folder / "collector"
        folder.mkdir()
        exporter = self.start_gputop("export", "--textfile", folder, "--interval", "100ms", scenario=EIGHT)
        machine = folder / "gputop.prom"
        wait_for(machine.exists, "gputop.prom")
        for _ in range(50):  # whenever it is looked at
            self.assertEqual(len(re.findall("gputop_gpu_up{", machine.read_text())), 8)
        check_with_promtool(machine.read_text())
        self.assertFalse([f for f in folder.iterdir() if f.name != "gputop.prom" and f.suffix == ".prom"])
        exporter.send_signal(signal.SIGTERM)
        self.assertEqual(exporter.wait(20), 0)
        self.assertEqual(list(folder.iterdir()), [])

    def test_once_leaves_its_files(self):
        done = self.run_gputop("export", "--textfile", self.folder, "--once", scenario=EIGHT)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertIn("gputop_gpu_up", (self.folder / "gputop.prom").read_text())

    def listening(self, *words, **more):
        exporter = self.start_gputop("export", "--listen", *words, **more)
        said = []
        while not said or "metrics at" not in said[-1]:
            said.append(exporter.stderr.readline())
            self.assertTrue(said[-1], said)
        return exporter, re.search(r"http://\S+", said[-1])[0], said

    def test_clients_that_say_nothing_do_not_keep_others_out(self):
        for limit in ("", "ulimit -n 48; "):
            with self.subTest(limit=limit):
                exporter = subprocess.Popen(["sh", "-c", limit + 'exec "$0" export --listen 127.0.0.1:0', GPUTOP], text=True,
                                            env=self.environment(EIGHT), stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
                self.addCleanup(self._end, exporter)
                said = exporter.stderr.readline()
                url = re.search(r"http://\S+", said)[0]
                port = int(url.split(":")[2].split("/")[0])
                silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(40)]
                with urllib.request.urlopen(url, timeout=30) as answer:
                    self.assertIn(b"gputop_build_info", answer.read())  # readings may be a moment behind
                for client in silent:
                    client.close()
                with urllib.request.urlopen(url, timeout=30) as answer:
                    self.assertEqual(answer.status, 200)
                send(exporter.pid, signal.SIGTERM)
                self.assertEqual(exporter.wait(30), 0)

    def test_a_port_answers_scrapes_and_nothing_else(self):
        exporter, url, said = self.listening("127.0.0.1:0", scenario=EIGHT)
        self.assertNotIn("WARNING", "".join(said))
        wait_for(lambda: b"gputop_gpu_up" in urllib.request.urlopen(url, timeout=20).read(), "the first reading")
        with urllib.request.urlopen(url, timeout=20) as answer:
            self.assertEqual(answer.headers["Content-Type"], "text/plain; version=0.0.4; charset=utf-8")
            check_with_promtool(answer.read().decode())
        wanted = urllib.request.Request(url, headers={"Accept": "application/openmetrics-text;version=1.0.0,text/plain;q=0.5"})
        with urllib.request.urlopen(wanted, timeout=20) as answer:
            self.assertIn("application/openmetrics-text", answer.headers["Content-Type"])
            self.assertTrue(answer.read().decode().endswith("# EOF\n"))
        for path, method, code in (("/other", "GET", 404), ("/metrics", "DELETE", 405)):
            wanted = urllib.request.Request(url.replace("/metrics", path), method=method)
            with self.assertRaises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(wanted, timeout=20)
            self.assertEqual(refused.exception.code, code)
            refused.exception.close()
        exporter.send_signal(signal.SIGTERM)
        self.assertEqual(exporter.wait(20), 0)

    def test_an_address_that_others_reach_is_warned_about(self):
        _, _, said = self.listening("0.0.0.0:0", scenario=EIGHT)
        self.assertIn("WARNING: 0.0.0.0:0 is not a loopback address", "".join(said))

    def test_wrong_words_are_refused(self):
        for words in (["--listen", "nowhere"], ["--listen", "127.0.0.1:1", "--once"], ["--textfile", self.folder / "missing"]):
            done = self.run_gputop("export", *words)
            self.assertEqual(done.returncode, 2, words)

    def test_runs_are_asked_and_a_hung_one_does_not_hold_it_up(self):
        more = {"SLURM_JOB_ID": "4711", "SLURM_STEP_ID": "0", "SLURM_PROCID": "2",
                "SLURM_NTASKS": "4", "SLURMD_NODENAME": "n1"}
        run = self.start_gputop("--headless", "--name", "my \"run\"", "--", sys.executable, "-c", JOB, scenario=EIGHT, **more)

        def lines():
            done = self.run_gputop("export", scenario=EIGHT)
            self.assertEqual(done.returncode, 0, done.stderr)
            return done.stdout

        def step(text):
            return re.search(r'gputop_run_step\{job_id="4711",rank="2",run="([a-z0-9]+)"\} (\d+)', text)

        # An engine on a busy machine may miss the exporter's second: then its run is not in this answer, but in a later one.
        text = wait_for(lambda: step(found := lines()) and found, "the run's step", 60)
        self.assertIn('name="my \\"run\\"",launcher="slurm",node="n1"} 1', text)
        self.assertIn("gputop_run_loss", text)
        check_with_promtool(text)
        first = int(step(text)[2])
        wait_for(lambda: (found := step(lines())) and int(found[2]) > first, "the next step", 60)

        def engine_pid():  # 0 while the run's record does not name it yet: a signal to 0 would stop this test itself
            listed = subprocess.run([GPUTOP, "ls", "--json"], env=self.environment(EIGHT), capture_output=True, text=True, timeout=60)
            return int(re.search(r'"engine": (\d+)', listed.stdout)[1])

        engine = wait_for(engine_pid, "the engine in the list of runs", 60)
        send(engine, signal.SIGSTOP)
        try:
            self.assertIn("gputop_host_cpus", lines())
        finally:
            send(engine, signal.SIGCONT)
        stopped = self.run_gputop("stop", scenario=EIGHT)
        self.assertEqual(stopped.returncode, 0, stopped.stderr)
        run.communicate(timeout=60)
        self.assertNotIn("gputop_run_", lines())


if __name__ == "__main__":
    unittest.main()
