"""gputop report and advise over every log of tests/gpu_logs: their output matches the log's truth."""
import json
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from reports import ReportTest  # noqa: E402

LOGS = pathlib.Path(__file__).parents[1] / "gpu_logs"
FIGURES = {"util": "utilization_percent", "mem": "memory_used_mib", "power": "power_watts"}
VERDICTS = {"busy": "The GPU is the limit", "low": "CPU-bound or batch", "mid": "busy; where", "idle": "No GPU at work", "few": "Too ", "unread": "was not recorded"}


class GpuLogs(ReportTest):
    def difference(self, answer, truth):
        """The report's differences from the truth, in words."""
        every = answer["all_gpus"] or {}
        found = {"gpus": len(answer["gpus"]), "readings": answer["samples"], "duration": answer["duration_seconds"], "errors": answer["sensor_error_count"]}
        wrong = []
        for name, value in found.items():
            wanted = truth.get(name, value)
            if wanted == ">0":
                same = value > 0
            elif wanted is None or value is None:
                same = wanted is value
            else:
                same = abs(value - wanted) <= 0.15
            if not same:
                wrong.append(f"{name}: {value}, not {wanted}")
        if truth["duration"] is None and every.get("energy_wh") is not None:
            wrong.append("an energy without times")
        for name, key in FIGURES.items():
            figures, wanted = every.get(key), truth.get(name)
            if (figures is None) != (wanted is None):
                wrong.append(f"{name}: {figures}, not {wanted}")
            elif wanted is not None:
                wrong += [f"{name} {which}: {figures[which]}, not {value}" for which, value in zip(("avg", "min", "max"), wanted)
                          if abs(figures[which] - value) > 0.06 + 0.0012 * abs(value)]
        if truth.get("name") and not (answer["gpus"][0]["name"] or "").startswith(truth["name"][:22]):
            wrong.append(f"name: {answer['gpus'][0]['name']}")
        if not any(VERDICTS[verdict] in answer["diagnosis"] for verdict in truth["verdict"].split("|")):
            wrong.append(f"verdict: {answer['diagnosis']}, not {truth['verdict']}")
        return wrong

    def test_every_log_is_read_as_it_is(self):
        truths = sorted(LOGS.glob("*.truth"))
        self.assertGreater(len(truths), 40)
        for path in truths:
            with self.subTest(log=path.stem):
                truth, log = json.loads(path.read_text()), path.with_suffix("")
                words = truth.get("args", [])
                done = self.run_gputop("report", log, "--format", "json", *words)
                if "refused" in truth:
                    self.assertEqual(done.returncode, 1)
                    self.assertTrue(re.search(truth["refused"], done.stderr), done.stderr)
                    continue
                self.assertEqual(done.returncode, 0, done.stderr)
                answer = json.loads(done.stdout)
                self.assertEqual(self.difference(answer, truth), [])
                advice = json.loads(self.output_of("advise", log, "--json", *words))
                self.assertEqual(advice["bottleneck"], answer["bottleneck"])
                self.assertEqual([finding["id"] for finding in advice["advice"]], [finding["id"] for finding in answer["recommendations"]])


if __name__ == "__main__":
    unittest.main()
