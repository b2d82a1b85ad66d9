"""Runs under a real Slurm, from their submission to their end: who ended them and why, what to ask for next, where a rank hangs."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "support"))
from run_jobs import wait_for  # noqa: E402
from slurm import Slurm, why_not  # noqa: E402
from trial import GPUTOP, Job  # noqa: E402

STEPS = "import time\nfor i in range(1000):\n  print(f'step {i}/1000 loss: 0.5', flush=True); time.sleep(0.2)"
SAVES = "import signal, sys, time\nsignal.signal(signal.SIGTERM, lambda *_: sys.exit(0))\n" + STEPS


@unittest.skipIf(why_not(), "SKIPPED: " + why_not())
class Ends(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.slurm = Slurm(2, preemption=True).__enter__()
        cls.addClassCleanup(cls.slurm.__exit__, None, None, None)

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gputop-ends-"))
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.state = {"XDG_STATE_HOME": str(self.folder / "state"), "HOME": str(self.folder), "GPUTOP_RUNTIME_DIR": str(self.folder / "runtime")}

    def start(self, name, *command):
        path = self.folder / (name + ".txt")
        with open(path, "wb") as out:
            process = self.slurm.start(list(command), more=self.state, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        self.addCleanup(self.end, process, name)
        return path, process

    def end(self, process, name):
        self.slurm.run(["scancel", "--name", name])
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def says(self, path, pattern, seconds):
        wait_for(lambda: re.search(pattern, path.read_text(errors="replace")), "%r in\n%s" % (pattern, path.read_text(errors="replace")[-2000:]), seconds)
        return path.read_text(errors="replace")

    def test_scancel(self):
        path, _ = self.start("one", "srun", "-N1", "--job-name=one", GPUTOP, "--", sys.executable, "-c", STEPS)
        self.says(path, r"step 40/", 60)  # long enough for a reading of its CPU time
        self.slurm.run(["scancel", "--name", "one"])
        text = self.says(path, r"gputop: .* was killed by SIGTERM from Slurm: it was canceled after", 60)
        self.assertRegex(text, r"#SBATCH --mem=1G ")
        self.assertRegex(text, r"#SBATCH --cpus-per-task=1 ")
        self.assertRegex(text, r"#SBATCH --time=\d\d:\d\d:00   # it was ended after .*, with .* left")

    def test_preemption_that_is_caught(self):
        """The job saves and leaves with 0 within its grace time."""
        path, _ = self.start("low", "srun", "-N2", "--ntasks-per-node=1", "--overcommit", "--job-name=low", GPUTOP, "--", sys.executable, "-c", SAVES)
        self.says(path, r"step 10/", 60)
        self.start("high", "srun", "-p", "urgent", "-N2", "--job-name=high", "sleep", "1")
        self.says(path, r"finished, asked to end by SIGTERM from Slurm: a job of higher priority takes its place \(preemption\)", 60)

    def test_a_signal_before_the_time_limit(self):
        path, _ = self.start("limit", "srun", "-N1", "--time=1", "--signal=TERM@50", "--job-name=limit", GPUTOP, "--", sys.executable, "-c", STEPS)
        self.says(path, r"was killed by SIGTERM from Slurm: its time limit of 00:01:00 is (near|reached)", 120)

    def test_a_submitted_job_is_followed_to_its_end(self):
        (self.folder / "job.sh").write_text("#!/bin/bash\n#SBATCH -N 2 --ntasks-per-node=1 --overcommit --job-name=batch --output=%s/out.txt\nsrun %s -- "
                                            "%s -c 'import time; time.sleep(12)'\nexit 3\n" % (self.folder, GPUTOP, sys.executable))
        path, process = self.start("batch", GPUTOP, "--", "sbatch", str(self.folder / "job.sh"))
        text = self.says(path, r"has ended: ", 90)
        self.assertRegex(text, r"(?m)^Submitted batch job \d+$")
        self.assertRegex(text, r"job \d+ is running on n\[1-2\]")
        self.assertRegex(text, r"job \d+ has ended: failed with exit code 3")
        self.assertNotIn("left no recording", text)
        self.assertEqual(0, process.wait(30))

    def test_a_submit_for_a_script_returns_at_once(self):
        (self.folder / "job.sh").write_text("#!/bin/bash\n#SBATCH --job-name=quick --output=/dev/null\nsleep 60\n")
        done = self.slurm.run([GPUTOP, "--", "sbatch", "--parsable", str(self.folder / "job.sh")], more=self.state, timeout=30)
        self.slurm.run(["scancel", "--name", "quick"])
        self.assertRegex(done.stdout, r"^\d+\n$")
        self.assertEqual("", done.stderr)

    def test_an_error_of_sbatch_is_its_own(self):
        done = self.slurm.run([GPUTOP, "--", "sbatch", "-p", "nowhere", "--wrap", "true"], more=self.state, timeout=30)
        bare = self.slurm.run(["sbatch", "-p", "nowhere", "--wrap", "true"], timeout=30)
        self.assertEqual((bare.returncode, bare.stdout, bare.stderr), (done.returncode, done.stdout, done.stderr))

    def test_an_allocation_is_a_job(self):
        path, _ = self.start("alloc", GPUTOP, "--headless", "--", "salloc", "-N1", "--job-name=alloc", "sleep", "30")
        number = re.search(r"Granted job allocation (\d+)", self.says(path, r"Granted job allocation \d+\n", 60))[1]
        wait_for(lambda: re.search(r"(?m)^%s +running" % number, self.slurm.run([GPUTOP, "ls"], more=self.state).stdout), "the job in gputop ls", 30)

    def test_where_a_rank_hangs(self):
        job = Job(self.slurm, 300)
        self.addCleanup(job.end)
        job.wait_training()
        (job.folder / "fault").write_text(json.dumps({"rank": 1, "kind": "hang"}))
        self.assertIsNotNone(job.said(r"Rank 1 on n2 has been in its own code \(ddp\.py:\d+ in .*\) for \d+ s, after step \d+; one rank waits for it", 40), job.lines)


if __name__ == "__main__":
    unittest.main()
