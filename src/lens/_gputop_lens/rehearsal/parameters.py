"""Models are ghosts from the start: a parameter is one as soon as a module has it, so that seven billion of them take
no memory on the host, wherever the script makes them."""
import functools
import weakref

import torch
from torch import nn
from torch.nn.parameter import UninitializedTensorMixin

from . import moves
from .ghost import CPU, META, Ghost, below, wrap
from .stage import stage

_twins = weakref.WeakValueDictionary()   # id of a real parameter → its ghost, while the real one lives
_alive = {}                              # id of a real parameter → weak reference that tells when it dies
MOST_BUFFER = 1 << 16                    # elements of a buffer that stays real


def ghost_of(real):
    twin = _twins.get(id(real))
    if twin is not None:
        return twin
    with below():
        made = torch.empty_strided(real.shape, real.stride(), dtype=real.dtype, device=META)
    place = real.device
    if place.type == "meta":
        return real
    ghost = wrap(made, place, None, False)
    if real.requires_grad:
        ghost.requires_grad_(True)
    if isinstance(real, nn.Parameter):
        ghost._is_param = True
    for name, value in getattr(real, "__dict__", {}).items():
        if not name.startswith("__"):
            ghost.__dict__.setdefault(name, value)
    key = id(real)
    _twins[key] = ghost
    _alive[key] = (weakref.ref(real, lambda _: (_alive.pop(key, None), _twins.pop(key, None))), ghost)
    return ghost


def wants_ghost(tensor):
    return (isinstance(tensor, torch.Tensor) and not isinstance(tensor, (Ghost, UninitializedTensorMixin)) and
            tensor.layout == torch.strided and tensor.device.type == "cpu" and
            type(tensor) in (torch.Tensor, nn.Parameter))


def arrive(replace):
    register = nn.Module.register_parameter
    apply = nn.Module._apply

    @functools.wraps(register)
    def register_parameter(self, name, param):
        if wants_ghost(param) and param.grad_fn is None:
            param = ghost_of(param)
        return register(self, name, param)

    @functools.wraps(apply)
    def _apply(self, fn, recurse=True):
        moves.moving_modules[0] += 1
        try:
            for module in self.modules() if recurse else (self,):
                for name, param in module._parameters.items():
                    if wants_ghost(param):
                        module._parameters[name] = ghost_of(param)
            made = apply(self, fn, recurse)
        finally:
            moves.moving_modules[0] -= 1
        name_parts(self)
        return made

    replace(nn.Module, "register_parameter", register_parameter)
    replace(nn.Module, "_apply", _apply)


def name_parts(module):
    for param in module.parameters():
        if stage.counts(param):
            stage.ledger.call_it(param, "parameters")
    for buffer in module.buffers():
        if stage.counts(buffer):
            stage.ledger.call_it(buffer, "parameters")
