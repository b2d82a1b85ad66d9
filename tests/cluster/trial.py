"""Faults seeded at random in a job on a real Slurm: is the right rank named, with the right cause, within ten seconds?

    python3 tests/cluster/trial.py [--faults N] [--healthy N] [--nodes 3] [--seed S]

Prints a line for each run and the counts at the end. The exit code is 1 when fewer than 58 of 60 (as a share) were right, or a
healthy run was blamed.

The faults are large beside what a busy machine does to healthy ranks: a step of 100 ms becomes one of 350, and the neighbor is a crowd
on the rank's core. On a machine that is always busy, its own load is a burning neighbor of every rank.
"""
import argparse
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "support"))
from processes import send  # noqa: E402
from slurm import Slurm, why_not  # noqa: E402

GPUTOP = os.environ.get("GPUTOP", "gputop")
PYTHON = pathlib.Path(os.environ.get("GPUTOP_FRAMEWORKS", "")) / "bin" / "python"
WITHIN = 10.0
BLAME = r"holds .* up by|has been (stopped|in its own|waiting)|wait for one another|has ended|sign of life"
FAULTS_A_JOB = 4  # one after another, each beginning with healthy ranks
BURNERS = 16
# What is done to the rank → the words that name its cause.
KINDS = {
    "loader": r"waits .* longer for its batches|its loader",
    "disk": r"its loader waits for disk",
    "heavy": r"its batches are \d+ % larger",
    "stop": r"has been stopped",
    "neighbor": r"without a core|others use its cores",
}


