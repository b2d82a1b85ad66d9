"""Floating-point operations of one early step, by torch's own formulas (torch.utils.flop_counter).

Between two optimizer steps, a dispatch mode sees every operation and passes it on unchanged. If that is impossible (a compiled
model, an old torch, another dispatch mode), it assumes 6 operations per parameter and token, if there are tokens.
"""
import sys
import time

from . import models, wire
from .copies import Copies
from .lens import CLOCK, fault, hot, lens
from .module_tree import parameters
from .tensors import batch_of

COUNT_AFTER = 1    # steps after the memory probe: the counted step is compared with the one before it


class Count(object):
    done = False
    began = None       # perf_counter() at the start of the counted step
    last = None        # at the end of the previous step
    before = None      # its duration in seconds
    mode = None        # while it is active
    left = None        # after that
    hook = None
    optimizer_began = None
    optimizer_seconds = None
    passes = 0         # backward passes before it


count = Count()


def wanted():
    return not count.done and bool(lens.probe_at)


def step_done():
    """Called right after an optimizer step."""
    if count.done or not lens.probe_at:
        return
    now = time.perf_counter()
    if count.began is not None:
        _finish(now)
    elif lens.steps > lens.probe_at + COUNT_AFTER:
        count.before = now - count.last if count.last is not None else None
        why = _begin()
        if why:
            count.done = True
            _say_estimate(why)
    count.last = now


def counting():
    return count.mode is not None


def apart(function, *args):
    """Making a batch also takes operations, which are not the model's."""
    mode = count.mode
    if mode is None or not _is_on_top(mode):
        return function(*args)
    mode.__exit__(None, None, None)
    try:
        return function(*args)
    finally:
        if count.mode is mode:
            mode.__enter__()


def _is_on_top(mode):
    from torch.utils import _python_dispatch as dispatch
    return dispatch._get_current_dispatch_mode() is mode


def after_fork():
    """A forked child does not continue its parent's count."""
    if count.mode is not None:
        _leave()
        count.hook.remove()
    count.done, count.began, count.last = False, None, None


def _begin():
    """'', or why counting is impossible."""
    if _is_compiled():
        return "the model is compiled"
    try:
        from torch.utils import _python_dispatch as dispatch
        from torch.utils.flop_counter import flop_registry
        register = sys.modules["torch.optim.optimizer"].register_optimizer_step_pre_hook
        inside = sys.modules["torch"]._C._current_graph_task_id
    except Exception:
        return "this PyTorch has no counter"
    if dispatch._get_current_dispatch_mode() is not None:
        return "another dispatch mode is active"
    from . import activations
    count.mode = _make_mode(dispatch.TorchDispatchMode, flop_registry, inside)
    count.passes = activations.watch.passes
    count.hook = register(_before_step)
    if hot[CLOCK] is not None:
        hot[CLOCK].careful = True
    count.mode.__enter__()
    count.began = time.perf_counter()
    return ""


def _before_step(optimizer, args, kwargs):
    """The optimizer's own operations are not the model's; but an optimizer that takes a closure runs the model inside its step."""
    try:
        if count.mode is not None and count.mode.forward:
            _leave()
        count.optimizer_began = time.perf_counter()
    except Exception:
        fault()


def _leave():
    """If another mode was entered after ours, ours stays and does nothing."""
    mode, count.mode = count.mode, None
    mode.on = False
    count.left = mode
    if _is_on_top(mode):
        mode.__exit__(None, None, None)


def _finish(now):
    count.done = True
    count.hook.remove()
    mode = count.mode or count.left
    if count.mode is not None:
        _leave()
    if mode.failed or not mode.forward:
        _say_estimate(mode.failed or "nothing was counted")
        return
    from . import activations
    seconds = now - count.began
    if count.optimizer_began is not None:
        count.optimizer_seconds = now - count.optimizer_began
    _say("counted", "", mode.forward + mode.backward, seconds, mode.recomputed, mode.operations,
         activations.watch.passes - count.passes, mode.copies)


