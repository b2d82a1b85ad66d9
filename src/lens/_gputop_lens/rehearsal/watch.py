"""estimate --profile: the script runs for real on its GPU, and the same trace is written of it; torch's own peaks come beside it."""
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from . import costs, mode
from .parameters import name_parts
from .stage import stage


class Watching(TorchDispatchMode):
    @classmethod
    def _should_skip_dynamo(cls):
        return False

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        made = function(*args, **kwargs)
        watched = False
        for one in mode.tensors_in((made,), {}):
            if stage.counts(one):
                watched = True
                stage.ledger.storage(one)
        if watched:
            costs.count(function, mode.kind_of(function), args, kwargs, made)
        return made


def arrive(replace):
    move = torch.nn.Module._apply

    def _apply(self, fn, recurse=True):
        made = move(self, fn, recurse)
        name_parts(self)
        return made
    replace(torch.nn.Module, "_apply", _apply)


def measured():
    """Facts that the driver's side adds at the end."""
    if stage.watch != "cuda" or not torch.cuda.is_initialized():
        return {}
    free, total = torch.cuda.mem_get_info()
    return dict(measured_allocated=torch.cuda.max_memory_allocated(), measured_reserved=torch.cuda.max_memory_reserved(),
                measured_context=max(0, total - free - torch.cuda.memory_reserved()))