class Job:
    """gputop -- ddp.py on every node, and the lines of gputop attach beside it."""

    def __init__(self, slurm, seconds):
        self.slurm = slurm
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gputop-trial-"))
        self.state = {"XDG_STATE_HOME": str(self.folder / "state"), "HOME": str(self.folder)}
        count = str(len(slurm.nodes))
        self.output = open(self.folder / "srun.txt", "wb")
        self.srun = slurm.start(["srun", "-N" + count, "--ntasks-per-node=1", "--overcommit", "--job-name=trial", GPUTOP, "--", str(PYTHON),
                                 str(HERE / "ddp.py"), str(self.folder), "--seconds", str(seconds)],
                                more=self.state, stdout=self.output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        self.attached = None
        self.lines = []

    def pids(self):
        found = {}
        for path in self.folder.glob("pid-*"):
            text = path.read_text()
            if text:
                found[int(path.name[4:])] = int(text)
        return found

    def id(self):
        found = self.slurm.run(["squeue", "-h", "-o", "%i", "-n", "trial", "-t", "RUNNING"]).stdout.split()
        return found[0] if found else None

    def wait_training(self):
        deadline = time.monotonic() + 120
        while len(self.pids()) < len(self.slurm.nodes):
            if time.monotonic() > deadline or self.srun.poll() is not None:
                raise RuntimeError("the job did not begin to train:\n" + (self.folder / "srun.txt").read_text()[-2000:])
            time.sleep(0.2)
        self.attached = self.slurm.start([GPUTOP, "attach", self.id(), "--headless"], more=self.state, stdout=subprocess.PIPE,
                                         stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        os.set_blocking(self.attached.stdout.fileno(), False)
        self.said("No rank holds|" + BLAME, 60)

    def said(self, pattern, seconds):
        """Seconds until a line matched that came since the last call; None: none did."""
        began = time.monotonic()
        while time.monotonic() - began < seconds:
            try:
                text = os.read(self.attached.stdout.fileno(), 65536).decode(errors="replace")
            except BlockingIOError:
                text = ""
            for line in text.splitlines():
                self.lines.append((time.monotonic() - began, line))
                if re.search(pattern, line):
                    return time.monotonic() - began
            time.sleep(0.1)
        return None

    def end(self):
        for pid in self.pids().values():
            send(pid, signal.SIGCONT)
        job = self.id()
        if job:
            self.slurm.run(["scancel", "--full", job])
        for process in (self.srun, self.attached):
            if process is None:
                continue
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.output.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def burn(core):
    """A process of somebody else's that wants this core, and gets its share: the kernel shares cores among sessions (autogroup)."""
    code = "import os\nos.sched_setaffinity(0, {%d})\nwhile True: pass" % core
    return subprocess.Popen([sys.executable, "-c", code], start_new_session=True)


def bind(pid, cores):
    for thread in os.listdir("/proc/%d/task" % pid):
        try:
            os.sched_setaffinity(int(thread), cores)
        except ProcessLookupError:
            pass


class Fault:
    def __init__(self, job, kind, rank):
        self.job, self.kind, self.rank = job, kind, rank
        self.burners = []

    def begin(self):
        pids = self.job.pids()
        if self.kind == "stop":
            send(pids[self.rank], signal.SIGSTOP)
        elif self.kind == "neighbor":
            core = self.rank % os.cpu_count()
            bind(pids[self.rank], {core})
            self.burners = [burn(core) for _ in range(BURNERS)]
        else:
            (self.job.folder / "fault").write_text(json.dumps({"rank": self.rank, "kind": self.kind}))

    def end(self):
        for burner in self.burners:
            burner.kill()
            burner.wait()
        pid = self.job.pids()[self.rank]
        send(pid, signal.SIGCONT)
        if self.burners:
            bind(pid, set(range(os.cpu_count())))
        (self.job.folder / "fault").unlink(missing_ok=True)


def one_fault(job, kind, rank):
    """Seconds until rank and cause were right, until the rank was, and what was said."""
    fault = Fault(job, kind, rank)
    who = r"[Rr]ank %d on n%d " % (rank, rank + 1)
    job.lines.clear()
    try:
        fault.begin()
        took = job.said(who + r".*(%s)" % KINDS[kind], 30)
        named = next((at for at, line in job.lines if re.search(who, line)), None)
        return took, named, [line for _, line in job.lines]
    finally:
        fault.end()


def one_healthy(slurm):
    job = Job(slurm, 60)
    try:
        job.wait_training()
        job.said(BLAME, 20)
        return [line for _, line in job.lines if re.search(BLAME, line)]
    finally:
        job.end()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--faults", type=int, default=60)
    parser.add_argument("--healthy", type=int, default=20)
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--kinds", default=",".join(KINDS))
    options = parser.parse_args()
    if why_not():
        print("SKIPPED:", why_not())
        return 0
    seed = options.seed if options.seed is not None else random.randrange(1 << 30)
    print("seed", seed, flush=True)
    chance = random.Random(seed)
    right = named = blamed = 0
    with Slurm(options.nodes) as slurm:
        job = None
        for number in range(options.faults):
            kind, rank = chance.choice(options.kinds.split(",")), chance.randrange(options.nodes)
            # The next fault begins with healthy ranks: where the last one is not forgotten, in a new job.
            if job and (number % FAULTS_A_JOB == 0 or job.said("No rank holds", 40) is None):
                job.end()
                job = None
            if not job:
                job = Job(slurm, 600)
                job.wait_training()
            time.sleep(chance.uniform(1, 3))
            took, who, lines = one_fault(job, kind, rank)
            right += took is not None and took <= WITHIN
            named += who is not None and who <= WITHIN
            print("fault %2d: %-8s on rank %d: %s%s" % (number + 1, kind, rank, "right after %.1f s" % took if took else "NOT NAMED",
                                                      "" if took and took <= WITHIN else " | " + " | ".join(lines[-4:])), flush=True)
        if job:
            job.end()
        for number in range(options.healthy):
            lines = one_healthy(slurm)
            blamed += bool(lines)
            print("healthy %2d: %s" % (number + 1, "silent" if not lines else "BLAMED " + " | ".join(lines)), flush=True)
    print("right rank and cause within %d s: %d of %d; right rank: %d; healthy runs blamed: %d of %d" %
          (WITHIN, right, options.faults, named, blamed, options.healthy))
    return 0 if right * 60 >= 58 * options.faults and blamed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
