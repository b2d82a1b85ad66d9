"""The readers of gputop against Python's own: after a change, json, tomllib, ast and PyYAML see exactly that value changed."""
import ast
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from program import GPUTOP, ProgramTest  # noqa: E402

try:
    import yaml
except ImportError:
    yaml = None

CORPUS = pathlib.Path(__file__).parents[1] / "corpus"
NEW = {"batch_size": 77, "learning_rate": 0.123}


def flat(value, path=()):
    """A document as a map from path to scalar."""
    if isinstance(value, dict):
        return {k: v for key, item in value.items() for k, v in flat(item, (*path, str(key))).items()} or {path: "{}"}
    if isinstance(value, list):
        return {k: v for i, item in enumerate(value) for k, v in flat(item, (*path, i)).items()} or {path: "[]"}
    return {path: repr(value)}


class Signs(ast.NodeTransformer):
    """-1 and +1 are constants, like 1."""

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        number = isinstance(node.operand, ast.Constant) and isinstance(node.op, (ast.USub, ast.UAdd))
        return ast.Constant(eval(compile(ast.Expression(ast.fix_missing_locations(node)), "", "eval"))) if number else node


def python_constants(text):
    """Everything but the constants as text, and the constants in order."""
    tree = Signs().visit(ast.parse(text))
    constants = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            constants.append(repr(node.value))
            node.value = 0
    return {"shape": ast.dump(tree), **{("constant", i): c for i, c in enumerate(constants)}}


def words_changed(diff):
    """How many words differ between the removed and the added lines."""
    sides = [re.findall(r"[^\s,:=(){}\[\]\"';]+", " ".join(line[1:] for line in diff.splitlines() if line.startswith(sign) and line[:3] != 3 * sign))
             for sign in "-+"]
    return sum(a != b for a, b in zip(*sides, strict=True))


def meaning(path):
    text = path.read_bytes().decode("utf-8-sig")
    if path.suffix in (".json", ".jsonc"):
        return flat(json.loads(re.sub(r"//[^\n\"]*$|/\*.*?\*/", "", text, flags=re.M | re.S) if path.suffix == ".jsonc" else text))
    if path.suffix == ".toml":
        return flat(tomllib.loads(text))
    if path.suffix == ".py":
        return python_constants(text)
    if path.suffix == ".sh":
        return flat(shlex.split(text, comments=True))
    return flat(list(yaml.safe_load_all(text)))


class Corpus(ProgramTest):
    def setUp(self):
        # A hundred files are changed, each safely onto the disk: in memory that does not wait for other tests' disk.
        before = tempfile.tempdir
        tempfile.tempdir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else before
        self.addCleanup(setattr, tempfile, "tempdir", before)
        super().setUp()

    @staticmethod
    def pyyaml_reads(path):
        """PyYAML rejects some tabs that YAML allows."""
        try:
            return yaml is not None and list(yaml.safe_load_all(path.read_text())) is not None
        except yaml.YAMLError:
            return False

    def test_exactly_the_value_differs_for_pythons_own_parsers(self):
        changes = 0
        for source in sorted(CORPUS.glob("*/*.*")):
            if source.suffix in (".yaml", ".yml") and not self.pyyaml_reads(source):
                continue
            for knob, value in NEW.items():
                path = self.folder / source.name
                shutil.copyfile(source, path)
                before = path.read_bytes()
                done = subprocess.run([GPUTOP, "apply", "--config", source.name, "--change", f"{knob}={value}", "--all", "--yes"],
                                      cwd=self.folder, env=self.environment(), stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
                with self.subTest(file=source.name, knob=knob):
                    if done.returncode != 0 or path.read_bytes() == before:
                        self.assertEqual(path.read_bytes(), before, done.stderr)
                        continue
                    changes += 1
                    old, new = meaning(source), meaning(path)
                    self.assertEqual(old.keys(), new.keys())
                    differing = {key for key in old if old[key] != new[key]}
                    diff = done.stdout.decode()
                    shown = words_changed(diff)
                    if b"<<:" in before:  # a template's value is its user's, too
                        self.assertLessEqual(len(differing), 2 * shown, diff)
                    else:
                        self.assertEqual(len(differing), shown, diff)
                    self.assertEqual(before.count(b"\n"), path.read_bytes().count(b"\n"))
        self.assertGreater(changes, 150)


if __name__ == "__main__":
    unittest.main()
