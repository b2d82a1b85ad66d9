"""docs/stories.md, line by line: each command runs where its files are, and shows what the page promises."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from program import GPUTOP, ProgramTest  # noqa: E402

DOCS = pathlib.Path(__file__).parents[2] / "docs"
LINES = 161  # sentences of the five documents
ROW = re.compile(r"^\| (?P<line>[\d,–-]+) \| (?P<sentence>.*?) \| (?P<state>✓|part|no) \| (?P<command>.*?) \| (?P<shows>.*?) \|$")


def rows():
    for text in (DOCS / "stories.md").read_text().splitlines():
        found = ROW.match(text)
        if found:
            yield found.groupdict()


def code(cell):
    """The text between the backticks; a bar is written as \\| in a table."""
    found = re.search(r"`` (.*) ``|`([^`]*)`", cell)
    return (found.group(1) or found.group(2)).replace("\\|", "|") if found else ""


def current_torch():
    """The folder of a python3 with the current PyTorch (scripts/frameworks); None where there is none."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = pathlib.Path(os.environ.get("GPUTOP_FRAMEWORKS") or pathlib.Path(cache) / "gputop-frameworks") / "bin"
    complete = folder.parent / "requirements.stamp"  # written last: an installation that is under way has none
    return folder if complete.exists() else None


class StoryLines(ProgramTest):
    def test_every_sentence_has_its_line(self):
        self.assertEqual(len(list(rows())), LINES)

    def test_every_command_shows_what_the_page_says(self):
        stories = self.folder / "stories"
        shutil.copytree(DOCS / "stories", stories)
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "gputop").symlink_to(pathlib.Path(GPUTOP).resolve())
        path = f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
        torch = current_torch()  # what is rehearsed needs it
        if torch:
            path = f"{self.folder / 'bin'}{os.pathsep}{torch}{os.pathsep}{os.environ['PATH']}"
        said = {}
        for row in rows():
            command, shows = code(row["command"]), code(row["shows"])
            with self.subTest(line=row["line"], sentence=row["sentence"]):
                if not command:
                    self.assertEqual(row["state"], "no")
                    continue
                if " -- python3 " in command and not torch:
                    self.skipTest("no current PyTorch here: scripts/frameworks gets it")
                if command not in said:
                    done = subprocess.run(["bash", "-c", command], cwd=stories, env=self.environment(PATH=path), text=True, timeout=120,
                                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                    said[command] = done.stdout
                self.assertIn(shows, said[command])


if __name__ == "__main__":
    unittest.main()
