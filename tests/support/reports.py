"""Shared by the tests of report, compare and --csv: logs to report on, and readers of pages and texts."""
import html.parser
import json
import re
import shutil

from program import ProgramTest

SECTIONS = ["Summary", "Step-time breakdown", "Diagnosis", "Recommendations", "Next steps", "Changes made and their effect", "How the run ended",
            "Busy, memory, power", "Speed", "Duration and readings", "Configuration and environment"]
RUN_SECTIONS = [*SECTIONS[:SECTIONS.index("Speed") + 1], "MFU, energy, cost", *SECTIONS[SECTIONS.index("Speed") + 1:]]
VOID = {"meta", "line", "polygon", "polyline", "circle"}
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def laptop_log(header=True, units=True, spike=47):
    """A debug run on a laptop as nvidia-smi -l saw it: 90 samples in 300 s, one power reading of 590 W."""
    utilization = [11.0] * 90
    for i, value in ((0, 0), (3, 0), (10, 20), (20, 20), (30, 20), (40, 20), (50, 20), (60, 20), (61, 15), (62, 14)):
        utilization[i] = value
    utilization = [int(u) for u in utilization]
    missing = round(11.4 * 90) - sum(utilization)  # the rest of the average, one point at a time
    for i in range(4, 4 + abs(missing)):
        utilization[i] += 1 if missing > 0 else -1
    power = [27.0] * 90
    power[0] = 1.7
    rest = 26.8 * 89 - sum(power[i] for i in range(90) if i not in (spike, 5))
    power[5] = round(rest, 2)
    power[spike] = 590.0
    lines = []
    if header:
        lines.append("timestamp, name, utilization.gpu [%], memory.used [MiB], memory.total [MiB], power.draw [W]")
    for i in range(90):
        seconds = i * 300 / 89
        stamp = f"2024/05/01 12:{int(seconds // 60):02}:{seconds % 60:06.3f}"
        memory = 167 if i == 44 else 135
        mib, percent, watt = (" MiB", " %", " W") if units else ("", "", "")
        lines.append(f"{stamp}, NVIDIA GeForce RTX 4050 Laptop GPU, {utilization[i]}{percent}, {memory}{mib}, 6141{mib}, {power[i]:.2f}{watt}")
    return "\n".join(lines) + "\n"


class Page(html.parser.HTMLParser):
    """Checks that every tag is closed, and collects the page's contents."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.texts, self.texts_in, self.headings, self.cells, self.rows = [], [], [], [], [], [], []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        assert self.open and self.open[-1] == tag, (tag, self.open)
        self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] == "h2":
            self.headings.append(data)
        if self.open and self.open[-1] == "td":
            self.cells.append(data)
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data
        self.texts.append(data)
        self.texts_in.append((self.open[-1] if self.open else "", data))


def tables_of(markdown):
    """Every table of a Markdown text as rows of cells; every row must have the same number of cells."""
    tables = []
    for block in re.findall(r"(?:^\|.*\n)+", markdown, re.M):
        rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in block.splitlines()]
        assert len({len(row) for row in rows}) == 1, block
        assert all(re.fullmatch(r":?-+:?", cell) for cell in rows[1]), block
        tables.append([rows[0], *rows[2:]])
    return tables


class ReportTest(ProgramTest):
    def file(self, text, name="gpu.csv"):
        path = self.folder / name
        path.write_text(text)
        return path

    def output_of(self, *words):
        done = self.run_gputop(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def report(self, path, *words):
        return json.loads(self.output_of("report", path, "--format", "json", *words))

    def record(self, name, scenario="healthy", seconds=4):
        path = self.folder / name
        self.output_of("--headless", "--record", path, "--source", f"sim:{scenario}", "--interval", "100ms", "--duration", f"{seconds}s")
        return path
