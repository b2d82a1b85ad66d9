"""Readers of foreign bytes stay within them: they use gputop/core/scan.hpp, never the raw steps of std::string_view.

remove_prefix, remove_suffix, [], front() and back() are undefined beyond the end, and substr throws there. One of them on a torn
line of a job's output ended the monitoring of the whole run.
"""
import os
import pathlib
import re
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("GPUTOP_SOURCE", pathlib.Path(__file__).parents[2]))

READERS = ("logs", "lens", "store", "knobs", "sources/gpu_log", "sources/smi_log")
STEPS = re.compile(r"(?:\.|->)(remove_prefix|remove_suffix|substr)\(")
# Names that hold text: declared so, or made by a function that returns text.
TEXT = re.compile(r"\bstd::string(?:_view)?[&\s]+(\w+)\s*(?=[;,=){:]|\[\[)")
MAKERS = re.compile(r"\bstd::string(?:_view)?\s+(\w+)\(")
MADE = re.compile(r"\bauto&?\s+(\w+)\s*=\s*(?:\w+::)*(\w+)\(")
OTHERS = re.compile(
    r"(?:\b(?:std::(?:array|vector|map|unordered_map|deque|span|pair|set)<[^;(){}]*>|Words|Path|nlohmann::json|Json|json)[&\s]+(\w+)\b"
    r"|\b[\w:<>]+\s+(\w+)\[\])")
INDEXED = re.compile(r"(?<![\w\"'])(\*?\(?\*?)((?:\w+(?:\.|->))*)(\w+)\)?(?:\[(?!\[|\])|(?:\.|->)(front|back)\(\))")


def without_comments_and_texts(text):
    """The text with its comments and literals blanked, line by line where it was."""
    def blank(match):
        return "\n" * match.group().count("\n") if match.group().startswith("/") else '""'
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', blank, text, flags=re.S)


def sources(root, folder):
    base = root / "src" / folder
    return sorted(path for path in base.rglob("*") if path.suffix in (".cpp", ".hpp", ".def")) if base.is_dir() else []


def named(pattern, text):
    return {name for names in pattern.findall(text) for name in names if name}


def raw_steps(root):
    """One sentence for each raw step in a reader."""
    headers = [path for folder in ("include/gputop", "src") for path in (root / folder).rglob("*.hpp")]
    shared = "\n".join(without_comments_and_texts(path.read_text()) for path in headers)
    makers = set(MAKERS.findall(shared))
    found = []
    for folder in READERS:
        own = "\n".join(without_comments_and_texts(path.read_text()) for path in headers if f"/{folder}/" in str(path))
        lists = named(OTHERS, own)
        members = set(TEXT.findall(own)) - lists
        for path in sources(root, folder):
            text = without_comments_and_texts(path.read_text())
            here = makers | set(MAKERS.findall(text))
            others = named(OTHERS, text)
            texts = set(TEXT.findall(text)) | {name for name, maker in MADE.findall(text) if maker in here}
            for number, line in enumerate(text.split("\n"), 1):
                place = f"{path.relative_to(root)}:{number}"
                for step in STEPS.findall(line):
                    found.append(f"{place}: {step}() is raw; scan.hpp has skip_front, skip_back and slice")
                for _, owner, name, end in INDEXED.findall(line):
                    is_text = name in members or name in texts - lists if owner else name in texts
                    if is_text and name not in others:
                        found.append(f"{place}: {name}{'.' + end + '()' if end else '[]'} is raw; scan.hpp has char_at, first_char and last_char")
    return found


class Readers(unittest.TestCase):
    def test_the_readers_of_foreign_bytes_take_no_raw_step(self):
        self.assertEqual(raw_steps(SOURCE), [])

    def test_every_reader_is_there(self):
        for folder in READERS:
            self.assertTrue(sources(SOURCE, folder), f"src/{folder} has no sources: is it somewhere else now?")


class Check(unittest.TestCase):
    """The check itself, on sources that break the rule."""

    def found(self, text):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "src/logs").mkdir(parents=True)
            (root / "src/logs/reader.cpp").write_text(text)
            return [each.split(": ", 1)[1].split(" ")[0] for each in raw_steps(root)]

    def test_a_step_over_bytes_that_may_not_be_there(self):
        self.assertEqual(self.found("text.remove_prefix(3);"), ["remove_prefix()"])
        self.assertEqual(self.found("word->remove_suffix(1);"), ["remove_suffix()"])
        self.assertEqual(self.found("return line.substr(at + 8);"), ["substr()"])

    def test_an_index_into_text(self):
        self.assertEqual(self.found("bool f(std::string_view text) { return text[0] == 'x'; }"), ["text[]"])
        self.assertEqual(self.found("const std::string& word = words[i]; if (word.back() == 'x') return;"), ["word.back()"])
        self.assertEqual(self.found("std::string_view cut(int);\nvoid f() { const auto rest = cut(1); g(rest[2]); }"), ["rest[]"])
        self.assertEqual(self.found("class Reader { char peek() { return text_[at_]; } std::string_view text_; };"), ["text_[]"])
        self.assertEqual(self.found("struct Cell { std::string_view text; };\nbool f(Cell cell) { return cell.text[0] == 'P'; }"), ["text[]"])

    def test_what_is_no_step_into_text(self):
        self.assertEqual(self.found("// text.remove_prefix(3)\nskip_front(text, 3);"), [])
        self.assertEqual(self.found("std::array<int, 2> counts; counts[0] = 1;"), [])
        self.assertEqual(self.found("std::vector<std::string_view> names; names.back();"), [])
        self.assertEqual(self.found('const std::string_view text = "a[0]";'), [])
        self.assertEqual(self.found("[[nodiscard]] std::string name() const;"), [])


if __name__ == "__main__":
    unittest.main()
