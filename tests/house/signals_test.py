"""Tests signal a process through tests/support/processes.py only: whoever calls os.kill itself fails now and then, when the process has
just ended."""
import os
import pathlib
import re
import unittest

TESTS = pathlib.Path(os.environ["GPUTOP_SOURCE"]) / "tests"
RAW = re.compile(r"\bos\.kill(pg)?\(")


def raw_signals(text):
    return [number for number, line in enumerate(text.splitlines(), 1) if RAW.search(line)]


class Signals(unittest.TestCase):
    def test_one_helper_sends_them(self):
        found = [f"{path.relative_to(TESTS)}:{number}" for path in sorted(TESTS.rglob("*.py"))
                 if path.name not in ("processes.py", "signals_test.py") for number in raw_signals(path.read_text())]
        self.assertEqual([], found, "use send, kill or wait_until_gone of tests/support/processes.py")

    def test_the_check_finds_one(self):
        self.assertEqual([2, 3], raw_signals("import os\nos.kill(1, 9)\n  os.killpg(2, 15)\nprocesses.kill(3)\n"))


if __name__ == "__main__":
    unittest.main()
