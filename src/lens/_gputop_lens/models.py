"""The model that owns the optimizer's parameters: searched for once, after the first step, among the live objects."""
import gc
import sys
import time
import weakref

from . import wire
from .module_tree import buffers, children, modules, parameters
from .tensors import count_and_bytes

scanned = False
_roots = ()
_WRAPPERS = {"DistributedDataParallel": "module", "DataParallel": "module", "FullyShardedDataParallel": "module",
             "OptimizedModule": "_orig_mod"}


def roots():
    return [module for module in (reference() for reference in _roots) if module is not None]


def scan(optimizer):
    global scanned, _roots
    scanned = True
    began = time.perf_counter()
    found = _find_roots(optimizer)[:4]
    _roots = tuple(weakref.ref(module) for module in found)
    wire.say("model", dict(roots=[_describe(module) for module in found],
                           optimizer_bytes=state_bytes(optimizer),
                           cost_ms=round((time.perf_counter() - began) * 1e3, 2)), keep=("model",))
    from . import autocast
    autocast.install_if_asked()


def state_bytes(optimizer):
    total = 0
    for state in optimizer.state.values():
        if isinstance(state, dict):
            for value in state.values():
                if hasattr(value, "element_size"):
                    total += value.numel() * value.element_size()
    return total


def unwrapped(module):
    """The user's own model, and what is wrapped around it, outermost first."""
    wrappers = []
    while True:
        name = type(module).__name__
        inner = (module.__dict__.get("_modules") or {}).get(_WRAPPERS.get(name))
        if inner is None:
            return module, wrappers
        wrappers.append(name)
        module = inner


def _find_roots(optimizer):
    module_class = sys.modules["torch"].nn.Module
    is_module = {}  # by type: isinstance() would trigger objects that only pretend to have a class
    all_modules = []
    for thing in gc.get_objects():
        kind = type(thing)
        known = is_module.get(kind)
        if known is None:
            known = is_module[kind] = module_class in kind.__mro__
        if known:
            all_modules.append(thing)
    inner = {id(child) for module in all_modules for child in children(module)}
    wanted = {id(parameter) for group in optimizer.param_groups for parameter in group["params"]}
    found = [module for module in all_modules
             if id(module) not in inner and any(id(parameter) in wanted for parameter in parameters(module))]
    found.sort(key=lambda module: -sum(1 for _ in modules(module)))
    return found


def _describe(module):
    inner, wrappers = unwrapped(module)
    weights = parameters(module)
    count, size = count_and_bytes(weights)
    trainable, trainable_size = count_and_bytes([weight for weight in weights if weight.requires_grad])
    kinds = {}
    for part in modules(module):
        kinds[type(part).__name__] = kinds.get(type(part).__name__, 0) + 1
    common = sorted(kinds.items(), key=lambda item: -item[1])[:8]
    return {
        "class": type(inner).__name__, "wrappers": wrappers, "params": count, "bytes": size, "trainable": trainable,
        "trainable_bytes": trainable_size, "buffers": count_and_bytes(buffers(module))[1],
        "kinds": [dict(name=name, count=number) for name, number in common],
        "checkpointing": any(part.__dict__.get("gradient_checkpointing") is True for part in modules(module)),
        "compiled": "OptimizedModule" in wrappers or module.__dict__.get("_compiled_call_impl") is not None,
        "channels_last": _is_channels_last(weights)}


def _is_channels_last(weights):
    """By the first convolution's weight; None if there is none, or if both layouts are the same for it."""
    torch = sys.modules["torch"]
    for weight in weights:
        if weight.dim() == 4 and weight.size(1) > 1 and weight.size(2) * weight.size(3) > 1:
            return bool(weight.is_contiguous(memory_format=torch.channels_last))
    return None
