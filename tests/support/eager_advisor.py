"""An advisor that speaks soon, for tests that wait for it: written into the private home of a ProgramTest."""
THRESHOLDS = "thresholds:\n  warm_up: 8\n  hold: 2\n  release: 4\n  cpu_full: 100\n  disk_busy: 100\n"


def write(home):
    folder = home / ".config" / "gputop"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "advisor.yaml").write_text(THRESHOLDS)
