"""Generates a recording of ten days (the hour of bench/record 240 times, each with its own times) and reports on it.

The recording is kept in GPUTOP_BENCH_CACHE (default: the temporary folder) for the next time: it takes a minute to make.
"""
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import time
import zlib

ROOT = pathlib.Path(__file__).parents[1]
GPUTOP = ROOT / "build/release/gputop"
BENCH_RECORD = ROOT / "build/release/bench/bench_record"
HOURS = 240
HOUR_MS = 3_600_000
LIMIT_SECONDS = 5
LIMIT_MEGABYTES = 200
TIME = re.compile(rb'("t":)(\d+)')


def frames_of(path):
    """The text of each frame of a recording, without its markers."""
    text = subprocess.run(["zstd", "-dcq", str(path)], stdout=subprocess.PIPE, check=True).stdout
    frames = re.split(rb'(?=^\{"schema")', text, flags=re.M)
    return [[line for line in frame.splitlines(keepends=True)] for frame in frames if frame]


def shifted(line, offset, frame):
    line = TIME.sub(lambda found: found[1] + str(int(found[2]) + offset).encode(), line, count=1)
    return re.sub(rb'"frame":\d+', b'"frame":%d' % frame, line, count=1) if line.startswith(b'{"schema"') else line


def packed(lines, frame, offset):
    """A marker and a frame, its checks computed anew."""
    begin = int(TIME.search(lines[0])[2]) + offset
    out, crc = [], 0
    for line in lines:
        if line.startswith(b'{"check"'):
            line = b'{"check":%d}\n' % crc
            out.append(line)
            crc = 0
            continue
        line = shifted(line, offset, frame) if b'"t":' in line[:60] else line
        crc = zlib.crc32(line, crc)
        out.append(line)
    marker = struct.pack("<II8sIq", 0x184D2A57, 24, b"gputoprc", frame, begin)
    marker += struct.pack("<I", zlib.crc32(marker))
    body = subprocess.run(["zstd", "-3", "-cq", "--zstd=wlog=19", "--check"], input=b"".join(out), stdout=subprocess.PIPE, check=True).stdout
    return marker + body


def generate(path):
    hour = path.with_name("gputop-bench-hour.gputop")
    hour.unlink(missing_ok=True)
    subprocess.run([BENCH_RECORD, "--write", hour], check=True)
    frames = frames_of(hour)
    for frame in frames:  # the stream goes on after each hour
        frame[:] = [line for line in frame if b'"ended"' not in line[:40]]
    number = 0
    with open(path.with_suffix(".part"), "wb") as file:
        for hour_number in range(HOURS):
            for lines in frames:
                file.write(packed(lines, number, hour_number * HOUR_MS))
                number += 1
    path.with_suffix(".part").rename(path)


def measured(*words):
    begin = time.monotonic()
    process = subprocess.Popen([GPUTOP, *words], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"gputop {' '.join(map(str, words))} ended with {status}")
    return time.monotonic() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    folder = pathlib.Path(os.environ.get("GPUTOP_BENCH_CACHE", tempfile.gettempdir()))
    path = folder / "gputop-bench-ten-days.gputop"
    if not path.exists():
        generate(path)
    print(f"ten days of 8 GPUs, 64 cores and 16 processes at 1 Hz: {path.stat().st_size / 1e6:.0f} MB")
    kept = True
    for words in (["report", path], ["report", path, "--format", "html"], ["report", path, "--format", "json"]):
        wall, processor, megabytes = measured(*words)
        good = processor <= LIMIT_SECONDS and megabytes <= LIMIT_MEGABYTES
        kept = kept and good
        print(f"  {words[-1] if len(words) > 2 else 'md':5} {processor:6.2f} s of CPU ({wall:.2f} s), limit {LIMIT_SECONDS} s"
              f"   {megabytes:6.1f} MB, limit {LIMIT_MEGABYTES} MB   {'ok' if good else 'MISSED'}")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
