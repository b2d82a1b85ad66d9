"""A real Prometheus (and node_exporter) on free loopback ports, with their data in a folder of the test; all of it ends with it."""
import json
import os
import pathlib
import shutil
import socket
import subprocess
import time
import urllib.parse
import urllib.request

NODE_EXPORTER = shutil.which("prometheus-node-exporter") or shutil.which("node_exporter")


def missing():
    """What is missing, for a message; "" if nothing is."""
    wanted = {"prometheus": shutil.which("prometheus"), "promtool": shutil.which("promtool"),
              "prometheus-node-exporter": NODE_EXPORTER}
    return ", ".join(name for name, path in wanted.items() if not path)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(condition, what, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError(f"waited {seconds} s in vain for {what}")


class Program:
    def __init__(self, words, log):
        self.log = pathlib.Path(log)
        with open(log, "wb") as out:
            self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out, stderr=out)

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


def node_exporter(folder, textfiles):
    """(program, "127.0.0.1:PORT")"""
    address = f"127.0.0.1:{free_port()}"
    program = Program([NODE_EXPORTER, "--collector.disable-defaults", "--collector.textfile", "--collector.uname", "--collector.cpu",
                       "--collector.meminfo", f"--collector.textfile.directory={textfiles}", f"--web.listen-address={address}"],
                      pathlib.Path(folder) / "node_exporter.log")
    return program, address


class Prometheus:
    """targets: "host:port" that are scraped every second. web: a web.config.file. history: OpenMetrics text with timestamps."""

    def __init__(self, folder, targets=(), rules=(), history="", web=None, port=None, scheme="http"):
        self.folder = pathlib.Path(folder)
        data = self.folder / "data"
        if history:
            text = self.folder / "history.om"
            text.write_text(history)
            made = subprocess.run(["promtool", "tsdb", "create-blocks-from", "openmetrics", str(text), str(data)],
                                  capture_output=True, text=True, timeout=300)
            assert made.returncode == 0, made
        config = self.folder / "prometheus.yml"
        # JSON is YAML.
        config.write_text(json.dumps({
            "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
            "rule_files": [str(rule) for rule in rules],
            "scrape_configs": [{"job_name": "nodes", "static_configs": [{"targets": list(targets)}]}] if targets else []}))
        self.port = port or free_port()
        self.url = f"{scheme}://127.0.0.1:{self.port}"
        self.program = Program(["prometheus", f"--config.file={config}", f"--storage.tsdb.path={data}",
                                "--storage.tsdb.retention.time=30d", f"--web.listen-address=127.0.0.1:{self.port}",
                                *([f"--web.config.file={web}"] if web else [])], self.folder / "prometheus.log")
        wait_until(self.listens, "Prometheus")

    def listens(self):
        assert self.program.process.poll() is None, self.program.log.read_text()[-3000:]
        if "Server is ready to receive web requests" not in self.program.log.read_text():
            return False
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def get(self, path, **parameters):
        address = f"{self.url}{path}?{urllib.parse.urlencode(parameters)}"
        with urllib.request.urlopen(address, timeout=30) as answer:
            found = json.load(answer)
        assert found["status"] == "success", found
        return found["data"]

    def query(self, text):
        return self.get("/api/v1/query", query=text)["result"]

    def close(self):
        self.program.close()


def labelled(line, **labels):
    """A sample line with these labels in front of its own."""
    series, value = line.rsplit(" ", 1)
    name, _, rest = series.partition("{")
    own = ",".join(f'{key}="{text}"' for key, text in labels.items())
    return f"{name}{{{own}{',' + rest if rest else '}'} {value}"


def history(lines, since, until, step):
    """Sample lines, the same at every moment, as OpenMetrics with timestamps: families together, as they have to be."""
    families = {}
    for line in lines:
        families.setdefault(line.partition("{")[0].partition(" ")[0], []).append(line)
    out = []
    for name, samples in families.items():
        out.append(f"# TYPE {name} unknown")
        for line in samples:
            moment = since
            while moment <= until:
                out.append(f"{line} {moment:.3f}")
                moment += step
    return "\n".join(out) + "\n# EOF\n"