def _say_estimate(why):
    """6·N·tokens; frozen parameters need no gradients of their own."""
    tokens = _tokens()
    from . import activations
    passes = activations.passes_per_step() or 1
    trained = frozen = 0
    seen = set()
    for module in models.roots():
        for parameter in parameters(module):
            if id(parameter) in seen:
                continue
            seen.add(id(parameter))
            if parameter.requires_grad:
                trained += parameter.numel()
            else:
                frozen += parameter.numel()
    flops = (6 * trained + 4 * frozen) * tokens * passes if tokens and trained else None
    _say("6*N*tokens" if flops else "unknown", why if flops else why + ", and how many tokens a step has is not known", flops, None, None,
         None, None)


def _tokens():
    """Tokens in a batch: rows of integers, as language models take them."""
    shapes = hot[CLOCK].shapes if hot[CLOCK] is not None else None
    for tensor in shapes or ():
        if len(tensor["size"]) == 2 and tensor["size"][1] > 1 and tensor["type"] in ("int64", "int32"):
            return tensor["size"][0] * tensor["size"][1]
    return None


def _say(how, why, flops, seconds, recomputed, operations, passes, copies=None):
    shapes = hot[CLOCK].shapes if hot[CLOCK] is not None else None
    cost = None if seconds is None or count.before is None else round(max(0.0, seconds - count.before) * 1e3, 2)
    wire.say("flops", dict(step=lens.steps, how=how, why=why, flops=flops, recomputed=recomputed, operations=operations, passes=passes,
                           batch=batch_of(shapes), seconds=seconds, before=count.before, optimizer=count.optimizer_seconds, cost_ms=cost,
                           copied=copies and copies.copied, pageable=copies and copies.pageable, waited=copies and copies.waited),
             keep=("flops",))


def _is_compiled():
    for module in models.roots():
        while module is not None:
            if type(module).__name__ == "OptimizedModule" or module.__dict__.get("_compiled_call_impl") is not None:
                return True
            inner, wrappers = models.unwrapped(module)
            if "OptimizedModule" in wrappers:
                return True
            module = inner if inner is not module else None
    dynamo = sys.modules.get("torch._dynamo.utils")
    frames = getattr(dynamo, "counters", {}).get("frames") if dynamo is not None else None
    return bool(frames and frames.get("ok"))


def _make_mode(base, registry, inside_backward):
    torch = sys.modules["torch"]
    enabled = torch.is_grad_enabled
    higher_order = getattr(getattr(torch, "_ops", None), "HigherOrderOperator", ())
    aten = torch.ops.aten
    # Questions about a tensor's layout, which subclasses answer themselves.
    layout = set()
    for name in ("sym_is_contiguous", "is_contiguous", "is_strides_like_format", "is_non_overlapping_and_dense", "size", "sym_size",
                 "stride", "sym_stride", "storage_offset", "sym_storage_offset", "numel", "sym_numel", "dim"):
        packet = getattr(aten, name, None)
        if packet is not None:
            layout.add(packet)
    layout.add(torch.ops.prim.layout)

    class Counter(base):
        supports_higher_order_operators = True
        on = True
        failed = ""
        forward = backward = recomputed = operations = 0
        copies = Copies(aten)

        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            kwargs = kwargs or {}
            packet = getattr(func, "_overloadpacket", None)
            if packet in layout:
                return NotImplemented
            out = func(*args, **kwargs)
            if self.on:
                try:
                    self.add(func, packet, args, kwargs, out)
                except Exception as error:  # a wrong formula spoils the count, never the run
                    self.failed = "torch's counter failed: %s" % type(error).__name__
                    self.on = False
            return out

        def add(self, func, packet, args, kwargs, out):
            self.operations += 1
            self.copies.add(packet, args, kwargs, out)
            formula = registry.get(packet) or (registry.get(func) if isinstance(func, higher_order) else None)
            if formula is None:
                return
            in_backward = inside_backward() != -1
            learns = enabled()
            if not in_backward and not learns:
                return  # validation, a teacher
            flops = formula(*args, **kwargs, out_val=out)
            if not in_backward:
                self.forward += flops
            elif learns:
                self.recomputed += flops  # checkpointing: computed twice, counted once
            else:
                self.backward += flops

    return Counter()
