"""What gputop stop, attach and a relaunch report is true: the end of a run, its command line, its name."""
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import processes
import run_jobs  # noqa: E402
from whole_run import GPUTOP, WholeRun  # noqa: E402

# Its answer to SIGINT is not part of its command line, which the question shows.
STUBBORN = ("sh", "-c", "trap 'echo n\"\"o, thanks' INT; echo started >> {dir}/starts; while :; do sleep 0.05; done")
SLEEPS = ("sh", "-c", "echo ready; exec sleep 60")


def ask_to_relaunch(terminal):
    terminal.press("r")
    terminal.wait("estart the run")
    terminal.press("y")


def a_relaunch_that_waits_is_not_made_after_stop_kill():
    run = WholeRun()
    terminal = run.open(*STUBBORN, options=("--no-lens",))
    run_jobs.wait_for((run.dir / "starts").exists, "the job")
    ask_to_relaunch(terminal)
    terminal.wait("no, thanks")
    done = run.gputop("stop", "--kill")
    assert done.returncode == 0 and "was stopped" in done.stdout, done
    ended_once(run)
    return run


def ended_once(run):
    run.wait_end(unless=lambda: (run.dir / "starts").read_text() != "started\n")
    assert (run.dir / "starts").read_text() == "started\n", "it was started again"
    run.wait_end()


def a_stop_that_overtakes_the_answer_counts():
    """The engine reads both at once: first the stop, then the yes to the question whether to restart the run."""
    run = WholeRun()
    terminal = run.open(*STUBBORN, options=("--no-lens",))
    run_jobs.wait_for((run.dir / "starts").exists, "the job")
    terminal.press("r")
    terminal.wait("estart the run")
    stop = socket.socket(socket.AF_UNIX)
    stop.connect(str(run.root / run.record()["id"] / "socket"))
    engine, frames = run.engines()[-1], len(terminal.received)
    run_jobs.wait_for(lambda: run.pump() or len(terminal.received) > frames, "its next frame: it has accepted the connection")
    processes.send(engine, signal.SIGSTOP)
    stop.sendall(b"\x05\x01\0\0\0\x09")  # what gputop stop --kill says
    terminal.press("y")
    time.sleep(0.3)  # for the viewer to pass it on; if that takes longer, the stop comes first all the more
    processes.send(engine, signal.SIGCONT)
    ended_once(run)
    stop.close()
    return run


def a_stop_without_an_engine_ends_a_relaunch_too():
    run = WholeRun()
    terminal = run.open(*STUBBORN, options=("--no-lens",))
    run_jobs.wait_for((run.dir / "starts").exists, "the job")
    ask_to_relaunch(terminal)
    terminal.wait("no, thanks")
    stop = subprocess.Popen([GPUTOP, "stop", "--kill"], env=run.env, stdout=subprocess.PIPE, text=True)
    while stop.poll() is None:  # nobody answers it
        for engine in run.engines():
            processes.send(engine, signal.SIGKILL)
        run.pump()
    assert stop.returncode == 0 and "was stopped" in stop.communicate()[0]
    ended_once(run)
    return run


def a_resumed_relaunch_is_no_later_wish():
    """A relaunch was asked for, then somebody ended the job through the holder; an engine that takes over resumes the relaunch."""
    run = WholeRun()
    job = ("sh", "-c", "trap 'echo n\"\"o, thanks' INT; trap 'echo saving' TERM; echo started >> {dir}/starts; while [ ! -e {dir}/go ]; do sleep 0.05; done")
    terminal = run.open(*job, options=("--no-lens",))
    run_jobs.wait_for((run.dir / "starts").exists, "the job")
    ask_to_relaunch(terminal)
    terminal.wait("no, thanks")
    engine = run.engines()[-1]
    processes.send(run.pid("holder"), signal.SIGTERM)
    terminal.wait("saving")
    processes.send(engine, signal.SIGKILL)
    run_jobs.wait_for(lambda: run.pump() or [pid for pid in run.engines() if pid != engine], "another engine")

    def resumed():
        terminal.press("r")
        terminal.pump(0.1)
        return "about to restart" in terminal.text()
    run_jobs.wait_for(resumed, "the engine to resume the relaunch")
    (run.dir / "go").touch()
    ended_once(run)
    return run


def out_of_memory(answer=True):
    """A run that was held: somebody is asked whether to restart it with another batch. Without an answer it waits for its input before it ends."""
    run = WholeRun()
    script = run.dir / "train.py"
    script.write_text("import sys\nprint('torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a "
                      "total capacity of 24.00 GiB of which 1.00 GiB is free.')\nsys.stdin.readline()\nsys.exit(1)\n")
    terminal = run.open(sys.executable, "-u", str(script), "--batch-size", "32", options=("--no-lens",))
    terminal.wait("OutOfMemoryError")
    if not answer:
        return run, terminal
    terminal.press("i")
    terminal.type("\r")
    terminal.wait("restart with batch_size")
    return run, terminal


