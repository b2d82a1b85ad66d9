"""Floating-point operations and bytes moved, per operation."""
import torch
from torch.utils.flop_counter import flop_registry

from .stage import stage

_MATMUL = {"mm", "addmm", "bmm", "baddbmm", "_scaled_mm", "_addmm_activation"}
_FREE = {"view", "_unsafe_view", "t", "transpose", "permute", "expand", "slice", "select", "detach", "alias", "split", "unsqueeze",
         "squeeze", "unbind", "as_strided", "reshape", "_reshape_alias", "empty", "empty_like", "empty_strided", "new_empty", "lift_fresh",
         "unfold", "diagonal", "new_empty_strided", "split_with_sizes", "view_as_real", "view_as_complex", "_to_copy_free"}


def kind_of(name):
    if name in _MATMUL:
        return "matmul"
    if "convolution" in name:
        return "conv"
    if "attention" in name:
        return "attention"
    return "other"


def _bytes(value):
    if isinstance(value, torch.Tensor):
        return value.numel() * value.element_size()
    if isinstance(value, (list, tuple)):
        return sum(_bytes(one) for one in value)
    return 0


def count(function, kind, args, kwargs, made):
    name = kind.name
    if kind.view or name in _FREE or name.startswith("split") or stage.ledger.phase == "validation":
        return      # what is counted is a training step
    flops = 0
    formula = flop_registry.get(function._overloadpacket)
    if formula is not None:
        try:
            flops = int(formula(*args, **kwargs, out_val=made))
        except Exception:
            flops = 0
    size = _bytes(args) + sum(_bytes(one) for one in kwargs.values()) + _bytes(made)
    first = next((one for one in _tensors(args)), None)
    dtype = str(first.dtype if first is not None else getattr(made, "dtype", "none")).replace("torch.", "")
    stage.ledger.operation(name, kind_of(name), dtype, flops, size)


def _tensors(args):
    for one in args:
        if isinstance(one, torch.Tensor):
            yield one
        elif isinstance(one, (list, tuple)):
            for two in _tensors(one):
                yield two
