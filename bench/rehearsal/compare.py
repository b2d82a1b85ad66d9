"""Rehearsed memory beside the measurements and beside what others said of the same rows: compare.py PROGRAM DATA TRACES. PROGRAM is
bench_rehearsed, DATA the folder with xmem.csv and gpumemnet_timm.csv, TRACES what rehearse.py made of them."""
import csv
import importlib
import os
import statistics
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
BAND = 0.08          # kBand of src/estimator/rehearsed_estimate.cpp
CONTEXT = 1740.0     # MiB: of gpumemnet's A100 with all libraries loaded (PROTOCOL.md: "about 1.7 GiB")


def rehearsed(program, folder):
    lines = subprocess.run([program, folder], capture_output=True, text=True, check=True).stdout.splitlines()
    return {name: float(reserved) for name, _, reserved, _ in (line.split("\t") for line in lines)}


def rows_of(path):
    with open(path) as file:
        return list(csv.DictReader(file))


def show(title, errors):
    """`errors`: name → (estimated − measured) ÷ measured of each row."""
    print(title)
    for name, values in errors.items():
        if not values:
            print("  %-20s no rows" % name)
            continue
        absolute = sorted(abs(value) for value in values)
        above = sum(1 / (1 + value) - 1 > BAND for value in values) / len(values)
        print("  %-20s %4d rows   median %5.1f %%   90th %5.1f %%   measured above it by more than %.0f %%: %4.1f %%" % (
            name, len(values), 100 * statistics.median(absolute), 100 * absolute[int(0.9 * (len(absolute) - 1))], 100 * BAND, 100 * above))


def xmem(program, data, traces):
    found = rehearsed(program, os.path.join(traces, "xmem"))
    key = importlib.import_module("xmem").key
    rivals = {"xMem": "est_xmem_mib", "DNNMem": "est_dnnmem_mib", "SchedTune": "est_schedtune_mib", "LLMem": "est_llmem_mib"}
    errors = {name: [] for name in ("gputop, rehearsed", *rivals)}
    for row in rows_of(os.path.join(data, "xmem.csv")):
        if row["real_oom"] == "1" or row["near_cap"] == "1" or key(row) not in found:
            continue
        truth = float(row["measured_peak_mib"])
        errors["gputop, rehearsed"].append((found[key(row)] - truth) / truth)
        for name, column in rivals.items():
            if row[column]:
                errors[name].append((float(row[column]) - truth) / truth)
    show("xmem.csv: peak without the context; rows that ran out of memory or were cut off by the card's size are left out", errors)


def gpumemnet(program, data, traces):
    folder = os.path.join(traces, "gpumemnet_timm")
    if not os.path.isdir(folder):
        return
    found = rehearsed(program, folder)
    errors = {"gputop, rehearsed": [], "fake tensors alone": []}
    for row in rows_of(os.path.join(data, "gpumemnet_timm.csv")):
        name = "%s-%s" % (row["model"], row["batch"])
        if name not in found or row["near_cap"] == "1":
            continue
        truth = float(row["max_gpu_mib"])
        errors["gputop, rehearsed"].append((found[name] + CONTEXT - truth) / truth)
        if row["est_faketensor_mib"]:
            errors["fake tensors alone"].append((float(row["est_faketensor_mib"]) - truth) / truth)
    show("gpumemnet_timm.csv: device memory, %d MiB of context included" % CONTEXT, errors)


if __name__ == "__main__":
    xmem(*sys.argv[1:4])
    gpumemnet(*sys.argv[1:4])
