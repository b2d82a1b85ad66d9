"""Makes configs/counted.csv: one training step of every named image model, rehearsed without a GPU (no weights, no data). scripts/count-models
runs it: count.py RAW [PART/PARTS] [NAME…]. RAW keeps what was counted, one file per model, and what is there is not counted again; the table
is made of all of it."""
import gc
import glob
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HERE, "..", "..", "configs", "counted.csv")
sys.path[:0] = [os.path.join(HERE, "..", "..", "src", "lens")]
os.environ.setdefault("GPUTOP_REHEARSAL", json.dumps({"steps": 1 << 30, "timeout": 1e9, "memory": 80 << 30}))
BATCH = 8
HEAD = """# One training step of each model, counted by scripts/count-models (a rehearsal without a GPU): forward and backward pass in 16-bit autocast,
# batch %d, cross entropy over the model's own classes; %s. Per sample: bytes saved for the backward pass in 16 bits, in
# fp32, and with attention that stores its scores (0: no attention); operations of dense products and of grouped convolutions; bytes
# read and written, and those of depthwise convolutions; per step: kernels.
# model,pixels of a side,parameters,saved_half kB,saved_single kB,saved_eager kB,dense Mflop,grouped Mflop,bytes kB,scattered kB,kernels
"""


def row(name, size, raw):
    """A line of the table."""
    def saved(step, copies):
        return max(0, (step["forward"] - step["base"] - copies * raw["params"]) / BATCH / 1e3)
    dense = grouped = moved = scattered = kernels = 0
    for _, operation, kind, _, flops, size_of, shape, count in raw["amp8"]["ops"]:
        flops, size_of = flops * count / BATCH / 1e6, size_of * count / BATCH / 1e3
        kernels += count
        groups = int(shape.split()[0][1:]) if "convolution" in operation and shape.startswith("g") else 1
        if groups > 1 and shape.endswith(" i1"):
            scattered += size_of
            continue
        moved += size_of
        if groups > 1:
            grouped += flops
        else:
            dense += flops
    eager = saved(raw["amp_eager8"], 2) if "amp_eager8" in raw else 0
    numbers = (raw["params"], saved(raw["amp8"], 2), saved(raw["fp328"], 0), eager, dense, grouped, moved, scattered, kernels)
    return ",".join([name, str(size)] + ["%.0f" % number for number in numbers])


def write(folder, versions):
    lines = []
    for path in sorted(glob.glob(os.path.join(folder, "*.json"))):
        _, rest = os.path.basename(path)[:-5].split(".", 1)
        name, size = rest.rsplit(".", 1)
        with open(path) as file:
            lines.append(row(name, size, json.load(file)))
    with open(TABLE, "w") as file:
        file.write(HEAD % (BATCH, versions) + "\n".join(lines) + "\n")


class Counter(object):
    """Operations with the shapes that tell one kind of convolution from another."""

    def __init__(self):
        from _gputop_lens.rehearsal import costs
        from _gputop_lens.rehearsal.ledger import Ledger
        from _gputop_lens.rehearsal.stage import stage
        self.stage, self.Ledger, self.operations, self.costs = stage, Ledger, {}, costs
        self.plain, costs.count = costs.count, self.count

    def count(self, function, kind, args, kwargs, made):
        if kind.view or kind.name in self.costs._FREE or kind.name.startswith("split"):
            return
        ledger = self.stage.ledger
        ledger.operations = {}
        self.plain(function, kind, args, kwargs, made)
        shape = ""
        if "convolution" in kind.name:
            backward = "backward" in kind.name
            weight, groups = args[2 if backward else 1], args[9 if backward else 8]
            shape = "g%d k%d o%d i%d" % (groups, weight.shape[-1], weight.shape[0], weight.shape[1])
        for (name, sort, dtype, flops, size) in ledger.operations:
            key = (ledger.phase, name, sort, dtype, flops, size, shape)
            self.operations[key] = self.operations.get(key, 0) + 1

    def new_ledger(self, phase):
        self.stage.ledger = self.Ledger(None, "?")
        self.stage.ledger.enter(phase)

    def step(self, torch, model, size, half, whole):
        self.new_ledger("forward")
        for parameter in model.parameters():
            parameter.grad = None
        inputs = torch.empty(BATCH, 3, size, size).to("cuda")
        labels = torch.zeros(BATCH, dtype=torch.int64).to("cuda")
        base = self.stage.ledger.current
        self.operations.clear()
        with torch.autocast("cuda", dtype=torch.float16, enabled=half):
            out = model(inputs)
            loss = torch.nn.functional.cross_entropy(out[0] if isinstance(out, (list, tuple)) else out, labels)
        forward = self.stage.ledger.current
        if whole:
            loss.backward()
        return dict(base=base, forward=forward, ops=[[*key, count] for key, count in self.operations.items()])

    def play(self, torch, timm, build, size):
        self.new_ledger("model")
        timm.layers.set_fused_attn(True)
        model = build().to("cuda").train()
        raw = dict(params=sum(parameter.numel() for parameter in model.parameters()))
        raw["amp8"] = self.step(torch, model, size, True, True)
        raw["fp328"] = dict(self.step(torch, model, size, False, False), ops=[])
        if any(operation[2] == "attention" for operation in raw["amp8"]["ops"]):
            for module in model.modules():
                if hasattr(module, "fused_attn"):
                    module.fused_attn = False
            raw["amp_eager8"] = dict(self.step(torch, model, size, True, False), ops=[])
        return raw


def main(folder, part="0/1", *names):
    import timm
    import torch
    import torchvision
    import _gputop_lens.rehearsal as rehearsal
    rehearsal.begin(torch)
    gc.disable()
    counter = Counter()
    os.makedirs(folder, exist_ok=True)
    part, parts = (int(number) for number in part.split("/"))
    known = set(timm.list_models())
    others = [name for name in torchvision.models.list_models(torchvision.models) if name not in known]
    for number, name in enumerate(names or sorted(known) + others):
        own = name in others
        size = 299 if name == "inception_v3" and own else 224 if own else timm.get_pretrained_cfg(name).input_size[-1]
        path = os.path.join(folder, "%s.%s.%d.json" % ("torchvision" if own else "timm", name, size))
        if number % parts != part or glob.glob(os.path.join(folder, "*.%s.*.json" % name)):
            continue
        try:
            raw = counter.play(torch, timm, lambda: getattr(torchvision.models, name)() if own else timm.create_model(name), size)
        except Exception as error:   # a model that takes something else than one picture
            print("left out %s: %s" % (name, repr(error)[:200]), flush=True)
            continue
        with open(path, "w") as file:
            json.dump(raw, file)
        gc.collect()
    write(folder, "timm %s, torchvision %s, torch %s" % (timm.__version__, torchvision.__version__, torch.__version__.split("+")[0]))


if __name__ == "__main__":
    main(*sys.argv[1:])
