"""A job inherits nothing from gputop but its terminal or its pipes, can be found from its first instruction on, and can harm nobody with what
it finds, whether it dropped its privileges or not."""
import json
import pathlib
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import processes
import run_jobs  # noqa: E402
from whole_run import WholeRun  # noqa: E402

# What is open in it, what is mapped, and run.json, before anything else.
LOOK = """
import json, os, sys
open_ = {fd: os.readlink("/proc/self/fd/" + fd) for fd in os.listdir("/proc/self/fd") if os.path.exists("/proc/self/fd/" + fd)}
runs = [json.load(open(os.path.join(folder, name))) for folder, _, names in os.walk(sys.argv[2]) for name in names if name == "run.json"]
shared = [line for line in open("/proc/self/maps") if "memfd" in line]
json.dump(dict(open=open_, runs=runs, shared=shared, pid=os.getpid()), open(sys.argv[1], "w"))
"""


def look(run, screen):
    seen = run.dir / "seen"
    words = run.words(sys.executable, "-c", LOOK, str(seen), str(run.root), options=("--no-lens",))
    if screen:
        run.on_terminal(words, until=None).wait_end(30)
    else:
        subprocess.run(words, env=run.env, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, close_fds=True)
    return json.loads(run_jobs.wait_for(lambda: seen.exists() and seen.read_text(), "what the job saw"))


def nothing_but_its_terminal():
    for screen in (True, False):
        run = WholeRun()
        seen = look(run, screen)
        extra = {fd: what for fd, what in seen["open"].items() if int(fd) > 2 and not what.startswith("/proc/")}
        assert not extra, f"the job got {extra}"
        assert not seen["shared"], seen["shared"]
        assert [run_["job"]["pid"] for run_ in seen["runs"]] == [seen["pid"]], "run.json is not there at its first instruction"
        run.wait_end()
        left = run.close()
        assert not left, left


def killed_at_once():
    """Kills all that `pkill -9 gputop` finds, as soon as the job runs: the run is not lost."""
    for _ in range(10):
        run = WholeRun()
        began = run.dir / "began"
        gputop = subprocess.Popen(run.words("sh", "-c", 'touch "$0"; sleep 1; echo printed; exit 7', str(began), options=("--no-lens",)),
                                  env=run.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        while not began.exists():
            pass
        for pid, _ in run_jobs.Run.processes(run):
            try:
                if "gputop" in pathlib.Path(f"/proc/{pid}/comm").read_text():
                    processes.send(pid, signal.SIGKILL)
            except OSError:
                continue
        assert gputop.communicate(timeout=60)[0] == b"printed\n" and gputop.returncode == 7, gputop.returncode
        run.wait_end()
        left = run.close()
        assert not left, left


for test in (nothing_but_its_terminal, killed_at_once):
    test()
    print("ok", test.__name__, flush=True)
