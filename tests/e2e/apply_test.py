"""gputop apply, run by a user and by a script: the diff, the question, the files, the exit codes."""
import difflib
import os
import pathlib
import stat
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from program import GPUTOP, ProgramTest  # noqa: E402

YAML = """# the run
train:
  batch_size: 8      # small
  grad_accum: 4
  lr: 1e-3
loader: {num_workers: 2, pin_memory: yes}  # flow
"""


class Apply(ProgramTest):
    def setUp(self):
        super().setUp()
        self.project = self.folder / "project"
        self.project.mkdir()

    def write(self, name, text):
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path

    def apply(self, *words, code=0, **more):
        done = subprocess.run([GPUTOP, "apply", *map(str, words)], env=self.environment(**more), cwd=self.project, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(done.returncode, code, done)
        return done

    def changed_lines(self, before, after):
        """Lines that differ, as pairs."""
        return [(a, b) for a, b in zip(before.splitlines(), after.splitlines()) if a != b]

    def test_a_dry_run_shows_a_diff_that_patch_would_take_and_writes_nothing(self):
        config = self.write("a.yaml", YAML)
        done = self.apply("--config", "a.yaml", "--change", "batch_size=32", "--dry-run")
        after = YAML.replace("batch_size: 8", "batch_size: 32").replace("grad_accum: 4", "grad_accum: 1")
        expected = "".join(difflib.unified_diff(YAML.splitlines(True), after.splitlines(True), "a.yaml", "a.yaml"))
        self.assertEqual(done.stdout, expected)
        self.assertIn("the effective batch stays 32", done.stderr)
        self.assertEqual(config.read_text(), YAML)
        self.assertEqual(os.listdir(self.project), ["a.yaml"])

    def test_yes_writes_only_the_values_and_keeps_the_old_text(self):
        config = self.write("a.yaml", YAML)
        config.chmod(0o640)
        self.apply("--config", "a.yaml", "--change", "batch_size=32", "--yes")
        self.assertEqual(self.changed_lines(YAML, config.read_text()),
                         [("  batch_size: 8      # small", "  batch_size: 32      # small"), ("  grad_accum: 4", "  grad_accum: 1")])
        self.assertEqual((self.project / "a.yaml.backup").read_text(), YAML)
        self.assertEqual(stat.S_IMODE(config.stat().st_mode), 0o640)

    def test_without_yes_and_without_a_terminal_nothing_is_written(self):
        config = self.write("a.yaml", YAML)
        done = self.apply("--config", "a.yaml", "--change", "batch_size=32", code=1)
        self.assertIn("--yes", done.stderr)
        self.assertEqual(config.read_text(), YAML)

    def test_scale_carries_the_learning_rate_and_says_by_which_rule(self):
        config = self.write("a.yaml", "batch_size: 8\nlr: 0.1\noptimizer: sgd\nmax_steps: 1_000\n")
        done = self.apply("--config", "a.yaml", "--change", "batch_size=32", "--scale", "--yes")
        self.assertEqual(config.read_text(), "batch_size: 32\nlr: 0.4\noptimizer: sgd\nmax_steps: 250\n")
        self.assertIn("linear rule for sgd", done.stderr)

    def test_a_flag_gives_the_new_command_line(self):
        done = self.apply("--change", "batch_size=32", "--", "python", "train.py", "--batch-size", "8", "a b")
        self.assertTrue(done.stdout.endswith("new command line:\n  python train.py --batch-size 32 'a b'\n"), done.stdout)

    def test_every_format_in_one_change(self):
        self.write("ds.json", '{"train_micro_batch_size_per_gpu": 4, "gradient_accumulation_steps": 8}\n')
        self.write("loader.toml", "[loader]\nnum_workers = 2  # few\r\n")
        self.write("config.py", "PIN_MEMORY = False  # why?\n")
        self.write("train.py", "from config import PIN_MEMORY\n")
        self.apply("--change", "batch_size=8", "--change", "workers=6", "--change", "pin_memory=true", "--yes", "--",
                   "python", "train.py", "--deepspeed", "ds.json", "--config=loader.toml")
        self.assertEqual((self.project / "ds.json").read_text(), '{"train_micro_batch_size_per_gpu": 8, "gradient_accumulation_steps": 4}\n')
        self.assertEqual((self.project / "loader.toml").read_bytes(), b"[loader]\nnum_workers = 6  # few\r\n")
        self.assertEqual((self.project / "config.py").read_text(), "PIN_MEMORY = True  # why?\n")

    def test_one_file_that_cannot_be_written_means_none_is(self):
        self.write("a.yaml", "batch_size: 8\n")
        os.symlink("a.yaml", self.project / "link.yaml")
        self.write("b.yaml", "num_workers: 2\n")
        done = self.apply("--change", "batch_size=16", "--change", "workers=4", "--yes", "--", "python", "t.py", "b.yaml", "link.yaml", code=1)
        self.assertIn("symbolic link", done.stderr)
        self.assertEqual((self.project / "b.yaml").read_text(), "num_workers: 2\n")
        self.assertEqual(sorted(os.listdir(self.project)), ["a.yaml", "b.yaml", "link.yaml"])
        self.apply("--change", "batch_size=16", "--change", "workers=4", "--yes", "--follow-links", "--", "python", "t.py", "b.yaml", "link.yaml")
        self.assertEqual((self.project / "a.yaml").read_text(), "batch_size: 16\n")
        self.assertTrue((self.project / "link.yaml").is_symlink())

    def test_several_places_are_listed_and_one_can_be_named_and_remembered(self):
        self.write("a.yaml", "stages:\n  - batch_size: 8\n  - batch_size: 16\n")
        done = self.apply("--config", "a.yaml", "--change", "batch_size=32", "--yes", code=1)
        self.assertIn("a.yaml:stages[0].batch_size (line 2) = 8", done.stderr)
        self.assertIn("a.yaml:stages[1].batch_size (line 3) = 16", done.stderr)
        self.assertFalse((self.project / ".gputop.yaml").exists())
        place = "a.yaml:stages[1].batch_size"
        self.apply("--config", "a.yaml", "--change", "batch_size=32", "--at", place, "--remember", "--yes")
        self.assertIn(place, (self.project / ".gputop.yaml").read_text())
        self.apply("--config", "a.yaml", "--change", "batch_size=64", "--yes")
        self.assertEqual((self.project / "a.yaml").read_text(), "stages:\n  - batch_size: 8\n  - batch_size: 64\n")

    def test_a_recording_gives_command_and_directory(self):
        self.write("train.py", "import sys\nprint(sys.argv)\n")
        self.write("conf/a.yaml", YAML)
        recording = self.folder / "run.gputop"
        subprocess.run([GPUTOP, "--headless", "--source", "sim:idle", "--record", str(recording), "--",
                        sys.executable, "train.py", "--config", "conf/a.yaml", "--num-workers", "3"],
                       env=self.environment(), cwd=self.project, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=True)
        done = subprocess.run([GPUTOP, "apply", str(recording), "--change", "batch_size=16", "--change", "workers=6", "--yes"],
                              env=self.environment(), cwd="/", text=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("batch_size: 16 ", (self.project / "conf/a.yaml").read_text())
        self.assertIn("train.py --config conf/a.yaml --num-workers 6", done.stdout)

    def test_the_list_shows_every_place_and_why(self):
        self.write("a.yaml", YAML)
        done = self.apply("--", "python", "train.py", "--config", "a.yaml", "--batch-size", "64")
        self.assertIn("--batch-size on the command line = 64  [set on the command line]", done.stdout)
        self.assertIn("a.yaml:train.batch_size (line 3) = 8", done.stdout)

    def test_wrong_words_exit_2_and_say_what_would_be_right(self):
        self.write("a.yaml", YAML)
        self.assertIn("did you mean batch_size", self.apply("--config", "a.yaml", "--change", "bach_size=4", code=2).stderr)
        self.assertIn("whole number from 1", self.apply("--config", "a.yaml", "--change", "batch_size=0", code=2).stderr)
        self.assertIn("one of", self.apply("--change", "batch_size=4", code=2).stderr)
        self.assertIn(".yaml", self.apply("--config", "a.txt", "--change", "batch_size=4", code=2).stderr)

    def test_what_cannot_be_done_exits_1_with_the_reason(self):
        self.write("bad.yaml", "a: [1\n")
        self.assertIn("bad.yaml is not YAML that can be read: line ",
                      self.apply("--config", "bad.yaml", "--change", "batch_size=4", "--yes", code=1).stderr)
        self.write("dup.yaml", "batch_size: 8\nbatch_size: 16\n")
        self.assertIn("comes 2 times", self.apply("--config", "dup.yaml", "--change", "batch_size=4", "--yes", code=1).stderr)
        self.assertIn("no file", self.apply("--config", "none.yaml", "--change", "batch_size=4", "--yes", code=1).stderr)
        self.assertIn("none", self.apply("none.gputop", "--change", "batch_size=4", "--yes", code=1).stderr)

    def test_a_terminal_is_asked(self):
        import pty
        config = self.write("a.yaml", YAML)
        for answer, code, expected in (("n\n", 1, "batch_size: 8 "), ("y\n", 0, "batch_size: 16 ")):
            master, slave = pty.openpty()
            process = subprocess.Popen([GPUTOP, "apply", "--config", "a.yaml", "--change", "batch_size=16"], env=self.environment(),
                                       cwd=self.project, stdin=slave, stdout=slave, stderr=slave)
            os.close(slave)
            seen = b""
            while b"Write this? [y/N]" not in seen:
                seen += os.read(master, 4096)
            self.assertIn(b"batch_size: 8 ", seen)
            os.write(master, answer.encode())
            self.assertEqual(process.wait(timeout=30), code)
            os.close(master)
            self.assertIn(expected, config.read_text())

    def test_what_lies_outside_the_project_wants_consent_of_its_own(self):
        other = self.folder / "other"
        other.mkdir()
        (self.project / "linked").symlink_to(other)
        base = other / "base.yaml"
        run = ("--change", "batch_size=16", "--yes")
        for leads_out in (base, "../other/base.yaml", "linked/base.yaml"):
            with self.subTest(leads_out=leads_out):
                base.write_text("batch_size: 8\n")
                self.write("a.yaml", f"base: {leads_out}\n")
                for words in (("--config", "a.yaml"), ("--", "python", "t.py", "--config", "a.yaml")):
                    refused = self.apply(*run, *words, code=1)
                    self.assertIn(f"{base} is outside the project ({self.project})", refused.stderr)
                    self.assertIn("--outside", refused.stderr)
                    self.assertEqual(base.read_text(), "batch_size: 8\n")
                self.assertIn("outside", self.apply(*run, "--dry-run", "--config", "a.yaml").stderr)
                self.apply(*run, "--outside", "--config", "a.yaml")
                self.assertEqual(base.read_text(), "batch_size: 16\n")
        base.write_text("batch_size: 8\n")
        self.assertIn("outside", self.apply(*run, "--config", "linked/base.yaml", code=1).stderr)  # by a link
        self.apply(*run, "--config", "../other/base.yaml")  # named: the user knows where it is
        self.assertEqual(base.read_text(), "batch_size: 16\n")

    def test_a_terminal_is_asked_about_what_lies_outside_even_with_yes(self):
        import pty
        base = self.folder / "base.yaml"
        base.write_text("batch_size: 8\n")
        self.write("a.yaml", "base: ../base.yaml\n")
        for answer, code, expected in (("n\n", 1, "batch_size: 8\n"), ("y\n", 0, "batch_size: 16\n")):
            master, slave = pty.openpty()
            process = subprocess.Popen([GPUTOP, "apply", "--config", "a.yaml", "--change", "batch_size=16", "--yes"],
                                       env=self.environment(), cwd=self.project, stdin=slave, stdout=slave, stderr=slave)
            os.close(slave)
            seen = b""
            while b"[y/N]" not in seen:
                seen += os.read(master, 4096)
            self.assertIn(b"outside the project", seen)
            os.write(master, answer.encode())
            self.assertEqual(process.wait(timeout=30), code)
            os.close(master)
            self.assertEqual(base.read_text(), expected)

    def test_the_users_own_names_are_taken(self):
        home = self.folder / ".config" / "gputop"
        home.mkdir(parents=True)
        (home / "knobs.yaml").write_text("knobs:\n  batch_size:\n    names: [stapel]\n")
        config = self.write("a.yaml", "stapel: 4\n")
        self.apply("--config", "a.yaml", "--change", "batch_size=8", "--yes")
        self.assertEqual(config.read_text(), "stapel: 8\n")
        (home / "knobs.yaml").write_text("knobs:\n  batch_size:\n    naems: [stapel]\n")
        self.assertIn("knobs.yaml:3: ", self.apply("--config", "a.yaml").stderr)


if __name__ == "__main__":
    unittest.main()
