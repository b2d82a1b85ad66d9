"""A job on three nodes of a real Slurm: one thing in its recordings, on its screen, and in what is said of it; nothing is left behind."""
import json
import os
import pathlib
import re
import signal
import sys
import time
import unittest

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "support"))
from processes import send  # noqa: E402
from slurm import Slurm, why_not  # noqa: E402
from trial import GPUTOP, Job  # noqa: E402
import pyte  # noqa: E402


class Screen:
    """gputop in a terminal of its own."""

    def __init__(self, command, environment, columns=200, rows=50):
        import fcntl
        import pty
        import struct
        import termios
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.pid, self.fd = pty.fork()
        self.ended = False
        if self.pid == 0:
            os.execvpe(command[0], command, dict(environment, TERM="xterm-256color", LANG="C.UTF-8", COLUMNS=str(columns), LINES=str(rows)))
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.set_blocking(self.fd, False)

    def text(self):
        try:
            while True:
                self.stream.feed(os.read(self.fd, 65536))
        except (BlockingIOError, OSError):
            pass
        return "\n".join(line.rstrip() for line in self.screen.display)

    def wait(self, pattern, seconds=40):
        deadline = time.monotonic() + seconds
        while True:
            text = self.text()
            if re.search(pattern, text):
                return text
            if time.monotonic() > deadline:
                raise AssertionError("%r is not on the screen:\n%s" % (pattern, text))
            time.sleep(0.1)

    def type(self, keys):
        os.write(self.fd, keys.encode())

    def end(self):
        self.type("q")
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            self.text()
            if os.waitpid(self.pid, os.WNOHANG)[0]:
                os.close(self.fd)
                self.ended = True
                return
            time.sleep(0.1)
        raise AssertionError("gputop did not leave:\n" + self.text())


    def kill(self):
        """After a test that failed."""
        if not self.ended:
            send(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            os.close(self.fd)


def processes_of_ours():
    """Processes of the gputop under test."""
    found = set()
    for entry in os.listdir("/proc"):
        try:
            if entry.isdigit() and os.path.samefile("/proc/%s/exe" % entry, GPUTOP):
                found.add(int(entry))
        except OSError:
            pass
    return found


def listening():
    """Inodes of TCP sockets that listen, each with who holds it."""
    inodes = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        for line in open(table).read().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A":
                inodes.add(fields[9])
    held = set()
    for pid in processes_of_ours():
        try:
            for descriptor in os.listdir("/proc/%d/fd" % pid):
                target = os.readlink("/proc/%d/fd/%s" % (pid, descriptor))
                if target.startswith("socket:") and target[8:-1] in inodes:
                    held.add(pid)
        except OSError:
            pass
    return held


@unittest.skipIf(why_not(), "SKIPPED: " + why_not())
class AJobOnThreeNodes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.before = processes_of_ours()
        cls.slurm = Slurm(3).__enter__()
        cls.addClassCleanup(cls.slurm.__exit__, None, None, None)
        cls.job = Job(cls.slurm, 150)
        cls.addClassCleanup(cls.job.end)
        cls.job.wait_training()
        cls.number = cls.job.id()
        (cls.job.folder / "fault").write_text(json.dumps({"rank": 1, "kind": "loader"}))
        cls.environment = dict(cls.slurm.environment, **cls.job.state)

    def screen(self, *arguments, **options):
        screen = Screen([GPUTOP, "attach", self.number, *arguments], options.pop("environment", self.environment), **options)
        self.addCleanup(screen.kill)
        return screen

    def test_1_the_slow_rank_is_named_with_its_loader(self):
        self.assertIsNotNone(self.job.said(r"Rank 1 on n2 holds 2 ranks up by .*: (it waits .* longer for its batches|its loader)", 60), self.job.lines)

    def test_2_recordings_of_the_job_are_one(self):
        report = json.loads(self.slurm.run([GPUTOP, "report", self.number, "--format", "json"], more=self.job.state).stdout)
        self.assertEqual("slurm", report["launcher"])
        self.assertEqual([(0, "n1"), (1, "n2"), (2, "n3")], [(rank["rank"], rank["node"]) for rank in report["ranks"]])
        self.assertEqual(1, report["straggler"]["rank"])
        advice = self.slurm.run([GPUTOP, "advise", self.number], more=self.job.state).stdout
        self.assertRegex(advice, r"Rank 1 on n2 holds 2 ranks up by")
        folder = self.slurm.run([GPUTOP, "advise", str(self.job.folder / "state" / "gputop" / "runs")], more=self.job.state).stdout
        self.assertRegex(folder, r"3 ranks on 3 nodes")
        replayed = self.slurm.run([GPUTOP, "replay", self.number], more=self.job.state)
        self.assertEqual(0, replayed.returncode, replayed.stderr)
        self.assertRegex(replayed.stdout, r"(?m)^00:\d\d:\d\d  Rank 1 on n2 holds 2 ranks up by")
        pattern = self.slurm.run([GPUTOP, "advise", str(self.job.folder / "state" / "gputop" / "runs" / "*.gputop")], more=self.job.state).stdout
        self.assertRegex(pattern, r"3 ranks on 3 nodes")

    def test_3_the_screen_by_the_recordings(self):
        for columns, rows in ((200, 50), (80, 24)):
            screen = self.screen(columns=columns, rows=rows)
            text = screen.wait(r"Rank 1 on n2 holds")
            self.assertRegex(text, r"3 ranks on 3 nodes")
            self.assertRegex(text, r"n2 +last")
            screen.type("\r")
            screen.wait(r"ddp\.py")
            screen.type("q")
            screen.wait(r"3 ranks on 3 nodes")
            screen.end()

    def test_4_the_screen_through_srun(self):
        """From a place that does not see the recordings: another state folder, which the nodes are told of."""
        elsewhere = dict(self.environment, XDG_STATE_HOME=str(self.job.folder / "elsewhere"),
                         SLURM_EXPORT_ENV="PATH,XDG_STATE_HOME=" + self.job.state["XDG_STATE_HOME"])  # ALL would let ours win
        screen = self.screen(environment=elsewhere)
        screen.wait(r"srun on 3 nodes")
        screen.wait(r"(?s)3 ranks on 3 nodes.*holds 2 ranks up", 60)
        screen.end()

    def test_5_the_screen_through_a_template(self):
        """There is no Kubernetes here: a stand-in kubectl runs the command on this machine."""
        stand_in = self.job.folder / "kubectl"
        stand_in.write_text("#!/bin/sh\n[ \"$1\" = exec ] && [ \"$3\" = -- ] || exit 3\npod=$2\nshift 3\nSLURMD_NODENAME=${pod#pod-} exec \"$@\"\n")
        stand_in.chmod(0o755)
        path = dict(self.environment, PATH="%s:%s:%s" % (self.job.folder, pathlib.Path(GPUTOP).parent, self.environment["PATH"]))
        screen = self.screen("--via", "kubectl exec {pod} --", "--on", "pod-n1,pod-n2,pod-n3", environment=path)
        screen.wait(r"(?s)3 ranks on 3 nodes.*holds 2 ranks up", 60)
        screen.end()

    def test_8_nothing_listens(self):
        self.assertEqual(set(), listening())

    def test_9_nothing_is_left(self):
        self.job.end()
        deadline = time.monotonic() + 30
        while processes_of_ours() - self.before and time.monotonic() < deadline:
            time.sleep(0.2)
        self.assertEqual(set(), processes_of_ours() - self.before)


if __name__ == "__main__":
    unittest.main()
