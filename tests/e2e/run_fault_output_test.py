"""The whole program under absurd output: it stays small, sane and exact."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from sanitized import check_memory  # noqa: E402
from whole_run import WholeRun  # noqa: E402

MB = 1 << 20
# Titles, clipboard, queries, bidi overrides, endless strings and sequences, all at once.
HOSTILE = (b"\x1b]0;owned\x07\x1b]52;c;aGk=\x07\x1b[6n\x1b[c\x1bP$qm\x1b\\\x1b_apc\x1b\\\xe2\x80\xae\xe2\x80\x8b"
           b"\x1b[999999999C\x1b[1;1H\x1b[?1000h\x1b[2J\x1b[31mred\x1b[0m\r\n")

CASES = {
    "100 MB without a newline": ("import os\nblock = b'abcdefghij' * 6554\n"
                                 "for _ in range(1600): os.write(1, block[:65536])\n", 100 * MB),
    "NULs": ("import os\nfor _ in range(160): os.write(1, b'\\0' * 65536)\n", 10 * MB),
    "invalid UTF-8": ("import os, random\nrandom.seed(1)\nblock = bytes(random.randrange(128, 256) for _ in range(65536))\n"
                      "for _ in range(160): os.write(1, block)\n", 10 * MB),
    "hostile escapes": (f"import os\nblock = {HOSTILE!r} * 400\nfor _ in range(100): os.write(1, block)\n", 1 * MB),
}


def nasty(what, script, least):
    run = WholeRun()
    terminal = run.open(sys.executable, "-c", "import tty\ntry: tty.setraw(1)\nexcept Exception: pass\n" + script +
                        "\nos.write(1, b'\\x1b[0m\\r\\nall is well\\r\\n')\n"
                        "import time\nwhile not os.path.exists('{dir}/enough'): time.sleep(0.05)")
    peak = 0
    engine = run.engines()[-1]
    def seen():
        nonlocal peak
        peak = max(peak, run.rss(engine), run.rss(run.pid("keeper")))
        return "all is well" in terminal.text()
    terminal.wait(seen, "the job's last line", 90)
    title = terminal.screen.title
    assert "owned" not in title and b"52;c;" not in bytes(terminal.received), "the job reached the user's terminal"
    for query in (b"\x1b[6n", b"\x1b[c", b"\x1bP", b"\x1b[?1000h"):
        assert query not in bytes(terminal.received), query
    assert "BUSY" in terminal.text()
    assert run.engines() == [engine], "the engine was replaced"
    (run.dir / "enough").touch()
    assert terminal.wait_end(60) == 0
    assert terminal.restored(), terminal.complaints()
    run.wait_end()
    recorded = run.output()
    print(f"{what}: {len(recorded) / MB:.0f} MB recorded, at most {peak / MB:.0f} MB of memory", flush=True)
    assert len(recorded) >= least and recorded.endswith(b"all is well\r\n")
    check_memory("keeper or engine", peak, 64 * MB)
    return run


for name, (script, least) in CASES.items():
    run = nasty(name, script, least)
    left = run.close()
    assert not left, f"{name}: left behind: {left}"
