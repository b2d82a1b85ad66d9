"""Scripts of current frameworks (tests/frameworks/scripts), alone and under gputop: their output line by line, and gputop's facts
about them against their own measurements."""
import json
import os
import pathlib
import re
import shutil
import subprocess

import own_speed
from program import GPUTOP, ProgramTest

SCRIPTS = pathlib.Path(__file__).parents[1] / "frameworks" / "scripts"
ENVIRONMENT = pathlib.Path(os.environ.get("GPUTOP_FRAMEWORKS", ""))  # the virtual environment, see scripts/frameworks
PYTHON = str(ENVIRONMENT / "bin" / "python")

# How far a measured figure may be off beyond the range that the script's own clock gives: of the value, or (shares) in points.
SPEED, SHARE = 0.05, 0.05
SHARES = {"input_wait_share", "pause_share"}

# What differs from run to run by itself: times, speeds and where a bar happened to be drawn.
BAR = re.compile(r"\d+%\||\d+/\d+ \[\d|\?it/s|━|──|\bit/s\b")
VARYING = (re.compile(r"\d+:\d\d(:\d\d)?"), re.compile(r"\d+(\.\d+)?(e-?\d+)? ?(hours|minutes|seconds|s|ms|it/s|s/it|samples/s|img/s)\b"),
           re.compile(r"'[a-z_]*(runtime|per_second)': '?[\d.e+-]+'?"), re.compile(r"\x1b\[[0-9;]*[A-Za-z]"), re.compile(r"(pid[ =:]+)\d+"),
           re.compile(r"^[WIE]\d{4} \S+ \d+"), re.compile(r"ping: .*MB/s"))


class Outcome:
    def __init__(self, code, stdout, stderr, truth=None, report=None):
        self.code, self.stdout, self.stderr = code, stdout, stderr
        self.truth, self.report = truth, report

    def fact(self, name):
        for fact in self.report["facts"]:
            if fact["name"] == name:
                return fact["value"]
        return None

    def advice(self):
        return [finding["id"] for finding in self.report["advice"]]


def lines(text):
    """The part of the output that is the same in every run: without bars, times and speeds."""
    found = []
    for line in text.split("\n"):
        pieces = [piece.rstrip() for piece in line.split("\r") if piece.strip() and not BAR.search(piece)]
        for piece in pieces:
            for pattern in VARYING:
                piece = pattern.sub("#", piece)
            found.append(piece)
    return found


def is_right(said, true):
    if said is None:
        return False
    if isinstance(true, float):
        return abs(said - true) <= 5e-4 * max(1.0, abs(true))  # printed with a few digits
    return said == true


def is_within(name, said, low, high):
    if said is None:
        return False
    if name in SHARES:
        return low - SHARE <= said <= high + SHARE
    return low * (1 - SPEED) <= said <= high * (1 + SPEED)


def wrong_facts(outcome):
    """(how many were compared; in words: wrong or missing ones, and measured ones that are off)."""
    wrong = []
    known = {name: true for name, true in outcome.truth.items() if true is not None and name != "timeline"}
    measured = own_speed.ranges(outcome.truth)
    for name, true in known.items():
        if not is_right(outcome.fact(name), true):
            wrong.append(f"{name}: {outcome.fact(name)} instead of {true}")
    off = [f"{name}: {outcome.fact(name)} instead of {low:.4g} to {high:.4g}" for name, (low, high) in measured.items()
           if not is_within(name, outcome.fact(name), low, high)]
    return len(known) + len(measured), wrong, off


class FrameworkTest(ProgramTest):
    maxDiff = None

    def setUp(self):
        super().setUp()
        self.job = self.fresh("watched")

    def fresh(self, name):
        """A folder with a copy of the scripts, so a run writes only there."""
        folder = self.folder / name / "job"
        shutil.copytree(SCRIPTS, folder)
        return folder

    def job_environment(self, folder, **more):
        home = str(folder.parent)
        path = f"{ENVIRONMENT / 'bin'}:{os.environ['PATH']}"
        return self.environment(PATH=path, HOME=home, OMP_NUM_THREADS="1", HF_HUB_OFFLINE="1", HF_HOME=home, YOLO_OFFLINE="true",
                                YOLO_CONFIG_DIR=home, MPLCONFIGDIR=home, TOKENIZERS_PARALLELISM="false", COLUMNS="200",
                                XDG_CACHE_HOME=home, TORCHINDUCTOR_CACHE_DIR=f"{home}/inductor", **more)

    def bare(self, *words, timeout=300, files=()):
        """`files`: (name, text) of additional files."""
        folder = self.fresh("bare")
        for name, text in files:
            (folder / name).write_text(text)
        done = subprocess.run(list(map(str, words)), cwd=folder, env=self.job_environment(folder), capture_output=True, text=True,
                              timeout=timeout, stdin=subprocess.DEVNULL)
        return Outcome(done.returncode, *(text.replace(str(folder.parent), "#") for text in (done.stdout, done.stderr)))

    def watched(self, *words, source="sim:idle", timeout=300, options=()):
        """Headless under gputop, including its messages about the recording."""
        recording, truth = self.folder / "run.gputop", self.folder / "truth.json"
        done = subprocess.run([GPUTOP, "--headless", "--source", source, "--record", str(recording), *options, "--", *map(str, words)],
                              cwd=self.job, env=self.job_environment(self.job, TRUTH=str(truth)), capture_output=True, text=True,
                              timeout=timeout, stdin=subprocess.DEVNULL)
        stderr = re.sub(r"(?m)^gputop: .*\n(  .*\n)*", "", done.stderr)  # what it says itself: advice, and its closing words
        said = self.run_gputop("advise", "--json", recording)
        stdout, stderr = (text.replace(str(self.job.parent), "#") for text in (done.stdout, stderr))
        return Outcome(done.returncode, stdout, stderr, json.loads(truth.read_text()) if truth.exists() else None,
                       json.loads(said.stdout) if said.returncode == 0 else {"facts": [], "advice": [], "error": said.stderr})

    def same_output(self, bare, watched):
        self.assertEqual(bare.code, watched.code, watched.stderr[-2000:])
        self.assertEqual(lines(bare.stdout), lines(watched.stdout))
        self.assertEqual(lines(bare.stderr), lines(watched.stderr))

    def check(self, *words):
        """The output is as without gputop, and every fact that the script measures itself is right."""
        bare = self.bare(*words)
        watched = self.watched(*words)
        self.same_output(bare, watched)
        self.assertIsNotNone(watched.truth, watched.stderr[-2000:])
        count, wrong, off = wrong_facts(watched)
        figures = f"{self._testMethodName}: {count - len(wrong) - len(off)} of {count} facts right"
        print("; ".join([figures, *wrong, *off]), flush=True)
        if os.environ.get("GPUTOP_FACTS"):  # scripts/test adds them up
            with open(os.environ["GPUTOP_FACTS"], "a") as file:
                file.write("; ".join([figures, *wrong, *off]) + "\n")
        self.assertEqual([], wrong + off)
        # A speed that is printed at the end is the mean of the whole run, its start included.
        others = [each for each in watched.report["disagreements"] if each["fact"] in watched.truth]
        self.assertEqual([], others)
        return watched
