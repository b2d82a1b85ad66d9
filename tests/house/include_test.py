"""Keeps the modules apart: each includes only what it declares in CMakeLists.txt, and the pure ones touch no edge.

The gputop_module(NAME USES …) lines of CMakeLists.txt are the one source of truth. A module may include the public headers
(include/gputop/NAME) of the modules it names there, not of those they use in turn, and nobody's private ones (src/NAME).
What it names it must need. The table in ARCHITECTURE.md says the same.
"""
import os
import pathlib
import re
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("GPUTOP_SOURCE", pathlib.Path(__file__).parents[2]))

PURE = {"core", "estimator", "job", "advisor", "knobs", "logs", "app", "report", "fleet", "tuning"}
# Headers by which a clock, a thread, a file, the system or a heavy library would come in.
EDGE_HEADERS = re.compile(
    r"(boost|ftxui|yaml-cpp|CLI|sys|linux|asm|net|netinet|arpa)/"
    r"|(thread|mutex|shared_mutex|condition_variable|future|semaphore|latch|barrier|stop_token|atomic)$"
    r"|(fstream|iostream|filesystem|syncstream|csignal|signal\.h|ctime|time\.h|random)$"
    r"|(unistd|fcntl|dlfcn|pthread|poll|termios|dirent|pwd|grp|spawn|sched|errno|zstd|libtsm)\.h$")
EDGE_WORDS = re.compile(
    r"\w*[Cc]lock\w*::now\b|\brandom_device\b|\bgetenv\s*\(|\bthread_local\b|\bstd::(cout|cerr|clog|cin)\b|\b(fopen|f?printf|f?puts)\s*\(")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def modules(root):
    """Module → the modules it declares, from the table in CMakeLists.txt."""
    text = re.sub(r"#.*", "", (root / "CMakeLists.txt").read_text())
    uses = {}
    for name, rest in re.findall(r"gputop_module\(\s*(\w+)([^)]*)\)", text):
        words = [word for word in re.split(r"\bLINKS\b", rest)[0].split() if word != "SMALL"]
        uses[name] = set(words[1:]) if words[:1] == ["USES"] else set()
    return uses


def described(root):
    """Module → the modules ARCHITECTURE.md's table says it may include."""
    rows = re.findall(r"^\| `(\w+)`[^|]*\|[^|]*\|([^|]*)\|$", (root / "ARCHITECTURE.md").read_text(), re.M)
    names = {name for name, _ in rows}
    return {name: {word for word in re.findall(r"[\w-]+", re.sub(r"\([^)]*\)", "", uses)) if word in names} for name, uses in rows}


def without_comments(text):
    """The text with its comments blanked, line by line where it was."""
    return re.sub(r"//[^\n]*|/\*.*?\*/", lambda match: "\n" * match.group().count("\n"), text, flags=re.S)


def included_module(kind, path, folder, root):
    """The module that an #include names, or None when it is not one of ours."""
    if path.startswith("gputop/"):
        parts = pathlib.PurePath(path).parts
        return parts[1] if len(parts) > 2 else None
    if kind == "<":
        return None
    for found in (folder / path, root / "src" / path):
        if found.is_file():
            parts = pathlib.PurePath(os.path.relpath(found, root / "src")).parts
            return parts[0] if len(parts) > 1 and parts[0] != ".." else None
    return None


def violations(root):
    """One sentence for each line of src/ and include/ that breaks a rule."""
    uses, found = modules(root), []
    needed = {name: set() for name in uses}
    for top in ("src", "include/gputop"):
        for file in sorted((root / top).rglob("*.[ch]pp")):
            parts = file.relative_to(root / top).parts
            if len(parts) < 2:
                continue  # src/main.cpp ties everything together
            module = parts[0]
            if module not in uses:
                found.append(f"{file.relative_to(root)}: module {module} is not in CMakeLists.txt")
                continue
            for number, line in enumerate(without_comments(file.read_text()).splitlines(), 1):
                where = f"{file.relative_to(root)}:{number}"
                match = INCLUDE.match(line)
                if match:
                    other = included_module(*match.groups(), file.parent, root)
                    if other and other != module:
                        needed[module].add(other)
                        if other not in uses[module]:
                            found.append(f"{where}: {module} may not include {other} ({match.group(2)})")
                        elif not match.group(2).startswith("gputop/"):
                            found.append(f"{where}: {match.group(2)} is private to {other}")
                    if module in PURE and EDGE_HEADERS.match(match.group(2)):
                        found.append(f"{where}: {module} is pure and may not include <{match.group(2)}>")
                elif module in PURE and (word := EDGE_WORDS.search(line)):
                    found.append(f"{where}: {module} is pure and may not use {word.group()}")
    for name in uses:
        if needed[name]:  # an empty module needs nothing yet
            found += [f"CMakeLists.txt: {name} does not need {other}" for other in sorted(uses[name] - needed[name])]
    return found


