"""The man page and the completions are what the program's own description of its command line says, and the shells read them."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from terminal import Terminal  # noqa: E402

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

    def test_offers_runs_wherever_one_is_meant(self):
        for command in ("attach", "replay", "advise", "report", "stop"):
            arm = next(line for line in (WRITTEN / "gputop.bash").read_text().splitlines() if line.startswith(f"    {command}) _gputop_words"))
            self.assertIn(" runs", arm)

    def test_continues_a_list(self):
        self.assertEqual(["gpu_fan,gpu_leftovers"], self.offered("gputop", "doctor", "--only", "gpu_fan,gpu_le"))
        self.assertEqual(["swap"], self.offered("gputop", "doctor", "--only", "swa"))

    def test_an_option_means_what_its_command_says(self):
        self.assertIn("RTX\\ 3090", self.offered("gputop", "estimate", "--gpu", "RTX"))
        self.assertEqual([""], self.offered("gputop", "--gpu", "RTX"))

    def test_leaves_the_job_alone(self):
        self.assertNotIn("report", self.offered("gputop", "--", "rep"))


class OtherShells(unittest.TestCase):
    """Typed at a real shell, where there is one."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="shell."))
        self.addCleanup(shutil.rmtree, self.folder, True)
        (self.folder / "bin").mkdir()
        os.symlink(GPUTOP, self.folder / "bin" / "gputop")
        self.env = {**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "HOME": str(self.folder), "TERM": "xterm",
                    "XDG_CONFIG_HOME": str(self.folder / "config"), "XDG_STATE_HOME": str(self.folder / "state"), "LANG": "C.UTF-8"}

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish(self):
        for line, word in (("gputop --theme gruv", "gruvbox"), ("gputop apply --change batch", "batch_size="), ("gputop rep", "replay"),
                           ("gputop doctor --only gpu_fan,swa", "gpu_fan,swap"), ("gputop estimate --precision amp", "amp-bf16")):
            with self.subTest(line):
                done = subprocess.run(["fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", WRITTEN / "gputop.fish", line],
                                      env=self.env, capture_output=True, text=True, timeout=120)
                self.assertIn(word, [one.split("\t")[0] for one in done.stdout.splitlines()], done.stderr)

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh(self):
        shell = Terminal(["zsh", "-f", "-i"], self.env, 120, 30)
        self.addCleanup(shell.close)
        shell.press(f"PS1='ready> '; fpath=({WRITTEN} $fpath); autoload -U compinit; compinit -D -u; echo lo''aded\r")
        shell.wait("loaded", seconds=60)
        for line, word in (("gputop --theme gruv", "--theme gruvbox"), ("gputop doctor --only gpu_fan,gpu_le", "gpu_fan,gpu_leftovers"),
                           ("gputop calib", "gputop calibrate"), ("gputop apply --change batch_si", "batch_size="),
                           ("gputop estimate --precision amp-b", "amp-bf16")):
            with self.subTest(line):
                shell.press("\x15" + line + "\t")  # ^U: an empty line
                shell.wait(word, seconds=60)


if __name__ == "__main__":
    unittest.main()
