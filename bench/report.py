"""Generates recordings of ten days (the hour of bench/record 240 times, each with its own times) and reports on them: one of a machine,
and one of a run whose lens counts twice a second and that prints once.

They are kept in GPUTOP_BENCH_CACHE (default: the temporary folder) for the next time: each takes a minute or two to make.
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


RUN = b"""{"t":1,"run":{"id":"tenday","name":"ten days","argv":["python3","train.py"],"directory":"/tmp","pid":4000,"terminal":false}}
{"lens_hello":{"of":4000,"proto":1,"pid":4000,"ppid":1,"py":"3.11","torch":"2.2","cuda":"12.1","start_method":"fork","rank":null,"local_rank":null,"world":null,"threads":8}}
{"lens_loader":{"of":4000,"id":1,"site":"train.py:80","dataset":"Images","len":1000000,"batches":31250,"batch_size":32,"num_workers":8,"pin_memory":true,"prefetch_factor":2,"persistent":true,"drop_last":true,"sampler":"RandomSampler","mp_context":"fork","iterable":false,"applied":[],"refused":[]}}
"""
TICK = ('{"t":%d,"lens_tick":{"of":4000,"steps":%d,"backwards_per_step":1.0,"lr":[0.05],"loaders":[{"id":1,"batches":%d,"wait":%.4f,"user":%.4f,"pause":0.0,'
        '"longest":0.0043,"first":1,"first_wait":0.1864,"epoch":1,"steps":%d,"batch":32,"shapes":[{"size":[32,3,224,224],"type":"float32"},{"size":[32],"type":"int64"}],'
        '"fetch_cpu":null}],"cuda":[],"dropped":0}}\n')


def with_run(lines, offset, printed):
    """The frame of a run: two ticks and a printed line behind every reading of the GPUs, 8 steps a second."""
    spoken = []
    for line in lines:
        spoken.append(line)
        found = re.match(rb'\{"t":(\d+),"gpus"', line)
        if not found:
            continue
        at = int(found[1])
        steps = (at + offset) // 125
        for later in (1, 500):
            done = steps + later // 125
            spoken.append((TICK % (at + later, done, done, done * 0.02, done * 0.1, done)).encode())
        text = "Epoch 1/5: %d/9999999 [8.00it/s, loss=0.0160]" % steps
        spoken.append(('{"t":%d,"output":{"stream":0,"offset":%d,"text":"%s\\n"}}\n' % (at + 501, printed, text)).encode())
        printed += len(text) + 1
    return spoken, printed


def generate(path, run=False):
    hour = path.with_name("gputop-bench-hour.gputop")
    hour.unlink(missing_ok=True)
    subprocess.run([BENCH_RECORD, "--write", hour], check=True)
    frames = frames_of(hour)
    for frame in frames:  # the stream goes on after each hour
        frame[:] = [line for line in frame if b'"ended"' not in line[:40]]
    number = printed = 0
    with open(path.with_suffix(".part"), "wb") as file:
        for hour_number in range(HOURS):
            for lines in frames:
                if run:
                    lines, printed = with_run(lines, hour_number * HOUR_MS, printed)
                    if number == 0:
                        lines[2:2] = RUN.splitlines(keepends=True)
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


def exported(path):
    """Every reading as CSV: how long, how much memory, how many lines."""
    begin = time.monotonic()
    with subprocess.Popen(["wc", "-l"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as counter:
        process = subprocess.Popen([GPUTOP, "report", path, "--format", "csv"], stdout=counter.stdin)
        counter.stdin.close()
        _, status, usage = os.wait4(process.pid, 0)
        lines = int(counter.stdout.read())
    if status != 0:
        sys.exit(f"gputop report {path} --format csv ended with {status}")
    return time.monotonic() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, lines


def main():
    folder = pathlib.Path(os.environ.get("GPUTOP_BENCH_CACHE", tempfile.gettempdir()))
    kept = True
    for name, run in (("ten-days", False), ("ten-days-run", True)):
        path = folder / f"gputop-bench-{name}.gputop"
        if not path.exists():
            generate(path, run)
        print(f"ten days of 8 GPUs, 64 cores and 16 processes at 1 Hz{', and a run' if run else ''}: {path.stat().st_size / 1e6:.0f} MB")
        for words in (["report", path], ["report", path, "--format", "html"], ["report", path, "--format", "json"]):
            wall, processor, megabytes = measured(*words)
            good = wall <= LIMIT_SECONDS and megabytes <= LIMIT_MEGABYTES
            kept = kept and good
            print(f"  {words[-1] if len(words) > 2 else 'md':5} {wall:6.2f} s ({processor:.2f} s of CPU), limit {LIMIT_SECONDS} s"
                  f"   {megabytes:6.1f} MB, limit {LIMIT_MEGABYTES} MB   {'ok' if good else 'MISSED'}")
        wall, processor, megabytes, lines = exported(path)
        good = lines == 1 + HOURS * 3600 * 8 and megabytes <= LIMIT_MEGABYTES
        kept = kept and good
        print(f"  csv   {wall:6.2f} s ({processor:.2f} s of CPU), {lines / wall / 1e6:.2f} million lines a second"
              f"   {megabytes:6.1f} MB, limit {LIMIT_MEGABYTES} MB   {'ok' if good else 'MISSED'}")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
