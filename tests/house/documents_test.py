"""Holds documents to the code: what the recording's format describes is what is written."""
import os
import pathlib
import re
import unittest

SOURCE = pathlib.Path(os.environ.get("GPUTOP_SOURCE", pathlib.Path(__file__).parents[2]))
FORMAT = (SOURCE / "docs/recording-format.md").read_text()


def written_kinds():
    """The kinds of events, as store names them in recordings."""
    text = (SOURCE / "src/store/event_json.cpp").read_text()
    names = re.search(r"kNames\[\] = \{(.*?)\};", text, re.S).group(1)
    return re.findall(r'"(\w+)"', names)


def written_fields(kind):
    """The fields that a kind's line is read with."""
    text = (SOURCE / "src/store/event_json.cpp").read_text()
    body = re.search(rf'if \(kind == "{kind}"\)(.*?)(?=\n  if \(kind|\n  return std::nullopt)', text, re.S).group(1)
    return set(re.findall(r'(?:field<[^>]*>|texts|time_field|number_if_said(?:<\w+>)?)\(in, "(\w+)"', body))


def described_kinds():
    """Kind → its row in the table of lines."""
    rows = {}
    for names, meaning in re.findall(r"^\| ((?:`\w+`(?:, )?)+) \| (.*) \|$", FORMAT.split("## The lens")[0], re.M):
        for name in re.findall(r"`(\w+)`", names):
            rows[name] = meaning
    return rows


class TheRecordingFormat(unittest.TestCase):
    def test_describes_every_kind_of_event(self):
        written = {"lens_KIND" if kind == "lens_" else kind for kind in written_kinds()}
        self.assertGreater(len(written), 15)
        self.assertEqual(written, set(described_kinds()))

    def test_describes_the_fields_of_plain_kinds(self):
        rows = described_kinds()
        for kind in ("source", "happened", "noted", "gap", "run", "output", "run_ended", "ended", "question", "answer", "job"):
            with self.subTest(kind):
                fields = written_fields(kind)
                self.assertTrue(fields)
                self.assertEqual(set(), {field for field in fields if f"`{field}`" not in rows[kind]})


class TheThreeWaysOfData(unittest.TestCase):
    """ARCHITECTURE names the files that data passes through, and how many there are."""

    def test_name_files_that_exist_and_count_them(self):
        text = (SOURCE / "ARCHITECTURE.md").read_text()
        ways = text.split("## Three ways of data")[1].split("\n## ")[0].split("\n**")[1:]
        self.assertEqual(3, len(ways))
        for way in ways:
            with self.subTest(way.split("**")[0]):
                files = set(re.findall(r"`(src/[\w/]+\.\w+)`", way))
                self.assertEqual(set(), {name for name in files if not (SOURCE / name).is_file()})
                self.assertEqual(int(re.search(r"\((\d+) files", way).group(1)), len(files))


if __name__ == "__main__":
    unittest.main()
