"""gputop for notebooks and scripts: what the `gputop` command reads, as plain Python values.

>>> import gputop
>>> gputop.snapshot()["gpus"][0]["memory_used_bytes"]
>>> import pandas; pandas.DataFrame(gputop.read("run.gputop"))

Everything comes from the command that is installed with this module; unknown is None, never 0.
"""
from __future__ import annotations

import csv
import importlib.metadata
import json
import os
import pathlib
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any, Union

__all__ = ["GputopError", "command", "read", "report", "snapshot"]
Path = Union[str, "os.PathLike[str]"]
Value = Union[str, int, float, None]


class GputopError(RuntimeError):
    """The command failed; the message is what it said."""


def command() -> str:
    """The path of the gputop command: the one installed with this module, else the first on PATH."""
    try:
        for file in importlib.metadata.files("gputop") or []:
            found = pathlib.Path(str(file.locate()))
            if file.name == "gputop" and os.access(found, os.X_OK) and found.is_file():
                return str(found.resolve())
    except importlib.metadata.PackageNotFoundError:
        pass
    on_path = shutil.which("gputop")
    if on_path is None:
        raise GputopError("there is no gputop command: neither beside this module nor on PATH")
    return on_path


def _output(*words: str) -> str:
    done = subprocess.run([command(), *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          encoding="utf-8", check=False)
    if not done.stdout and done.returncode != 0:
        raise GputopError(done.stderr.strip() or f"gputop ended with code {done.returncode}")
    return done.stdout


def snapshot(source: str = "auto") -> dict[str, Any]:
    """One reading of this machine's GPUs and host (schema gputop.snapshot/1). Without a GPU, "error" says why."""
    result: dict[str, Any] = json.loads(_output("snapshot", "--json", "--source", source))
    return result


def report(recording: Path) -> dict[str, Any]:
    """What was measured in a recording, what holds it up and what to change: `gputop report --format json`."""
    result: dict[str, Any] = json.loads(_output("report", os.fspath(recording), "--format", "json"))
    return result


def _value(text: str) -> Value:
    if text == "":
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def read(recording: Path) -> Iterator[dict[str, Value]]:
    """Every reading of a recording, or of a log that gputop knows, one dict per GPU and moment. Reads as it goes."""
    with subprocess.Popen([command(), "report", os.fspath(recording), "--format", "csv"], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdout is not None and process.stderr is not None
        try:
            rows = 0
            for row in csv.DictReader(process.stdout):
                rows += 1
                yield {name: _value(text) for name, text in row.items()}
        finally:
            process.stdout.close()
            said = process.stderr.read()
            code = process.wait()
        if code != 0 and rows == 0:
            raise GputopError(said.strip() or f"gputop ended with code {code}")
