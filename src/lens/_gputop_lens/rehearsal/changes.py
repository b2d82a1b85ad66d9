"""The same run played differently: with checkpointing, in bf16, with an optimizer that keeps no state."""
import functools

import torch
from torch import nn

from .stage import stage

FEWEST = 3      # blocks of one kind in a row: what is worth checkpointing


def arrive(replace):
    if stage.change == "bf16":
        _in_bf16(replace)
    elif stage.change == "checkpointing":
        _checkpointed(replace)
    elif stage.change == "sgd":
        _without_state(replace)


def _done():
    stage.ledger.say(changed=stage.change)


def _in_bf16(replace):
    call = nn.Module.__call__

    def forward(self, *args, **kwargs):
        if not torch.is_grad_enabled() or torch.is_autocast_enabled("cuda"):
            return call(self, *args, **kwargs)
        _done()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            return call(self, *args, **kwargs)
    replace(nn.Module, "__call__", forward)


def _blocks(root):
    for module in root.modules():
        if isinstance(module, (nn.ModuleList, nn.Sequential)):
            children = [one for one in module.children() if len(list(one.children())) > 1]
            kinds = {type(one) for one in children}
            if len(children) >= FEWEST and len(kinds) == 1:
                for one in children:
                    yield one


def _checkpointed(replace):
    from torch.utils.checkpoint import checkpoint
    call = nn.Module.__call__
    seen = set()

    def forward(self, *args, **kwargs):
        if torch.is_grad_enabled() and id(self) not in seen:
            inner = set()
            for block in list(_blocks(self)):
                if id(block) in seen:
                    continue
                inner.update(id(one) for one in block.modules())
                seen.update(id(one) for one in block.modules())
                real = block.forward

                def again(*values, _real=real, **more):
                    if not torch.is_grad_enabled():
                        return _real(*values, **more)
                    return checkpoint(functools.partial(_real, **more), *values, use_reentrant=False, preserve_rng_state=False)
                block.forward = again
                _done()
            seen.add(id(self))
        return call(self, *args, **kwargs)
    replace(nn.Module, "__call__", forward)


def _without_state(replace):
    for name in ("Adam", "AdamW", "RMSprop", "Adagrad", "Adadelta", "Adamax", "NAdam", "RAdam"):
        kind = getattr(torch.optim, name, None)
        if kind is not None:
            def step(self, closure=None):
                _done()
                return closure() if closure is not None else None
            replace(kind, "step", torch.optim.Optimizer.profile_hook_step(step))
