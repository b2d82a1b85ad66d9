"""A real Prometheus and node_exporter: what gputop export writes is asked for by rules, dashboards and gputop fleet."""
import base64
import http.server
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import prometheus  # noqa: E402
from program import GPUTOP, ProgramTest  # noqa: E402
from run_jobs import wait_for  # noqa: E402

SOURCE = pathlib.Path(os.environ["GPUTOP_SOURCE"])
RULES = SOURCE / "configs" / "prometheus" / "gputop.rules.yml"
DASHBOARDS = sorted((SOURCE / "configs" / "grafana").glob("*.json"))
FAMILIES = set(re.findall(r'FAMILY\(\w+, "(\w+)"', (SOURCE / "src/report/metrics/families.def").read_text()))

TWO = """
gpus 2
driver 550.54.15
gpu * name "NVIDIA Test {i}"
gpu * uuid "GPU-test-{i}"
gpu * utilization 40+10i
gpu * memory_total 80GiB
gpu * memory_used 10GiB
gpu * temperature 40+1i
gpu * slowdown_temperature 90
gpu * power 100+1i
gpu * power_limit 300
gpu * throttle 0
gpu * sm_clock 1000
gpu * max_sm_clock 2000
"""
JOB = "import time\nfor i in range(1, 100000):\n  print(f'step {i}/100000 loss: 0.25', flush=True); time.sleep(0.1)"


def dashboard_queries():
    for path in DASHBOARDS:
        board = json.loads(path.read_text())
        for panel in board["panels"]:
            for target in panel["targets"]:
                query = re.sub(r"\$(instance|job_id)\b", ".*", target["expr"])
                yield f"{path.stem}: {panel['title']}", query


