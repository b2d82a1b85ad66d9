"""No place for a run's files: a runtime folder that is read-only or another user's, a foreign /tmp/gputop-UID, no home, no /proc. The job
runs with its output and exit code; gputop says what it cannot do, and leaves nothing in the job's folder."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from whole_run import GPUTOP  # noqa: E402

SOMEBODY = 64321  # a user that nobody is
JOB = ("sh", "-c", "echo printed; exit 7")


class Place:
    """A folder that another user can use, with this program in it."""

    def __init__(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="places_test."))
        self.dir.chmod(0o755)
        self.gputop = self.dir / "gputop"
        shutil.copy(GPUTOP, self.gputop)
        self.home = self.folder("home", SOMEBODY)
        self.work = self.folder("work", SOMEBODY)

    def folder(self, name, owner, mode=0o700):
        path = self.dir / name
        path.mkdir()
        os.chown(path, owner, owner)
        path.chmod(mode)
        return path

    def run(self, *, before=(), home=None, job=JOB, **env):
        words = [*before, "setpriv", f"--reuid={SOMEBODY}", f"--regid={SOMEBODY}", "--clear-groups", str(self.gputop), "--source",
                 "sim:idle", "--", *job]
        return subprocess.run(words, env={"PATH": os.environ["PATH"], "HOME": str(home or self.home), **env}, cwd=self.work,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)

    def check(self, what, done, says=""):
        assert (done.stdout, done.returncode) == ("printed\n", 7), (what, done)
        assert says in done.stderr, (what, done.stderr)
        assert not list(self.work.iterdir()), (what, list(self.work.iterdir()))
        print("ok", what, flush=True)


def main():
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        print("skipped: to be another user one must be root")
        return
    place = Place()
    common = pathlib.Path(f"/tmp/gputop-{SOMEBODY}")
    try:
        place.check("no runtime folder", place.run())
        place.check("a foreign runtime folder", place.run(XDG_RUNTIME_DIR=str(place.folder("foreign", 0))))
        place.check("a runtime folder that cannot be written to",
                    place.run(XDG_RUNTIME_DIR=str(place.folder("closed", SOMEBODY, 0o500))))
        if subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode == 0:
            without = ("unshare", "-m", "sh", "-c", 'umount -l /proc && exec "$@"', "sh")
            place.check("no /proc", place.run(before=without))
            place.check("a /proc of another PID namespace", place.run(before=("unshare", "-p", "-f")))
        shutil.rmtree(common, ignore_errors=True)
        common.mkdir()  # root's
        listed = place.run(job=("sh", "-c", f"echo printed; {place.gputop} ls | grep -q running && exit 7"))
        place.check("another's folder in /tmp: the run is listed at home", listed)
        place.check("no place at all", place.run(home="/nonexistent"), "cannot be listed or attached to")
    finally:
        shutil.rmtree(common, ignore_errors=True)
        shutil.rmtree(place.dir, ignore_errors=True)


main()
