"""Rehearses published runs, many in one process: rehearse.py FAMILY DATA.csv FOLDER [PART/PARTS]. Writes one trace per run to FOLDER
and skips those that are there. bench_estimator reads the folder."""
import csv
import gc
import importlib
import json
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "src", "lens")]
os.environ.setdefault("GPUTOP_REHEARSAL", json.dumps({"steps": 1 << 30, "timeout": 1e9, "memory": 80 << 30}))
import torch  # noqa: E402
import torchvision  # noqa: E402,F401
import _gputop_lens.rehearsal as rehearsal  # noqa: E402


def main(family, data, folder, part="0/1"):
    part, parts = (int(n) for n in part.split("/"))
    rehearsal.begin(torch)
    from _gputop_lens.rehearsal.ledger import Ledger
    from _gputop_lens.rehearsal.stage import stage
    module = importlib.import_module(family)
    with open(data) as file:
        rows = list(csv.DictReader(file))
    rows = module.choose(rows) if hasattr(module, "choose") else rows
    os.makedirs(folder, exist_ok=True)
    for number, row in enumerate(rows):
        path = os.path.join(folder, module.key(row) + ".trace")
        if number % parts != part or os.path.exists(path):
            continue
        begin = time.time()
        stage.ledger = Ledger(path + ".part", os.path.dirname(os.path.abspath(torch.__file__)))
        stage.assumed.clear()
        stage.ledger.enter("model")
        stage.ledger.say(torch=torch.__version__)
        try:
            module.play(row, stage)
            stage.ledger.end()
            stage.ledger.assumed(stage.assumed)
            stage.ledger.say(end="complete")
            stage.ledger.flush()
            stage.ledger.file.close()
            os.rename(path + ".part", path)
            print("%6.1f s  %8.0f MiB  %s" % (time.time() - begin, stage.ledger.peak / 2 ** 20, module.key(row)), flush=True)
        except Exception as error:
            print("FAILED %s: %s" % (module.key(row), repr(error)[:300]), flush=True)
        gc.collect()


main(*sys.argv[1:])