class TheRepository(unittest.TestCase):
    def test_keeps_its_modules_apart(self):
        self.assertEqual([], violations(SOURCE))

    def test_describes_the_modules_as_they_are(self):
        self.assertEqual(modules(SOURCE), described(SOURCE), "ARCHITECTURE.md's table and CMakeLists.txt differ")

    def test_has_modules_to_check(self):
        self.assertLessEqual({"core", "app", "report", "sources", "ui"}, set(modules(SOURCE)))


class ABadTree(unittest.TestCase):
    """Each rule, broken on purpose in a small tree."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("CMakeLists.txt", "gputop_module(core)\ngputop_module(app USES core)\n"
                   "# gputop_module(store USES ui)\ngputop_module(store SMALL USES app LINKS zstd::zstd)\n")

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def assert_complains(self, path, text, *words):
        self.write(path, text)
        found = violations(self.root)
        self.assertEqual(len(words), len(found), found)
        for sentence, word in zip(found, words):
            self.assertIn(word, sentence)

    def test_a_lower_module_may_not_include_a_higher_one(self):
        self.assert_complains("include/gputop/core/a.hpp", '#include "gputop/app/model.hpp"\n', "core may not include app")

    def test_a_private_header_of_another_module_counts(self):
        self.write("src/store/frame.hpp", "")
        self.assert_complains("src/core/a.cpp", '#include "store/frame.hpp"\n', "core may not include store")
        self.assert_complains("src/core/a.cpp", '#include "../store/frame.hpp"\n', "core may not include store")

    def test_a_private_header_of_a_module_that_is_used_counts(self):
        self.write("src/app/track.hpp", "")
        self.assert_complains("src/store/a.cpp", '#include "app/track.hpp"\n', "app/track.hpp is private to app")

    def test_what_is_used_in_turn_may_not_be_included(self):
        self.assert_complains("src/store/a.cpp", '#include "gputop/app/model.hpp"\n#include "gputop/core/units.hpp"\n#include <zstd.h>\n',
                              "store may not include core")

    def test_what_is_declared_must_be_needed(self):
        self.write("src/app/a.cpp", '#include "gputop/core/units.hpp"\n')
        self.assert_complains("CMakeLists.txt", "gputop_module(core)\ngputop_module(yaml)\ngputop_module(app USES core yaml)\n",
                              "app does not need yaml")

    def test_a_table_that_says_something_else_is_found(self):
        self.write("ARCHITECTURE.md", "| `core` | x | std only |\n| `app` | x | core, Boost ([ADR 1](docs/app.md)) |\n| `store` | x | core |\n")
        self.assertEqual({"core": set(), "app": {"core"}, "store": {"core"}}, described(self.root))
        self.assertNotEqual(modules(self.root), described(self.root))

    def test_a_module_outside_the_table_is_found(self):
        self.assert_complains("src/extra/a.cpp", "", "extra is not in CMakeLists.txt")

    def test_a_pure_module_may_not_include_an_edge(self):
        for header in ("boost/asio.hpp", "ftxui/dom/elements.hpp", "yaml-cpp/yaml.h", "thread", "mutex", "unistd.h", "fcntl.h",
                       "sys/stat.h", "fstream", "iostream", "random", "ctime"):
            with self.subTest(header):
                self.assert_complains("src/core/a.cpp", f"#include <{header}>\n", f"may not include <{header}>")

    def test_a_pure_module_may_not_read_a_clock_the_environment_or_a_random_device(self):
        for line in ("auto t = std::chrono::steady_clock::now();", "auto t = Clock::now();", "std::random_device seed;",
                     'auto* home = std::getenv("HOME");', "std::cerr << 1;", "thread_local int x;", 'std::printf("x");'):
            with self.subTest(line):
                self.assert_complains("src/app/a.cpp", f"\n{line}\n", "src/app/a.cpp:2: app is pure")

    def test_comments_break_no_rule(self):
        self.assert_complains("src/core/a.cpp", "// steady_clock::now() is for the edges\n/* #include <thread>\n*/\n")

    def test_pure_code_breaks_no_rule(self):
        self.assert_complains("src/core/a.cpp", '#include <chrono>\n#include <vector>\n#include "gputop/core/units.hpp"\n'
                              "int n = std::snprintf(text, size, format);\n")


if __name__ == "__main__":
    unittest.main()
