"""python3 bench/portable.py NORMAL PORTABLE [REPEATS]: processor time of both on the same work, interleaved, the least of each compared.

The work is what takes gputop long: a log of a day and a half of eight GPUs, a recording with 40 MB of output, and starting."""
import os
import pathlib
import subprocess
import sys
import tempfile

LIMIT = 1.05
NAMES = "timestamp, index, name, utilization.gpu [%], memory.used [MiB], memory.total [MiB], temperature.gpu, power.draw [W]\n"


def write_log(path, seconds=16_000, gpus=8):
    with open(path, "w", encoding="ascii") as log:
        log.write(NAMES)
        for second in range(seconds):
            day, rest = divmod(second * 8, 86_400)
            moment = f"2026/03/{day + 1:02} {rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}.000"
            for gpu in range(gpus):
                log.write(f"{moment}, {gpu}, NVIDIA A100-SXM4-80GB, {(second * 7 + gpu) % 101} %, {20_000 + second % 977} MiB, 81920 MiB, "
                          f"{40 + second % 30}, {200 + second % 150}.25 W\n")


def processor_seconds(words):
    """User and system time of one call, with all it waited for."""
    with open(os.devnull, "wb") as nothing:
        pid = subprocess.Popen(words, stdout=nothing, stderr=nothing, stdin=subprocess.DEVNULL)
        _, status, usage = os.wait4(pid.pid, 0)
        pid.returncode = os.waitstatus_to_exitcode(status)
    if pid.returncode != 0:
        raise RuntimeError(f"{words}: exit {pid.returncode}")
    return usage.ru_utime + usage.ru_stime


def main():
    normal, portable = (str(pathlib.Path(name).resolve()) for name in sys.argv[1:3])
    repeats = int(sys.argv[3]) if len(sys.argv) > 3 else 7
    missed = False
    with tempfile.TemporaryDirectory() as folder:
        log, recording = f"{folder}/gpus.csv", f"{folder}/run.gputop"
        write_log(log)
        subprocess.run([normal, "--source", "sim", "--headless", "--record", recording, "--", "sh", "-c",
                        "seq -f 'step %.0f/999999 loss 0.5' 1 1500000"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for what, words in (("report of a log", ["report", log]), ("report of a recording", ["report", recording]),
                            ("20 starts", ["--version"])):
            least = {normal: float("inf"), portable: float("inf")}
            for _ in range(repeats):
                for program in least:
                    calls = 20 if what == "20 starts" else 1
                    least[program] = min(least[program], sum(processor_seconds([program, *words]) for _ in range(calls)))
            ratio = least[portable] / least[normal]
            missed = missed or ratio > LIMIT
            print(f"{what:22} normal {least[normal]:.3f} s  portable {least[portable]:.3f} s  ratio {ratio:.3f}")
    return 1 if missed else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main())
