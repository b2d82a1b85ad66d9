"""Output that kills engines: the third one skips it, records it unchanged and says so; the job's exit code is never lost."""
import json
import os
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from screen_program import ScreenTest  # noqa: E402

POISON = os.environ["GPUTOP_POISON_LIBRARY"]
JOB = "echo before; sleep 0.3; echo 'PO''ISON %| here'; echo after; sleep {}; echo last; exit 7"


@unittest.skipIf(os.environ.get("GPUTOP_SANITIZED"), "a sanitizer has a memchr of its own")
class Poison(ScreenTest):
    def poisoned(self, way):
        return {"LD_PRELOAD": POISON, "GPUTOP_POISON": way}

    def events(self, recording):
        tool = os.environ["GPUTOP_RECORDING_TOOL"]
        lines = subprocess.run([tool, "events", str(recording)], capture_output=True, text=True, check=True).stdout.splitlines()
        return [json.loads(line) for line in lines]

    def check_recording(self, recording):
        events = self.events(recording)
        output = [event["event"] for event in events if event["kind"] == "output"]
        tool = [os.environ["GPUTOP_RECORDING_TOOL"], "output", str(recording)]
        whole = subprocess.run(tool, capture_output=True, text=True, check=True).stdout.replace("\r", "")
        self.assertEqual("before\nPOISON %| here\nafter\nlast\n", whole)
        self.assertEqual(["POISON %| here"], [piece["text"].strip() for piece in output if piece.get("unread")])
        self.assertIn("neither shown nor parsed", json.dumps(events))
        for command in ("report", "advise"):
            done = self.run_gputop(command, recording)
            self.assertEqual(0, done.returncode, done)

    def test_headless_the_piece_is_left_out_and_the_rest_goes_on(self):
        for way, seconds in (("crash", 4), ("exit", 4), ("hang", 25)):
            with self.subTest(way=way):
                recording = self.folder / f"{way}.rec"
                done = self.run_gputop("--headless", "--source", "sim", "--record", recording, "--", "sh", "-c", JOB.format(seconds),
                                       timeout=120, **self.poisoned(way))
                self.assertEqual(7, done.returncode, done.stderr)
                self.assertEqual("before\nPOISON %| here\nafter\nlast\n", done.stdout)
                self.check_recording(recording)

    def test_on_a_screen_it_is_said_and_the_output_goes_on(self):
        recording = self.folder / "screen.rec"
        terminal = self.open("--source", "sim", "--record", recording, "--", "sh", "-c", JOB.format(8), size=(200, 50), until="sh output",
                             **self.poisoned("crash"))
        terminal.wait("bytes of output, from byte", seconds=60)
        terminal.wait("after")
        self.assertNotIn("POISON", terminal.text())
        self.assertEqual(7, terminal.wait_end(60))
        self.check_recording(recording)

    def test_the_exit_code_is_handed_over_though_no_engine_ever_lives(self):
        done = self.run_gputop("--headless", "--source", "sim", "--", "sh", "-c", "echo out; exit 7", timeout=120, **self.poisoned("never"))
        self.assertEqual((7, "out\n"), (done.returncode, done.stdout), done.stderr)
        terminal = self.open("--source", "sim", "--", "sh", "-c", "echo out; exit 7", size=(80, 24), until="", **self.poisoned("never"))
        self.assertEqual(7, terminal.wait_end(90))
        self.assertIn("exited with code 7", terminal.text())


if __name__ == "__main__":
    unittest.main()
