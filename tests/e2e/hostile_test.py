"""A job's output, files and their names may be anything: none of it ends gputop, controls the terminal or reveals a secret."""
import json
import pathlib
import re
import resource
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from program import GPUTOP, ProgramTest  # noqa: E402

# What a terminal obeys: C0 but tabs and ends of lines, DEL, and C1 as a terminal takes it (a byte of its own, or as UTF-8).
OBEYED = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|(?<![\xc2-\xf4\x80-\xbf])[\x80-\x9f]")


def frame(*blocks):
    """A handmade zstd frame: bytes as they are, (byte, count) as a repeated byte."""
    pieces = []
    for block in blocks:
        if isinstance(block, bytes):
            pieces.append((0, len(block), block))
            continue
        byte, count = block
        while count > 0:
            pieces.append((1, min(count, 1 << 17), byte))
            count -= 1 << 17
    out = (0xFD2FB528).to_bytes(4, "little") + b"\x00\x48"  # a window of 512 KiB
    for number, (kind, size, content) in enumerate(pieces):
        out += (size << 3 | kind << 1 | (number == len(pieces) - 1)).to_bytes(3, "little") + content
    return out


HEADER = b'{"schema":"gputop.recording/1","frame":0,"t":0,"context":[]}\n'


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Recordings(ProgramTest):
    def check(self, path, seconds=20):
        """Every reader ends by itself, within this much CPU time (a busy machine takes longer, but no more CPU time)."""
        for words in (("report", path), ("report", path, "--format", "json"), ("report", path, "--format", "csv"), ("advise", path),
                      ("compare", path, path), ("replay", path)):
            with self.subTest(words=words[:1] + words[2:]):
                before = processor_time()
                result = self.run_gputop(*words, timeout=120)
                self.assertIn(result.returncode, (0, 1, 2), (words, result.returncode, result.stderr[-500:]))
                self.assertLess(processor_time() - before, seconds, "it takes for ever")

    def test_a_bar_that_two_ranks_tore_is_watched_to_the_end(self):
        path = self.folder / "torn.gputop"
        job = "printf '10/1 \\342\\224\\201\\342\\224\\n'; sleep 1; printf 'step 11/20 loss 0.5\\n'; exit 7"
        result = subprocess.run([GPUTOP, "--headless", "--record", path, "--", "sh", "-c", job], capture_output=True, timeout=120,
                                env=self.environment(XDG_RUNTIME_DIR=str(self.folder)), stdin=subprocess.DEVNULL)
        self.assertEqual(result.returncode, 7, result.stderr)
        self.assertEqual(result.stdout, b"10/1 \xe2\x94\x81\xe2\x94\nstep 11/20 loss 0.5\n")
        self.assertIn("step 11/20", self.run_gputop("report", path).stdout)
        self.check(path)

    def test_a_recording_nested_without_end(self):
        path = self.folder / "deep.gputop"
        for number, line in enumerate((b'{"run":', b'{"lens_hello":', b'{"dream":', b'{"t":1,"noted":{"text":')):
            path.write_bytes(frame(HEADER + line, (b"[", 12 << 20), b"\n"))
            self.check(path) if number == 0 else self.run_one(path)
        path.write_bytes(frame(HEADER[:-3], (b"[", 12 << 20), b"\n"))
        self.run_one(path)
        path.write_bytes(frame(HEADER + b'{"lens_hello":{"of":1,"x":', (b"[", 4 << 20), (b"]", 4 << 20), b"}}\n"))
        self.run_one(path)

    def run_one(self, path):
        result = self.run_gputop("report", path)
        self.assertIn(result.returncode, (0, 1), result.stderr[-500:])

    def test_a_kilobyte_of_millions_of_lines(self):
        path = self.folder / "lines.gputop"
        path.write_bytes(frame(HEADER, (b"\n", 30 << 20)))
        self.assertLess(path.stat().st_size, 1100)
        self.check(path)

    def test_terabytes_of_nothing(self):
        path = self.folder / "holes.gputop"
        with open(path, "wb") as file:
            file.truncate(4 << 40)
        self.check(path)

    def test_values_that_no_machine_has(self):
        lines = [b'{"t":1,"run":{"id":"1","name":"x","argv":["x"]}}', b'{"t":2,"gpus":{"rows":1,"util":[1e308],"power":[-1e308],"mem_total":[18446744073709551615],"mem_used":[18446744073709551615]}}',
                 b'{"t":4400000000000,"host":{"rows":1,"cpu":1e300}}', b'{"t":-4400000000000,"change":{"stage":"written","countdown":1e300,"gain":1e308}}',
                 b'{"t":9,"lens_tick":{"of":1,"backwards_per_step":1e300,"steps":18446744073709551615}}', b'{"t":9,"gap":{"from":-4400000000000,"to":4400000000000}}',
                 b'{"t":10,"output":{"stream":0,"offset":0,"text":"step 1e300/inf loss nan lr 1e-400 eta 99999999999:59:59 1e308 samples/s\\n"}}']
        path = self.folder / "values.gputop"
        path.write_bytes(frame(HEADER + b"\n".join(lines) + b"\n"))
        self.check(path)


