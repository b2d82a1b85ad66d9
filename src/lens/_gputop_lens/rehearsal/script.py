"""What a script does around its steps: it makes loaders, compiles, saves, asks for generators on the GPU."""
import functools

import torch
from torch.utils import data

from .ghost import Ghost
from .stage import stage

seen = dict(batch=None, loaders=0)


def arrive(replace):
    _loaders(replace)
    _generator(replace)
    replace(torch.Tensor, "pin_memory", lambda self, device=None: self)    # the loader's thread calls it, too
    replace(torch, "save", lambda *args, **kwargs: None)
    replace(torch.jit, "save", lambda *args, **kwargs: None)

    def compiled(model=None, **kwargs):
        stage.assume("torch.compile was rehearsed as eager: the compiled step takes somewhat less memory")
        return model if model is not None else lambda function: function
    replace(torch, "compile", compiled)
    replace(torch.nn.Module, "compile", lambda self, *args, **kwargs: stage.assume(
        "torch.compile was rehearsed as eager: the compiled step takes somewhat less memory"))


def _loaders(replace):
    make = data.DataLoader.__init__
    walk = data.DataLoader.__iter__

    @functools.wraps(make)
    def init(self, dataset, batch_size=1, *args, **kwargs):
        sampler = kwargs.get("batch_sampler")
        if sampler is None and len(args) > 2:
            sampler = args[2]
        if stage.batch_factor != 1:
            if sampler is not None and isinstance(getattr(sampler, "batch_size", None), int):
                sampler.batch_size = max(1, round(sampler.batch_size * stage.batch_factor))
            elif batch_size is not None and sampler is None:
                batch_size = max(1, round(batch_size * stage.batch_factor))
        return make(self, dataset, batch_size, *args, **kwargs)

    @functools.wraps(walk)
    def iterate(self):
        size = self.batch_size
        if size is None:
            size = getattr(self.batch_sampler, "batch_size", None)
        from . import phases
        if phases.steps() == 0 and isinstance(size, int):
            seen["batch"] = size
            try:
                seen["samples"] = len(self.dataset)
            except Exception:
                pass
        return walk(self)
    replace(data.DataLoader, "__init__", init)
    replace(data.DataLoader, "__iter__", iterate)


def _generator(replace):
    real = torch.Generator

    class Kind(type):
        def __instancecheck__(cls, one):
            return isinstance(one, real)

        def __call__(cls, device="cpu"):
            return real("cpu" if torch.device(device).type == "cuda" else device)

    class Generator(metaclass=Kind):
        pass
    replace(torch, "Generator", Generator)


def save_nothing(module, replace):
    """safetensors writes by itself."""
    for name in ("save_file", "save_model"):
        if hasattr(module, name):
            replace(module, name, lambda *args, **kwargs: None)
