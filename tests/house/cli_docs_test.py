"""The man page and the completions are what the program's own description of its command line says, and the shells read them."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("GPUTOP_SOURCE", pathlib.Path(__file__).parents[2]))
GPUTOP = os.environ["GPUTOP"]
WRITTEN = SOURCE / "packaging" / "cli"
NAMES = ("gputop.1", "gputop.bash", "_gputop", "gputop.fish")

ASK_BASH = r"""
PATH=$2:$PATH
. "$1"
shift 2
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gputop gputop 2>/dev/null
printf '%s\n' "${COMPREPLY[@]}"
"""


class CliDocs(unittest.TestCase):
    def test_are_up_to_date(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, "-B", SOURCE / "packaging" / "cli_docs.py", GPUTOP, folder], check=True)
            for name in NAMES:
                fresh, written = (pathlib.Path(folder) / name).read_text(), (WRITTEN / name).read_text()
                self.assertEqual(fresh, written, f"{name} is out of date: run packaging/cli_docs.py {GPUTOP}")

    def test_the_man_page_names_every_command_and_option(self):
        page = (WRITTEN / "gputop.1").read_text().replace("\\-", "-")
        for word in ("--demo", "--theme", "gputop report", "--dry-run", "--kill"):
            self.assertIn(word, page)

    @unittest.skipUnless(shutil.which("man"), "man is not installed")
    def test_man_finds_nothing_wrong_with_it(self):
        done = subprocess.run(["man", "--warnings", "-l", WRITTEN / "gputop.1"], capture_output=True, text=True,
                              env={**os.environ, "MANPAGER": "cat", "LC_ALL": "C.UTF-8", "MANWIDTH": "80"}, check=True)
        self.assertEqual("", done.stderr)
        self.assertIn("--headless", done.stdout)


class Bash(unittest.TestCase):
    def offered(self, *words):
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(GPUTOP, pathlib.Path(folder) / "gputop")
            recordings = pathlib.Path(folder) / "state" / "gputop" / "runs"
            recordings.mkdir(parents=True)
            (recordings / "train.py-1.gputop").touch()
            done = subprocess.run(["bash", "-c", ASK_BASH, "-", WRITTEN / "gputop.bash", folder, *words], capture_output=True, text=True,
                                  check=True, cwd=folder, env={**os.environ, "XDG_STATE_HOME": f"{folder}/state", "HOME": folder})
            return done.stdout.split("\n")[:-1]

    def test_offers_commands_and_options(self):
        self.assertEqual(["replay", "report"], sorted(self.offered("gputop", "rep")))
        self.assertIn("--dry-run", self.offered("gputop", "apply", "--dr"))
        self.assertEqual([""], self.offered("gputop", "snapshot", "--kil"))

    def test_offers_what_only_gputop_knows(self):
        self.assertIn("default", self.offered("gputop", "--theme", ""))
        self.assertIn("batch_size=", self.offered("gputop", "apply", "--change", "batch"))
        self.assertTrue(any(word.endswith("train.py-1.gputop") for word in self.offered("gputop", "report", "/")))

    def test_leaves_the_job_alone(self):
        self.assertNotIn("report", self.offered("gputop", "--", "rep"))


class OtherShells(unittest.TestCase):
    def test_read_their_file(self):
        for shell, name, words in (("zsh", "_gputop", ["-n"]), ("fish", "gputop.fish", ["--no-execute"])):
            if not shutil.which(shell):
                self.skipTest(f"{shell} is not installed")
            with self.subTest(shell):
                subprocess.run([shell, *words, WRITTEN / name], check=True)


if __name__ == "__main__":
    unittest.main()
