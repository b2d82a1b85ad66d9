"""scripts/: where dependencies go, how a step fails, when scripts/run builds; in a copy of the scripts, with a pretended build."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("GPUTOP_SOURCE", pathlib.Path(__file__).parents[2]))
SCRIPTS = [*sorted(path for path in (SOURCE / "scripts").iterdir() if path.is_file()), SOURCE / ".ci" / "run",
           SOURCE / "tests" / "portable" / "lands", SOURCE / "tests" / "portable" / "reproducible"]

PRETENDED_BUILD = """#!/bin/sh
echo "progress of the build" >&2
echo x >>builds
cat >build/release/gputop <<'END'
#!/bin/sh
echo "gputop $*"
END
chmod +x build/release/gputop
"""


class ScriptsCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        shutil.copytree(SOURCE / "scripts", self.root / "scripts")

    def run_command(self, *command, **environment):
        return subprocess.run(command, cwd=self.root, env={"PATH": os.environ["PATH"], **environment}, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, check=False)

    def run_lib(self, code, **environment):
        return self.run_command("bash", "-c", f"set -euo pipefail; . scripts/lib.sh; {code}", **environment)


class Syntax(unittest.TestCase):
    def test_bash_reads_every_script(self):
        for script in SCRIPTS:
            with self.subTest(script.name):
                subprocess.run(["bash", "-n", script], check=True)

    @unittest.skipUnless(shutil.which("shellcheck"), "shellcheck is not installed")
    def test_shellcheck_has_nothing_to_say(self):
        found = subprocess.run(["shellcheck", "-x", *SCRIPTS], cwd=SOURCE, text=True, capture_output=True, check=False)
        self.assertEqual("", found.stdout)


class PrefixOfDependencies(ScriptsCase):
    def prefix(self, **environment):
        return self.run_lib("deps_prefix", **environment).stdout.strip()

    def test_is_in_the_home_folder(self):
        self.assertEqual(f"{self.root}/home/.cache/gputop-deps", self.prefix(HOME=f"{self.root}/home"))

    def test_follows_xdg_and_above_all_its_own_variable(self):
        cache = f"{self.root}/cache"
        self.assertEqual(f"{cache}/gputop-deps", self.prefix(HOME="/proc", XDG_CACHE_HOME=cache))
        self.assertEqual(f"{self.root}/own", self.prefix(XDG_CACHE_HOME=cache, GPUTOP_DEPS=f"{self.root}/own"))

    def test_is_in_the_build_folder_when_the_home_folder_cannot_be_used(self):
        self.assertEqual(f"{self.root}/build/deps", self.prefix(HOME="/proc"))  # not even root can write there
        self.assertEqual(f"{self.root}/build/deps", self.prefix(HOME=""))
        self.assertEqual(f"{self.root}/build/deps", self.prefix())

    def test_that_was_asked_for_and_cannot_be_used_is_an_error(self):
        result = self.run_lib("deps_prefix", GPUTOP_DEPS="/proc/deps")
        self.assertEqual(1, result.returncode)
        self.assertIn("GPUTOP_DEPS=/proc/deps is not writable", result.stderr)


class AStep(ScriptsCase):
    def test_that_works_says_what_it_does_and_keeps_its_output_in_the_log(self):
        result = self.run_lib("step 'counting' log/count echo one two")
        self.assertEqual((0, ""), (result.returncode, result.stdout))
        self.assertTrue(result.stderr.endswith(": counting\n"), result.stderr)
        self.assertEqual("one two\n", (self.root / "log/count").read_text())

    def test_that_fails_shows_the_end_of_its_log_and_hands_on_its_code(self):
        result = self.run_lib("step 'counting' log/count bash -c 'echo the reason; exit 7'")
        self.assertEqual((7, ""), (result.returncode, result.stdout))
        self.assertIn("(exit 7): counting", result.stderr)
        self.assertIn("| the reason", result.stderr)
        self.assertIn("log/count", result.stderr)


class Run(ScriptsCase):
    def setUp(self):
        super().setUp()
        build = self.root / "scripts" / "build"
        build.write_text(PRETENDED_BUILD)
        (self.root / "src").mkdir()
        (self.root / "src" / "main.cpp").write_text("int main() {}\n")

    def run_gputop(self):
        return self.run_command("scripts/run", "--some", "word")

    def builds(self):
        return (self.root / "builds").read_text().count("x")

    def test_prints_only_what_the_program_prints(self):
        result = self.run_gputop()
        self.assertEqual((0, "gputop --some word\n"), (result.returncode, result.stdout))
        self.assertIn("progress of the build", result.stderr)

    def test_builds_once_and_is_then_silent(self):
        self.run_gputop()
        result = self.run_gputop()
        self.assertEqual(("gputop --some word\n", ""), (result.stdout, result.stderr))
        self.assertEqual(1, self.builds())

    def test_builds_again_when_a_source_changed_came_or_went(self):
        main, other = self.root / "src" / "main.cpp", self.root / "src" / "other.cpp"
        old = self.root / "older.cpp"
        old.write_text("int main() { return 1; }\n")
        os.utime(old, (1, 1))
        changes = (lambda: main.write_text("int main() { return 0; }\n"), other.touch, other.unlink,
                   lambda: old.replace(main))  # a file that is older than what it replaces
        self.run_gputop()
        for count, change in enumerate(changes, 2):
            change()
            self.run_gputop()
            self.assertEqual(count, self.builds())

    def test_does_not_run_what_could_not_be_built(self):
        (self.root / "scripts" / "build").write_text("#!/bin/sh\necho broken >&2\nexit 1\n")
        for _ in range(2):  # and a failed build is not taken for a build
            result = self.run_gputop()
            self.assertEqual((1, ""), (result.returncode, result.stdout))
            self.assertIn("broken", result.stderr)


class Words(ScriptsCase):
    def test_that_a_script_does_not_know_are_a_usage_error(self):
        for script in ("setup", "build", "test", "lint"):
            with self.subTest(script):
                result = self.run_command(f"scripts/{script}", "--nonsense")
                self.assertEqual((2, ""), (result.returncode, result.stdout))
                self.assertIn(f"scripts/{script}", result.stderr)


if __name__ == "__main__":
    unittest.main()
