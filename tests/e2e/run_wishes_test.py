"""What users wish holds whatever is killed meanwhile: relaunches, detaching, attaching, gputop stop, in random order, with faults
between them and during the stop. A stopped run is over and is not started again; no relaunch is lost, none is made twice.
GPUTOP_WISHES=N plays more sequences, GPUTOP_SEED=N repeats one."""
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import processes  # noqa: E402
import run_jobs  # noqa: E402
from sanitized import SANITIZERS  # noqa: E402
from whole_run import GPUTOP, WholeRun  # noqa: E402

LOOP = "echo $$ >> {dir}/starts; echo ready; while :; do sleep 0.05; done"
JOBS = {
    "obedient": LOOP,
    "stubborn": "trap 'echo n\"\"o, thanks' INT; " + LOOP,
    "slow": "trap 'sleep 0.7; echo saved; exit 3' INT TERM; " + LOOP,
    "deaf": "trap '' INT TERM HUP; " + LOOP,
    "prints": "echo $$ >> {dir}/starts; while :; do echo 'Epoch 1:  10%|#   | 10/100 [00:10<01:30,  1.00it/s]'; sleep 0.01; done",
    "parent": "echo $$ >> {dir}/starts; (while :; do sleep 0.1; done) & while :; do sleep 0.05; done",
}
ROLES = ("engine", "keeper", "holder", "spare")


class Sequence:
    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.kind = self.dice.choice(sorted(JOBS))
        self.run = WholeRun()
        self.told, self.stopped, self.relaunches = [], [], 0

    def pids(self):
        found = run_jobs.Run.processes_by_role(self.run)
        engines = self.run.engines()
        return {**found, **({"engine": engines[-1]} if engines else {})}

    def starts(self):
        path = self.run.dir / "starts"
        return [int(word) for word in path.read_text().split()] if path.exists() else []

    def pause(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.run.pump()
            time.sleep(0.01)

    def present(self):
        return self.terminal.poll() is None

    # --- what happens ---
    def fault(self):
        pids = self.pids()
        if len(pids) < len(ROLES):  # they are about to be replaced
            return
        number = self.dice.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGSTOP))
        roles = self.dice.sample(ROLES, self.dice.choice((1, 1, 2, 3)))
        for role in roles:
            processes.send(pids[role], number)
        if number == signal.SIGSTOP:
            self.stopped += [pids[role] for role in roles]
        self.told.append(f"{number.name} {'+'.join(roles)}")

    def relaunch(self):
        if self.present():
            self.told.append("relaunch")
            self.relaunches += 1
            self.terminal.press("r")
            self.pause(self.dice.choice((0.05, 0.2, 0.4)))
            if self.present():
                self.terminal.press("y")

    def detach(self):
        if self.present():
            self.told.append("detach")
            self.terminal.press("D")

    def attach(self):
        self.told.append("attach")
        self.terminal = self.run.attach(until=None)

    def kill_viewer(self):
        self.told.append("kill the viewer")
        self.terminal.kill(signal.SIGKILL)

    def stop(self):
        kills = self.kind == "deaf" or self.dice.random() < 0.6
        faults = self.dice.choice((0, 1, 2))
        self.told.append(f"stop{' --kill' if kills else ''} with {faults} faults")
        asked = subprocess.Popen([GPUTOP, "stop", "--duration", "60s", *(["--kill"] if kills else [])], env=self.run.env,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True)
        end = time.monotonic() + 90
        while asked.poll() is None and time.monotonic() < end:
            self.pause(0.02)
            if faults and self.dice.random() < 0.2:
                faults -= 1
                self.fault()
        said = asked.communicate(timeout=10)[0]
        assert asked.returncode == 0, said

    def play(self):
        self.terminal = self.run.open("sh", "-c", JOBS[self.kind], options=("--no-lens",), until=None)
        run_jobs.wait_for(lambda: self.run.pump() or self.starts(), "the job", 60)
        if self.dice.random() < 0.7:
            self.terminal.wait("BUSY", seconds=60)
        for _ in range(self.dice.randint(2, 6)):
            self.dice.choice((self.fault, self.fault, self.fault, self.relaunch, self.relaunch, self.detach, self.attach, self.kill_viewer))()
            self.pause(self.dice.choice((0, 0.02, 0.1, 0.5)))
        self.stop()
        for pid in self.stopped:
            processes.send(pid, signal.SIGCONT)
        before = self.starts()
        self.run.wait_end()
        after = self.starts()
        assert before == after, f"it was started again after gputop stop: {before}, {after}"
        assert len(after) <= 1 + self.relaunches, f"{len(after)} starts for {self.relaunches} relaunches"
        living = [pid for pid in after if processes.alive(pid)]
        assert not living, f"jobs that live on: {living}"


first = int(os.environ.get("GPUTOP_SEED", time.time()))
count = 1 if "GPUTOP_SEED" in os.environ else int(os.environ.get("GPUTOP_WISHES", "4" if SANITIZERS else "10"))
for seed in range(first, first + count):
    sequence = Sequence(seed)
    try:
        sequence.play()
    except AssertionError as failure:
        raise AssertionError(f"GPUTOP_SEED={seed}: {sequence.kind}: {sequence.told}: {failure}") from None
    left = sequence.run.close()
    assert not left, f"GPUTOP_SEED={seed}: {sequence.kind}: {sequence.told}: left behind: {left}"
print(f"{count} sequences from seed {first}")
