"""Words, messages and exit codes: 0 success, 1 failure, 2 a wrong command line."""
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from program import GPUTOP, ProgramTest  # noqa: E402


class CommandLine(ProgramTest):
    def refused(self, *words):
        done = self.run_gputop(*words)
        self.assertEqual(done.returncode, 2, done)
        self.assertEqual(done.stdout, "")
        return done.stderr

    def test_every_usage_line_names_the_program_and_the_command(self):
        listed = self.run_gputop("--help").stdout.split("Subcommands:")[1]
        commands = [line.split()[0] for line in listed.splitlines() if line.startswith("  ") and not line.startswith("   ")]
        self.assertGreater(len(commands), 10)
        for command in commands:
            with self.subTest(command):
                usage = re.search(r"(?i)^usage: .*$", self.run_gputop(command, "--help").stdout, re.M).group()
                self.assertRegex(usage, rf"(?i)^usage: gputop {command}\b")

    def test_help_and_version(self):
        for words in (("--help",), ("snapshot", "--help"), ("replay", "--help"), ("example", "--help")):
            done = self.run_gputop(*words)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("--", done.stdout)
        self.assertRegex(self.run_gputop("--version").stdout, r"^gputop \d+\.\d+\.\d+\n$")

    def test_unknown_words_get_a_suggestion(self):
        self.assertIn("did you mean 'snapshot'?", self.refused("snapsot"))
        self.assertIn("did you mean '--headless'?", self.refused("--headles"))
        self.assertIn("did you mean sim:thermal?", self.refused("--source", "sim:termal"))

    def test_bad_values_say_what_would_be_good(self):
        self.assertIn("500ms", self.refused("--interval", "fast"))
        self.assertIn("--gpu 0,2", self.refused("--gpu", "first"))
        self.assertIn("--json", self.refused("snapshot", "--json", "--csv"))

    def test_settings_that_are_not_there(self):
        done = self.run_gputop("--config", "none.yaml", "--headless", "--source", "sim:idle", "--duration", "200ms")
        self.assertEqual(done.returncode, 0)
        self.assertIn("none.yaml: no such file", done.stderr)

    def test_a_theme_that_is_not_there(self):
        self.assertRegex(self.refused("--theme", "nrod"), '--theme: no theme is called "nrod".*did you mean')
        self.assertIn("nosuch", self.refused("--theme", "nosuch", "--headless", "--", "true"))
        self.refused("--theme", str(self.folder / "none.yaml"))
        (self.folder / ".config" / "gputop").mkdir(parents=True)
        (self.folder / ".config" / "gputop" / "config.yaml").write_text("theme: nrod\n")
        done = self.run_gputop("--headless", "--source", "sim:idle", "--duration", "200ms")
        self.assertEqual(done.returncode, 0, done)  # a settings file with a mistake keeps nobody from anything
        self.assertIn('config.yaml:1: theme: no theme is called "nrod"', done.stderr)

    def test_a_recording_that_is_not_there(self):
        done = self.run_gputop("replay", self.folder / "none")
        self.assertEqual(done.returncode, 1)
        self.assertIn("none", done.stderr)

    def test_a_full_disk_under_stdout_is_said(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([GPUTOP, "snapshot", "--source", "sim:idle"], stdout=full, stderr=subprocess.PIPE,
                                  text=True, env=self.environment(), timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertIn("No space left", done.stderr)


if __name__ == "__main__":
    unittest.main()
