"""A job's stdin, stdout and stderr are as without gputop, whatever they are; and a process that prints continues to print."""
import pathlib
import resource
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import processes
import run_jobs  # noqa: E402
from whole_run import WholeRun  # noqa: E402

NO_LENS = ("--no-lens",)
COUNTS = """import signal, sys, time
def count(*_):
    global caught
    caught += 1
    open(sys.argv[1], "w").write(str(caught))
caught = -1
signal.signal(signal.SIGINT, count)
signal.signal(signal.SIGUSR1, count)
count()
while True: time.sleep(0.01)"""
PRINTS = """import sys, time
for i in range(100000):
    print("y" * 200, flush=True)
    open(sys.argv[1], "w").write(str(i))
    time.sleep(0.01)"""


class Streams(unittest.TestCase):
    def setUp(self):
        self.run_ = WholeRun()
        self.counter = self.run_.dir / "count"

    def tearDown(self):
        self.assertEqual([], self.run_.close() or [])

    def count(self):
        try:
            return int(self.counter.read_text() or -1)
        except OSError:
            return -1

    def wait_count(self, wanted):
        run_jobs.wait_for(lambda: self.run_.pump() or self.count() >= wanted, f"a count of {wanted}")
        self.assertEqual(wanted, self.count())

    def goes_on(self):
        before = self.count()
        run_jobs.wait_for(lambda: self.run_.pump() or self.count() > before + 100, "the job to go on printing")

    def test_a_pipe_is_the_stdin_of_a_job_on_the_screen(self):
        run = self.run_
        job = "import sys; print('a terminal' if sys.stdin.isatty() else 'no terminal', sys.stdin.read(), sys.stdout.isatty())"
        gputop = subprocess.list2cmdline(run.words(sys.executable, "-c", job, options=NO_LENS))
        terminal = run.on_terminal(["sh", "-c", f"echo from the pipe | {gputop}"], until=None)
        self.assertEqual(0, terminal.wait_end(30))
        run.wait_end()
        self.assertEqual(b"no terminal from the pipe\r\n True\r\n", run.output())

    def test_stdout_and_stderr_in_one_file_stay_in_order(self):
        run = self.run_
        log = run.dir / "log"
        with open(log, "wb") as file:
            done = subprocess.run(run.words("sh", "-c", "for i in $(seq 300); do echo o$i; echo e$i >&2; done", options=NO_LENS),
                                  env=run.env, stdin=subprocess.DEVNULL, stdout=file, stderr=file)
        self.assertEqual(0, done.returncode)
        printed = [line for line in log.read_text().splitlines() if line[1:].isdigit()]
        self.assertEqual([f"{stream}{i}" for i in range(1, 301) for stream in "oe"], printed)

    def test_a_file_that_may_not_grow_ends_nothing(self):
        run = self.run_
        job = "import sys, time; sys.stdout.write('x' * 30_000_000); sys.stdout.flush(); print('done', file=sys.stderr)"
        with open(run.dir / "log", "wb") as file:
            done = subprocess.run(run.words(sys.executable, "-c", job, options=NO_LENS), env=run.env, text=True, timeout=60,
                                  stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.PIPE,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_000_000, 20_000_000)))
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn("bytes of its stdout could not be written", done.stderr)
        self.assertEqual(20_000_000, (run.dir / "log").stat().st_size)
        run.wait_end()

    def test_a_daemon_prints_on_after_the_run(self):
        run = self.run_
        terminal = run.open("sh", "-c", f'setsid "$0" -u -c "$1" {self.counter} & sleep 1', sys.executable, PRINTS,
                            options=NO_LENS)
        self.assertEqual(0, terminal.wait_end(30))
        self.goes_on()  # past what a terminal that nobody reads takes
        daemon = next(pid for pid, words in run_jobs.Run.processes(run) if words.startswith(sys.executable))
        processes.send(daemon, signal.SIGKILL)
        run.wait_end()

    def test_every_interrupt_reaches_a_headless_job_once(self):
        run = self.run_
        terminal = run.on_terminal(run.words(sys.executable, "-c", COUNTS, str(self.counter), options=(*NO_LENS, "--headless")),
                                   until=None)
        self.wait_count(0)
        run_jobs.wait_for(run.engines, "the engine")
        terminal.type("\x03")
        self.wait_count(1)
        for wanted in (2, 3):
            time.sleep(0.1)  # later than what belongs to the last one
            processes.send(terminal.pid, signal.SIGINT)
            self.wait_count(wanted)
        processes.send(terminal.pid, signal.SIGTERM)
        self.assertEqual(128 + signal.SIGTERM, terminal.wait_end(30))

    def test_a_signal_to_the_group_leaves_the_engine_alone(self):
        run = self.run_
        gputop = subprocess.Popen(run.words(sys.executable, "-c", COUNTS, str(self.counter), options=NO_LENS), env=run.env,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
        self.wait_count(0)
        engines = run_jobs.wait_for(run.engines, "the engine")
        processes.send_group(gputop.pid, signal.SIGUSR1)
        self.wait_count(1)
        self.assertEqual(engines, run.engines())
        gputop.send_signal(signal.SIGTERM)
        gputop.communicate(timeout=30)

    def test_a_keeper_is_replaced_when_the_shortage_is_over(self):
        run = self.run_
        run.open(sys.executable, "-c", PRINTS, str(self.counter), options=NO_LENS)
        engine = run.engines()[-1]
        run_jobs.wait_for(lambda: run.pump() or run.pid("spare"), "the spare in run.json")
        soft, hard = resource.prlimit(engine, resource.RLIMIT_NOFILE)
        resource.prlimit(engine, resource.RLIMIT_NOFILE, (3, hard))
        record = run.record()
        for who in ("spare", "holder", "keeper"):  # nobody but the engine is left to start one
            processes.send(record[who]["pid"], signal.SIGKILL)
        time.sleep(0.5)
        self.assertEqual([], run.keepers())
        resource.prlimit(engine, resource.RLIMIT_NOFILE, (soft, hard))
        run_jobs.wait_for(lambda: run.pump() or run.keepers(), "another keeper")
        self.goes_on()
        self.assertEqual([engine], run.engines())
        run.gputop("stop")
        run.wait_end()

    def test_an_engine_that_stands_still_is_replaced_though_nothing_is_printed(self):
        run = self.run_
        terminal = run.open("sleep", "300", options=NO_LENS)
        terminal.press("D")
        terminal.wait_end()
        engine = run.engines()[-1]
        processes.send(engine, signal.SIGSTOP)
        run_jobs.wait_for(lambda: run.engines() not in ([], [engine]), "another engine", 30)
        run.attach()
        run.gputop("stop")
        run.wait_end()


if __name__ == "__main__":
    unittest.main()
