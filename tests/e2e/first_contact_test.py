"""gputop on a machine that has nothing: no GPU, no driver, a dumb terminal of 40 columns, LANG=C, a HOME that cannot be written to
or none at all. It says why there is nothing to see, what works all the same, and the next step, gputop --demo."""
import os
import subprocess
import unittest

GPUTOP = os.environ["GPUTOP"]
HOMES = {"that cannot be written to": {"HOME": "/proc"}, "that is not there": {"HOME": "/nonexistent"}, "not set": {}}
BARE = {"PATH": os.environ["PATH"], "LANG": "C", "TERM": "dumb", "COLUMNS": "40"}


def run(*words, **env):
    return subprocess.run([GPUTOP, "--source", "nvml", *words], env={**BARE, **env}, capture_output=True, text=True, timeout=60,
                          stdin=subprocess.DEVNULL)


class FirstContact(unittest.TestCase):
    def test_says_why_and_what_to_do_next(self):
        for home, env in HOMES.items():
            for words in (["--duration", "3s"], ["snapshot"]):
                with self.subTest(home, words=words):
                    done = run(*words, **env)
                    self.assertEqual(0, done.returncode, done.stderr)
                    self.assertIn("no GPU: ", done.stdout)
                    self.assertIn("host", done.stdout)
                    self.assertEqual(1, done.stderr.count("gputop --demo"), done.stderr)

    def test_what_is_for_programs_stays_so(self):
        done = run("snapshot", "--json")
        self.assertEqual("", done.stderr)

    def test_the_next_step_works_there(self):
        for home, env in HOMES.items():
            with self.subTest(home):
                done = subprocess.run([GPUTOP, "snapshot", "--source", "sim"], env={**BARE, **env}, capture_output=True, text=True,
                                      timeout=60, stdin=subprocess.DEVNULL)
                self.assertEqual(0, done.returncode, done.stderr)
                self.assertNotIn("gputop --demo", done.stderr)


if __name__ == "__main__":
    unittest.main()
