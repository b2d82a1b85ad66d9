"""What a script does around its steps: it makes loaders, compiles, saves, asks for generators on the GPU."""
import functools
import sys

import torch
from torch.utils import data

from .ghost import Ghost
from .stage import stage

seen = dict(batch=None, loaders=0)
_scaled_sizes = {}      # id of a dataset → (it, the sizes that its batches were scaled to)


def arrive(replace):
    _loaders(replace)
    replace(torch, "save", lambda *args, **kwargs: None)
    replace(torch.jit, "save", lambda *args, **kwargs: None)
    if stage.watch:
        return
    _generator(replace)
    replace(torch.Tensor, "pin_memory", lambda self, device=None: self)    # the loader's thread calls it, too

    def compiled(model=None, **kwargs):
        if "site-packages" not in sys._getframe(1).f_code.co_filename or isinstance(model, torch.nn.Module):    # not a library's own
            stage.assume("torch.compile was rehearsed as eager: the compiled step takes somewhat less memory")
        return model if model is not None else lambda function: function
    replace(torch, "compile", compiled)
    replace(torch.nn.Module, "compile", lambda self, *args, **kwargs: stage.assume(
        "torch.compile was rehearsed as eager: the compiled step takes somewhat less memory"))


def _scaled(dataset, size):
    """Frameworks make a loader anew from one that they were given: its batch is scaled once."""
    if size in _scaled_sizes.get(id(dataset), (None, ()))[1]:
        return size
    size = max(1, round(size * stage.batch_factor))
    _scaled_sizes.setdefault(id(dataset), (dataset, set()))[1].add(size)
    return size


def feed(module, args, kwargs, steps):
    """What a model is given says the batch where no loader does: the first dimension of its first tensor. Not if it is the same
    tensor in every step: a graph, or a picture that is being painted."""
    if steps > 1 or "fed" in seen and steps == 0 or next(module.parameters(), None) is None:
        return
    for one in list(args) + list(kwargs.values()):
        if isinstance(one, torch.Tensor) and stage.counts(one) and one.dim() > 1:
            number = stage.ledger.storage(one)
            if steps == 0:
                seen["fed"], seen["fed_from"] = one.shape[0], number
            elif seen.get("fed_from") == number:
                seen["fed"] = None
            return


def _loaders(replace):
    make = data.DataLoader.__init__
    walk = data.DataLoader._get_iterator        # __iter__ is some frameworks' own

    @functools.wraps(make)
    def init(self, dataset, batch_size=1, *args, **kwargs):
        sampler = kwargs.get("batch_sampler")
        if sampler is None and len(args) > 2:
            sampler = args[2]
        if stage.batch_factor != 1:
            if sampler is not None and isinstance(getattr(sampler, "batch_size", None), int):
                if not getattr(sampler, "_gputop_scaled", False):
                    sampler.batch_size = max(1, round(sampler.batch_size * stage.batch_factor))
                    sampler._gputop_scaled = True
            elif batch_size is not None and sampler is None:
                batch_size = _scaled(dataset, batch_size)
        make(self, dataset, batch_size, *args, **kwargs)
        if stage.batch_factor != 1 and self.batch_sampler is not None:
            self.batch_sampler._gputop_scaled = True    # accelerate makes another loader with it

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
    replace(data.DataLoader, "_get_iterator", iterate)


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


def refuse_quantized(module, replace):
    """bitsandbytes packs real values, which a ghost does not have."""
    def refuse(cls, *args, **kwargs):
        from . import close
        close("4-bit and 8-bit weights of bitsandbytes cannot be rehearsed: packing them needs their values")
    for name in ("Params4bit", "Int8Params"):
        if hasattr(module, name):
            replace(getattr(module, name), "__new__", refuse)
