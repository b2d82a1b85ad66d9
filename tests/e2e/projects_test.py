"""Projects in the style of the frameworks people use (tests/corpus/projects): what `gputop apply` finds and writes, against the
truth next to each. `projects_test.py NAME…` tests only those."""
import collections
import math
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from program import GPUTOP, ProgramTest  # noqa: E402

try:
    from settings_values import values
except ImportError:
    values = None  # no PyYAML

PROJECTS = pathlib.Path(__file__).parents[1] / "corpus" / "projects"
FOUND_AT_LEAST = 0.97
chosen = []


def same(wanted, got, before=None):
    """Equal; a number is a number for its reader, unless the value was text before, too."""
    if isinstance(wanted, bool) or isinstance(got, bool):
        return wanted is got
    if isinstance(wanted, (int, float)):
        if isinstance(got, str) and not isinstance(before, str):
            return False
        try:
            return math.isclose(float(got), wanted, rel_tol=1e-3)
        except (TypeError, ValueError):
            return False
    try:
        return math.isclose(float(wanted), float(got), rel_tol=1e-3)
    except (TypeError, ValueError):
        return str(wanted) == str(got)


def differences(before, after):
    """FILE:KEY → new value of everything that changed; a new key has a "+", a removed one maps to None."""
    found = {}
    for file in before.keys() | after.keys():
        old, new = before.get(file, {}), after.get(file, {})
        for key in old.keys() | new.keys():
            if key not in new:
                found[f"{file}:{key}"] = None
            elif key not in old:
                found[f"{file}:+{key}"] = new[key]
            elif repr(old[key]) != repr(new[key]):
                found[f"{file}:{key}"] = new[key]
    return found


class Project:
    def __init__(self, folder, source, environment):
        self.source, self.environment = source, environment
        self.truth = tomllib.loads((source / "truth.toml").read_text())
        self.folder = folder / source.name
        self.command = self.truth.get("command", [])

    def fresh(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.source, self.folder, ignore=shutil.ignore_patterns("truth.toml"))

    def files(self):
        return {str(path.relative_to(self.folder)): values(path) for path in sorted(self.folder.rglob("*"))
                if path.is_file() and ".backup" not in path.name and not path.name.startswith(".gputop")}

    def apply(self, *options):
        configs = [word for name in self.truth.get("config", []) for word in ("--config", name)]
        command = ["--", *self.command] if self.command else []
        return subprocess.run([GPUTOP, "apply", *configs, *options, *command], cwd=self.folder, env=self.environment, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=60)

    def listed(self):
        """KNOB → the numbers and words of its first place."""
        found, knob = {}, ""
        for line in self.apply().stdout.splitlines():
            if heading := re.match(r"(\w+) — ", line):
                knob = heading[1]
            elif knob and knob not in found and line.startswith(" ") and " = " in line:
                found[knob] = re.findall(r"[^\s,()\[\]]+", line.split(" = ", 1)[1])
        return found

    def edit(self, edit):
        """What the edit changed, and what gputop said."""
        self.fresh()
        before = self.files()
        options = ["--change", edit["change"], "--yes", *edit.get("options", []), *(["--at", edit["at"]] if "at" in edit else [])]
        done = self.apply(*options)
        changed = differences(before, self.files())
        if told := re.search(r"^new command line:\n +(.*)$", done.stdout, re.M):
            self.words, old = shlex.split(told[1]), collections.Counter(self.command)
            new = [word for word in self.words if old.subtract([word]) or old[word] < 0]
            if new or len(self.words) != len(self.command):
                changed["argv"] = " ".join(new)
        return before, changed, done

    def fits(self, wanted, before, changed):
        wanted = dict(wanted)
        argv = wanted.pop("argv", None)
        told = changed.get("argv")
        if (argv is None) != (told is None):
            return False
        # Of a flag that was there already only its value is new.
        if argv is not None and not (set(told.split()) <= set(argv.split()) <= set(self.words)):
            return False
        rest = {key: value for key, value in changed.items() if key != "argv"}
        if wanted.keys() != rest.keys():
            return False
        return all(same(value, rest[key], before.get(key.split(":")[0], {}).get(key.split(":", 1)[1])) for key, value in wanted.items())


@unittest.skipIf(values is None, "this python3 has no PyYAML")
class Projects(ProgramTest):
    def judge(self, project, edit, counts, words):
        before, changed, done = project.edit(edit)
        name = f"{project.source.name}: {edit['change']}" + (f" at {edit['at']}" if "at" in edit else "")
        if any(project.fits(wanted, before, changed) for wanted in edit.get("ok", [])):
            kind = "right"
        elif not changed:
            kind = "right" if edit.get("refuse") else "refused"
            if done.returncode == 0 or not done.stderr.strip():
                kind = "silent"  # nothing was done and nothing was said
        else:
            kind = "wrong"
        counts[kind] += 1
        if kind != "right":
            words.append(f"{kind:8} {name}: changed {changed}; said: {(done.stderr or done.stdout).strip()[-300:]}")

    def test_every_edit_is_right_or_refused(self):
        counts, found, words = collections.Counter(), collections.Counter(), []
        for source in sorted(path for path in PROJECTS.iterdir() if not chosen or path.name in chosen):
            project = Project(self.folder, source, self.environment())
            project.fresh()
            listed = project.listed() if project.truth.get("find") is not None else {}
            for knob, value in project.truth.get("find", {}).items():
                good = any(same(value, word, "") for word in listed.get(knob, []))
                found[good] += 1
                if not good:
                    words.append(f"not found {source.name}: {knob} = {value}, listed {listed.get(knob)}")
            for edit in project.truth.get("edit", []):
                self.judge(project, edit, counts, words)
        print(*words, sep="\n")
        edits = sum(counts.values())
        print(f"edits: {edits}: {dict(counts)}; values found: {found[True]} of {found.total()}")
        self.assertEqual(0, counts["wrong"] + counts["silent"], "wrong or silent edits")
        self.assertGreaterEqual(counts["right"], FOUND_AT_LEAST * edits)
        self.assertGreaterEqual(found[True], FOUND_AT_LEAST * found.total())


if __name__ == "__main__":
    chosen = [name for name in sys.argv[1:] if not name.startswith("-")]
    unittest.main(argv=sys.argv[:1])