def a_held_run_is_asked_about_again_after_its_engine_was_killed():
    run, terminal = out_of_memory()
    for _ in range(2):
        engine = run.engines()[-1]
        processes.send(engine, signal.SIGKILL)
        run_jobs.wait_for(lambda: run.pump() or [pid for pid in run.engines() if pid != engine], "another engine")
    offers = lambda: sum(event["stage"] == "offered" for event in run.events("change"))  # noqa: E731
    run_jobs.wait_for(lambda: run.pump() or offers() >= 2, "the question, once more")
    # A key that met no engine is lost: the second one may have asked before it was killed.
    terminal.press_until("n", lambda: terminal.poll() is not None, "the end of the run that nobody restarts")
    assert terminal.wait_end() == 1
    run.wait_end()
    return run


def a_held_run_is_decided_by_another_keeper():
    run, terminal = out_of_memory()
    keeper = run.keepers()[-1]
    processes.send(keeper, signal.SIGKILL)
    run_jobs.wait_for(lambda: run.pump() or [pid for pid in run.keepers() if pid != keeper], "another keeper")
    terminal.quiet(0.5)
    assert run.processes_of_run(), "it did not wait for the answer"
    terminal.press("n")
    assert terminal.wait_end() == 1
    run.wait_end()
    return run


def the_job_ends_while_its_keeper_cannot_see_it(run, end, *also):
    """The job's parent notes how it ended; then the stopped keeper is killed, and with it these."""
    job, keeper = run.pid("job"), run.keepers()[-1]
    processes.send(keeper, signal.SIGSTOP)
    end()
    processes.wait_until_gone([job])
    for pid in (keeper, *(run.pid(who) for who in also)):
        processes.send(pid, signal.SIGKILL)


def a_relaunch_outlives_those_who_were_to_make_it():
    """Only the engine is left when the job has made way."""
    run = WholeRun()
    job = ("sh", "-c", "trap 'echo ma\"\"king way; while [ ! -e {dir}/go ]; do sleep 0.01; done; exit 0' INT; echo started >> {dir}/starts; touch {dir}/ready; "
           "while :; do sleep 0.05; done")
    terminal = run.open(*job, options=("--no-lens",))
    run_jobs.wait_for((run.dir / "ready").exists, "the job")
    ask_to_relaunch(terminal)
    terminal.wait("making way")
    the_job_ends_while_its_keeper_cannot_see_it(run, (run.dir / "go").touch, "holder", "spare")
    run_jobs.wait_for(lambda: run.pump() or (run.dir / "starts").read_text() == "started\n" * 2, "the second start")
    assert run.gputop("stop").returncode == 0
    run.wait_end()
    assert (run.dir / "starts").read_text() == "started\n" * 2
    return run


def a_run_is_held_although_its_keeper_died_with_the_job():
    run, terminal = out_of_memory(answer=False)
    the_job_ends_while_its_keeper_cannot_see_it(run, lambda: (terminal.press("i"), terminal.type("\r")))
    terminal.wait("restart with batch_size")
    terminal.press("n")
    assert terminal.wait_end() == 1
    run.wait_end()
    return run


def a_run_that_is_held_for_an_answer_is_ended_by_stop():
    """Out of memory, and nobody is left to say whether to restart with another batch."""
    run, terminal = out_of_memory()
    terminal.kill(signal.SIGKILL)
    terminal.wait_end()
    assert "ending" in run.gputop("ls").stdout
    done = run.gputop("stop")
    assert done.returncode == 0 and "train.py has ended" in done.stdout, done
    assert not run.processes_of_run(), run.processes_of_run()
    assert run.gputop("ls").stdout == "no runs (--all also lists finished ones)\n"
    return run


def a_name_is_text_on_the_terminal():
    run = WholeRun()
    terminal = run.open(*SLEEPS, options=("--no-lens", "--name", "a\x1b[31mred\x1b]0;title\x07b"))
    terminal.wait("ready")
    terminal.press("D")
    assert terminal.wait_end() == 0
    after = bytes(terminal.received).rpartition(b"1049l")[2]
    assert b"detached" in after and b"[31m" in after and b"\x1b[31m" not in after and b"\x1b]0;" not in after, after
    done = run.gputop("stop")
    assert done.returncode == 0 and "red" in done.stdout and "\x1b" not in done.stdout + done.stderr, done
    run.wait_end()
    return run


