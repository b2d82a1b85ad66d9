"""Runs on an old kernel: each newer system call returns ENOSYS in every process of gputop, one by one and all
together (RHEL 7's 3.10, RHEL 8's 4.18), prctl's subreaper EINVAL (qemu's user mode). The job's output, its exit code, the signals to it and leaving it stay the same."""
import errno
import os
import pathlib
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import processes  # noqa: E402
from run_jobs import wait_for  # noqa: E402
from whole_run import WholeRun  # noqa: E402

FAULTS = os.environ["GPUTOP_FAULTS"]
CALLS = ("close_range", "memfd_create", "getrandom", "pidfd_open", "pidfd_send_signal", "renameat2", "subreaper")
ALL = ",".join(CALLS)


class OldKernel(unittest.TestCase):
    def begin(self, lacks):
        run = WholeRun()
        self.addCleanup(run.close)
        run.env |= {"LD_PRELOAD": FAULTS, "LACKS": lacks}
        return run

    def headless(self, lacks):
        run = self.begin(lacks)
        done = subprocess.run(run.words("sh", "-c", "echo printed; echo wrong >&2; exit 7", options=["--headless"]), env=run.env,
                              capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
        self.assertEqual((7, "printed\n"), (done.returncode, done.stdout), done.stderr)
        self.assertTrue(done.stderr.startswith("wrong\n"), done.stderr)
        self.assertNotIn("the command runs without gputop", done.stderr)
        run.wait_end()
        self.assertEqual(b"printed\n", run.output())

    def test_a_headless_run_without_each_of_them(self):
        for call in CALLS:
            with self.subTest(call):
                self.headless(call)

    def test_a_headless_run_without_any_of_them(self):
        self.headless(ALL)

    def test_the_job_gets_no_descriptor_of_ours(self):
        run = self.begin(ALL)
        done = subprocess.run(run.words("sh", "-c", "ls /proc/self/fd", options=["--headless"]), env=run.env, capture_output=True,
                              text=True, timeout=60, stdin=subprocess.DEVNULL)
        self.assertEqual(["0", "1", "2", "3"], done.stdout.split(), done.stderr)  # the last is ls' own
        run.wait_end()

    def test_on_a_terminal_it_is_left_attached_to_and_stopped(self):
        run = self.begin(ALL)
        first = run.open("sh", "-c", "echo printed; exec sleep 100")
        first.wait("printed")
        first.press("D")
        first.wait_end(20)
        second = run.attach()
        second.wait("printed")
        stopped = run.gputop("stop")
        self.assertEqual(0, stopped.returncode, stopped.stderr)
        second.wait_end(20)
        run.wait_end()

    def test_keeper_holder_and_engine_are_replaced(self):
        for victim in ("keeper", "holder", "engine"):
            with self.subTest(victim):
                run = self.begin(ALL)
                run.open("sh", "-c", "while [ ! -e {dir}/enough ]; do sleep 0.1; done; exit 5", options=["--name", "long"])
                old = wait_for(lambda: run.pump() or run.pid(victim), f"the {victim}")
                processes.kill(old)
                wait_for(lambda: run.pump() or run.pid(victim) not in (0, old) and processes.alive(run.pid(victim)), f"another {victim}", 30)
                (run.dir / "enough").touch()
                wait_for(lambda: run.pump() or not processes.alive(run.pid("job")), "the job's end", 30)
                run.close()


class TheFaultLibrary(unittest.TestCase):
    """Guards the tests above against a library that takes nothing away."""

    def test_takes_the_call_away(self):
        trace = "import ctypes, sys; sys.exit(ctypes.CDLL(None, use_errno=True).syscall(436, 1000, 999, 0) and ctypes.get_errno())"
        env = {**os.environ, "LD_PRELOAD": FAULTS, "LACKS": ALL}
        plain = subprocess.run(["gputop", "-c", trace], executable=sys.executable, env=env).returncode
        self.assertEqual(errno.ENOSYS, plain)


if __name__ == "__main__":
    unittest.main()