@unittest.skipIf(prometheus.missing(), f"SKIPPED: not here: {prometheus.missing()} (scripts/setup --cluster installs it)")
class RealPrometheus(ProgramTest):
    def server(self, **more):
        folder = self.folder / f"prometheus-{time.monotonic_ns()}"
        folder.mkdir()
        server = prometheus.Prometheus(folder, **more)
        self.addCleanup(server.close)
        return server

    def exported(self):
        """A node_exporter with the files of a gputop that watches two GPUs and a run on them."""
        runtime = self.folder / "runtime"
        runtime.mkdir(mode=0o700)
        textfiles = self.folder / "textfiles"
        textfiles.mkdir()
        run = self.start_gputop("--headless", "--", sys.executable, "-c", JOB, scenario=TWO, XDG_RUNTIME_DIR=str(runtime),
                                SLURM_JOB_ID="4711", SLURM_STEP_ID="0", SLURM_PROCID="1", SLURM_NTASKS="2", SLURMD_NODENAME="n1")
        self.addCleanup(self.run_gputop, "stop", "--kill", scenario=TWO, XDG_RUNTIME_DIR=str(runtime))
        self.start_gputop("export", "--textfile", textfiles, "--interval", "1s", scenario=TWO, XDG_RUNTIME_DIR=str(runtime))
        wait_for(lambda: [f for f in textfiles.glob("gputop-runs-*.prom") if "gputop_run_step{" in f.read_text()], "the run's file", 60)
        program, address = prometheus.node_exporter(self.folder, textfiles)
        self.addCleanup(program.close)
        return address, run

    def fleet(self, *words, env=None, code=0):
        done = subprocess.run([GPUTOP, "fleet", *words], env=self.environment(**(env or {})), capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=120)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def test_rules_pass_promtool(self):
        checked = subprocess.run(["promtool", "check", "rules", str(RULES)], capture_output=True, text=True, timeout=60)
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)

    def test_rules_and_dashboards_ask_for_what_is_exported(self):
        """Every query is accepted, and names families that gputop has."""
        address, _ = self.exported()
        server = self.server(targets=[address], rules=[RULES])
        wait_for(lambda: server.query("gputop_run_step"), "the run in Prometheus", 60)
        queries = list(dashboard_queries())
        groups = server.get("/api/v1/rules")["groups"]
        rules = [rule for group in groups for rule in group["rules"]]
        self.assertGreaterEqual(len(rules), 7)
        queries += [(rule["name"], rule["query"]) for rule in rules]
        for name, query in queries:
            with self.subTest(name):
                named = set(re.findall(r"\bgputop_\w+", query))
                self.assertTrue(named or "node_textfile" in query, query)
                self.assertLessEqual(named, FAMILIES)
        # What nobody suffers from here: no trouble, no advice, nothing that needs PyTorch or half an hour.
        expected = {rule["name"] for rule in rules} | {"fleet: Advice", "fleet: GPUs by user", "job: Advice", "job: MFU", "job: Remaining",
                                                       "job: Where the time goes", "job: Waits for data", "job: Waits for data, by rank",
                                                       "job: GPUs", "job: Busy, of its GPUs", "job: Memory of its GPUs"}
        # A panel may have several queries: one with data will do.
        wanted = {name for name, _ in queries} - expected
        wait_for(lambda: not [name for name in wanted if not any(server.query(query) for other, query in queries if other == name)],
                 "data for every panel", 60)
        for _, query in queries:
            server.query(query)  # accepted, with data or without
        wait_for(lambda: all(rule.get("health") == "ok" for group in server.get("/api/v1/rules")["groups"] for rule in group["rules"]),
                 "all rules evaluated", 60)

    def test_alerts_fire_on_what_they_are_for(self):
        """The opposite: with everything wrong for an hour, each alert is on."""
        now = time.time()
        gpu, run = 'instance="n1:9100",uuid="GPU-a"', 'instance="n1:9100",job_id="7",run="x"'
        lines = [f"gputop_gpu_utilization_ratio{{{gpu}}} 0", f'gputop_gpu_processes{{{gpu},user="ada"}} 1', f"gputop_gpu_up{{{gpu}}} 0",
                 f'gputop_gpu_throttled{{{gpu},reason="thermal"}} 1', f"gputop_gpu_temperature_celsius{{{gpu}}} 95",
                 f"gputop_gpu_slowdown_temperature_celsius{{{gpu}}} 93", f"gputop_run_still_seconds{{{run}}} 900",
                 f'gputop_run_advice_info{{{run},advice="host_memory_leak",severity="warning",title="t"}} 1',
                 f'node_textfile_mtime_seconds{{instance="n1:9100",file="/x/gputop.prom"}} {now - 3600}']
        lines += [f'gputop_rank_input_wait_ratio{{{run},rank="{rank}"}} {0.9 if rank == 2 else 0.1}' for rank in range(4)]
        history = prometheus.history(lines, now - 3600, now, 30)
        xid = "".join(f'gputop_gpu_xid_errors{{{gpu}}} {0 if moment < 1800 else 1} {now - 3600 + moment:.3f}\n' for moment in range(0, 3601, 30))
        history = history.replace("# EOF\n", "# TYPE gputop_gpu_xid_errors unknown\n" + xid + "# EOF\n")
        server = self.server(history=history)
        for rule in re.findall(r"- alert: (\w+)", RULES.read_text()):
            expression = self.rule_expression(rule).replace("gputop_gpu_xid_errors_total", "gputop_gpu_xid_errors")
            with self.subTest(rule):
                self.assertTrue(server.query(expression), expression)

    @staticmethod
    def rule_expression(name):
        """As promtool reads it: YAML folded into one line."""
        block = re.search(rf"- alert: {name}\n\s+expr: (.*?)\n        (?:for|labels):", RULES.read_text(), re.S)[1]
        return re.sub(r"^\|", "", block).strip()

    def test_fleet_reads_what_export_writes(self):
        address, _ = self.exported()
        server = self.server(targets=[address])
        wait_for(lambda: server.query("gputop_run_step"), "the run in Prometheus", 60)
        found = json.loads(self.fleet("--prometheus", server.url, "--json").stdout)
        self.assertEqual(len(found["gpus"]), 2)
        self.assertEqual({gpu["uuid"]: round(gpu["utilization_percent"]) for gpu in found["gpus"]}, {"GPU-test-0": 40, "GPU-test-1": 50})
        self.assertEqual([job["id"] for job in found["jobs"]], ["4711"])
        self.assertEqual(found["jobs"][0]["loss"], 0.25)
        self.assertIn("node_exporter", found["exporters"])
        self.assertEqual(found["nodes"][0]["name"], os.uname().nodename)
        self.assertIsNotNone(found["nodes"][0]["memory_ratio"])
        self.assertIn("4711", self.fleet("--prometheus", server.url).stdout)

    def test_fleet_with_tls(self):
        """HTTPS by a certificate of our own: refused without it, trusted with it."""
        if not shutil.which("openssl"):
            self.skipTest("SKIPPED: openssl is not here")
        key, certificate = self.folder / "key.pem", self.folder / "cert.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2",
                        "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True, timeout=60)
        web = self.folder / "web.yml"
        web.write_text(json.dumps({"tls_server_config": {"cert_file": str(certificate), "key_file": str(key)}}))
        server = self.server(web=web, scheme="https")
        refused = self.fleet("--prometheus", server.url, code=1)
        self.assertRegex(refused.stderr, "certificate")
        self.fleet("--prometheus", server.url, "--ca-file", str(certificate))
        self.fleet("--prometheus", server.url.replace("https", "http"), code=1)

    def test_a_login_is_asked_for(self):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                given = self.headers.get("Authorization", "")
                good = given in ("Basic " + base64.b64encode(b"ada:geheim").decode(), "Bearer t0ken")
                body = json.dumps({"status": "success", "data": {"resultType": "vector", "result": []}}).encode()
                self.send_response(200 if good else 401)
                self.end_headers()
                self.wfile.write(body if good else b"")

            def log_message(self, *_):
                pass

        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            self.addCleanup(server.shutdown)
            url = f"http://127.0.0.1:{server.server_port}"
            token = self.folder / "token"
            token.write_text("t0ken\n")
            self.assertIn("401", self.fleet("--prometheus", url, code=1).stderr)
            self.fleet("--prometheus", url, "--token-file", str(token))
            self.fleet("--prometheus", url, "--user", "ada", env={"GPUTOP_PROMETHEUS_PASSWORD": "geheim"})
            self.fleet("--prometheus", url, env={"GPUTOP_PROMETHEUS_TOKEN": "t0ken"})
            server.shutdown()

    def test_a_server_that_is_silent_takes_no_longer_than_the_time_out(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            began = time.monotonic()
            done = self.fleet("--prometheus", f"http://127.0.0.1:{silent.getsockname()[1]}", "--timeout", "500ms", code=1)
            self.assertRegex(done.stderr, "timed out|in time")
            self.assertLess(time.monotonic() - began, 30)


if __name__ == "__main__":
    unittest.main()