def attach_waits_for_one_that_took_the_run_over():
    """run.json is a moment behind: it still names those that were killed."""
    run = WholeRun()
    terminal = run.open(*SLEEPS, options=("--no-lens",))
    terminal.wait("ready")
    path = run.root / run.record()["id"] / "run.json"
    before = path.read_text()
    keeper, engine = run.pid("keeper"), run.engines()[-1]
    for pid in (keeper, engine, terminal.pid):
        processes.send(pid, signal.SIGKILL)
    terminal.wait_end()
    run_jobs.wait_for(lambda: run.pid("keeper") != keeper, "the new keeper in run.json")
    path.write_text(before)
    second = run.attach()
    second.press("D")
    assert second.wait_end() == 0
    path.unlink()  # it comes back with the pids of now
    run_jobs.wait_for(lambda: run.pump() or path.exists() and run.pid("keeper") != keeper, "run.json")
    assert run.gputop("stop").returncode == 0
    run.wait_end()
    return run


# Says how many words it got, and the last of them, byte for byte.
WORDS = ("import os, sys, time\nopen(os.environ['OUT'], 'ab').write(b'%d %r\\n' % (len(sys.argv), os.fsencode(sys.argv[-1])))\n"
         "print('ready')\ntime.sleep(60)\n")


def started_with(run, *words):
    script = run.dir / "words.py"
    script.write_text(WORDS)
    command = [os.fsencode(word) for word in run.words(sys.executable, "-u", str(script), options=("--no-lens",))]
    terminal = run.on_terminal([*command, *words], OUT=str(run.dir / "words"))
    terminal.wait("ready")
    return terminal, run.dir / "words"


def a_relaunch_has_the_same_words():
    """Although run.json, which is JSON, cannot hold them."""
    run = WholeRun()
    terminal, seen = started_with(run, b"--data", b"/data/caf\xe9")
    ask_to_relaunch(terminal)
    run_jobs.wait_for(lambda: run.pump() or seen.read_bytes().count(b"\n") == 2, "the second start")
    first, second = seen.read_bytes().splitlines()
    assert first == second == b"3 b'/data/caf\\xe9'", (first, second)
    run_jobs.wait_for(lambda: run.pump() or run_jobs.alive(run.pid("job")), "the second job in run.json")
    assert run.gputop("stop").returncode == 0
    run.wait_end()
    return run


def words_that_do_not_fit_are_no_relaunch():
    run = WholeRun()
    terminal, seen = started_with(run, *(b"shard-%08d-of-the-data-set.tfrecord" % i for i in range(2500)))
    job = run.pid("job")
    terminal.press("r")
    terminal.wait("too long")
    assert run_jobs.alive(job)
    assert run.gputop("stop").returncode == 0
    run.wait_end()
    assert seen.read_bytes().count(b"\n") == 1, seen.read_bytes()
    return run


def a_long_name_is_cut():
    run = WholeRun()
    terminal = run.open(*SLEEPS, options=("--no-lens", "--name", "né" * 30000))
    terminal.wait("ready")
    listed = json.loads(run.gputop("ls", "--json").stdout)["runs"][0]
    assert listed["id"] and len(listed["name"]) > 60 and set(listed["name"]) == {"n", "é"}, listed
    assert run.gputop("stop", listed["id"]).returncode == 0
    run.wait_end()
    return run


def a_signal_that_was_not_to_end_it_is_not_blamed():
    run = WholeRun()
    job = "trap 'echo a stack trace' USR1; echo ready; read go < {dir}/go; exit 3"
    os.mkfifo(run.dir / "go")
    process = subprocess.Popen(run.words("bash", "-c", job, options=("--no-lens",)), env=run.env, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    assert process.stdout.readline() == "ready\n"
    with open(run.dir / "go", "w") as go:
        process.send_signal(signal.SIGUSR1)
        assert process.stdout.readline() == "a stack trace\n"
        go.write("on\n")
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 3 and "exited with code 3" in errors and "asked to end" not in errors, (process.returncode, errors)
    run.wait_end()
    return run


TESTS = [a_relaunch_that_waits_is_not_made_after_stop_kill, a_stop_that_overtakes_the_answer_counts,
         a_stop_without_an_engine_ends_a_relaunch_too, a_resumed_relaunch_is_no_later_wish,
         a_held_run_is_asked_about_again_after_its_engine_was_killed, a_held_run_is_decided_by_another_keeper,
         a_relaunch_outlives_those_who_were_to_make_it, a_run_is_held_although_its_keeper_died_with_the_job,
         a_run_that_is_held_for_an_answer_is_ended_by_stop,
         a_name_is_text_on_the_terminal, attach_waits_for_one_that_took_the_run_over, a_relaunch_has_the_same_words,
         words_that_do_not_fit_are_no_relaunch, a_long_name_is_cut, a_signal_that_was_not_to_end_it_is_not_blamed]
for test in TESTS:
    run = test()
    left = run.close()
    assert not left, f"{test.__name__}: left behind: {left}"
    print("ok", test.__name__, flush=True)