class Names(ProgramTest):
    NAME = "a\x1b]0;x\x07\x1b[31m\u009b2J\x7fb"

    def said(self, *words, **more):
        result = subprocess.run([GPUTOP, *map(str, words)], env=self.environment(**more), stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        self.assertIsNone(OBEYED.search(result.stdout + result.stderr), (words, result.stdout[-300:], result.stderr[-300:]))
        return result

    def test_in_messages_about_files_that_are_not_there(self):
        missing = self.folder / self.NAME
        for words in (("report", missing), ("advise", missing), ("compare", missing, missing), ("replay", missing), ("show", missing),
                      ("estimate", "--config", missing), ("apply", missing), ("attach", self.NAME), ("stop", self.NAME), ("--theme", missing, "snapshot"),
                      ("--config", missing, "snapshot"), (self.NAME,), ("report", missing, "--output", missing / "x")):
            with self.subTest(words=words[0]):
                self.said(*words)
        self.assertIn(b"there is no such file", self.said("report", missing).stderr)

    def test_in_messages_about_files_that_are_wrong_and_in_reports(self):
        for ending, content in ((".csv", "timestamp, index, utilization.gpu [%]\n2024/05/05 10:00:00.000, 0, 5 %\n2024/05/05 10:00:01.000, 0, 5 %\n"),
                                (".csv", "no log\n"), (".gputop", "\x28\xb5\x2f\xfd"), (".yaml", "batch_size: [\n"), (".yaml", "batch_size: 8\n"),
                                (".json", "{")):
            path = self.folder / (self.NAME + ending)
            path.write_text(content)
            for words in (("report", path), ("report", path, "--format", "json"), ("report", path, "--format", "html"), ("compare", path, path), ("advise", path),
                          ("show", path), ("estimate", "--config", path), ("--config", path, "snapshot"), ("--theme", path, "snapshot")):
                with self.subTest(ending=ending, content=content[:10], words=words[0]):
                    self.said(*words)

    def test_in_the_list_of_runs(self):
        root = {"GPUTOP_RUNTIME_DIR": str(self.folder / "runs")}
        run = subprocess.Popen([GPUTOP, "--headless", "--name", self.NAME, "--", "sh", "-c", "sleep 60", self.NAME, "--key", "hunter2", "-p", "hunter2"],
                               env=self.environment(**root), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(self.end, run)
        until = time.monotonic() + 60
        while b"sleep" not in self.said("ls", "--json", **root).stdout and time.monotonic() < until:
            time.sleep(0.1)
        listed = json.loads(self.said("ls", "--json", **root).stdout)["runs"][0]
        self.assertIn(self.NAME, listed["argv"], "what is said harmlessly is still the same")
        for words in (("ls",), ("ls", "--json")):
            self.assertNotIn(b"hunter2", self.said(*words, **root).stdout)

    @staticmethod
    def end(process):
        process.terminate()
        process.wait(30)


if __name__ == "__main__":
    unittest.main()
