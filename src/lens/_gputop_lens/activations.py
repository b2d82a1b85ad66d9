"""Bytes that autograd keeps for the backward pass, counted in one early step.

A passive walk of the graph right before its backward pass: unique storages of saved tensors, parameters and buffers
excluded. Tensors packed by a hook (checkpointing, offloading) are never unpacked. backward() is hooked only until then.
"""
import functools
import sys
import time

from . import models, patches, precision, wire
from .lens import CAREFUL, CLOCK, fault, hot, lens
from .module_tree import buffers, parameters
from .tensors import batch_of, count_and_bytes, storage_bytes, storage_key

WATCHED_STEPS = 20  # steps whose backward passes are counted: they reveal gradient accumulation


class Watch(object):
    passes = 0      # backward passes, while they are counted
    steps = 0       # made of them
    counted = 0     # passes in those steps
    probed = False
    installed = False


watch = Watch()


def install(torch):
    if watch.installed:
        return
    original = torch.autograd.backward

    @functools.wraps(original)
    def backward(*args, **kwargs):
        if lens.on:
            watch.passes += 1
            if not watch.probed and lens.probe_at and lens.steps >= lens.probe_at - 1:
                watch.probed = True
                try:
                    probe(args[0] if args else kwargs.get("tensors"))
                except Exception:
                    fault()
        return original(*args, **kwargs)

    patches.replace(torch.autograd, "backward", backward)
    watch.installed = True


def again():
    """gputop asked for another probe, at the next backward pass."""
    lens.probe_at = 1
    watch.probed = False
    hot[CAREFUL] = True
    install(sys.modules["torch"])


def wanted():
    return watch.installed


def step_done():
    if lens.steps <= WATCHED_STEPS:
        watch.steps = lens.steps
        watch.counted = watch.passes
    elif watch.probed or not lens.probe_at:
        patches.restore(sys.modules["torch"].autograd, "backward")
        watch.installed = False


def passes_per_step():
    return round(watch.counted / watch.steps, 2) if watch.steps else None


def probe(tensors):
    began = time.perf_counter()
    outputs = [tensors] if hasattr(tensors, "grad_fn") else list(tensors)
    walk = Walk(_own_storages())
    walk.run([output.grad_fn for output in outputs if output.grad_fn is not None])
    shapes = hot[CLOCK].shapes if hot[CLOCK] is not None else None
    message = dict(step=lens.steps + 1, activation_bytes=sum(walk.storages.values()), batch=batch_of(shapes),
                   nodes=len(walk.seen), skipped=walk.skipped,
                   top=[dict(name=name, count=size)
                        for name, size in sorted(walk.by_node.items(), key=lambda item: -item[1])[:6]])
    message.update(_fixed_bytes())
    message["cost_ms"] = round((time.perf_counter() - began) * 1e3, 2)
    wire.say("mem_probe", message, keep=("mem_probe",))


class Walk(object):
    def __init__(self, own):
        self.own = own
        self.seen = set()
        self.storages = {}
        self.by_node = {}
        self.skipped = 0
        self._names = {}  # type of node → its attributes that hold saved tensors

    def run(self, waiting):
        while waiting:
            node = waiting.pop()
            if node in self.seen:
                continue
            self.seen.add(node)
            waiting.extend(following for following, _ in node.next_functions if following is not None)
            try:
                for tensor in self._saved(node):
                    self._add(tensor, type(node).__name__)
            except Exception:
                self.skipped += 1

    def _saved(self, node):
        kind = type(node)
        names = self._names.get(kind)
        if names is None:
            names = self._names[kind] = [name for name in dir(node) if name.startswith("_raw_saved_")]
        if not names and hasattr(node, "saved_tensors"):  # an old torch's Function: may be packed, but does not tell
            if precision.seen.checkpoints:
                self.skipped += 1
            else:
                names = ["_raw_saved_tensors"]
        for name in names:
            if self._is_packed(getattr(node, name, None)):
                self.skipped += 1
                continue
            value = node.saved_tensors if name == "_raw_saved_tensors" else getattr(node, "_saved_" + name[11:])
            for tensor in value if isinstance(value, (tuple, list)) else (value,):
                yield tensor

    @staticmethod
    def _is_packed(raw):
        """Packed by a hook. An older torch does not tell: then assumed only if checkpoints were seen."""
        for saved in raw if isinstance(raw, (tuple, list)) else (raw,):
            if saved is None:
                continue
            if not hasattr(saved, "unpack_hook"):
                return precision.seen.checkpoints > 0
            if saved.unpack_hook is not None:
                return True
        return False

    def _add(self, tensor, name):
        if not hasattr(tensor, "element_size"):
            return
        key = storage_key(tensor)
        if key in self.own or key in self.storages:
            return
        size = storage_bytes(tensor)
        self.storages[key] = size
        self.by_node[name] = self.by_node.get(name, 0) + size


def _own_storages():
    from . import optimizers
    own = set()
    for module in models.roots():
        own.update(storage_key(tensor) for tensor in parameters(module) + buffers(module))
    for optimizer in optimizers.all_optimizers():
        own.update(storage_key(tensor) for tensor in optimizers.parameters_of(optimizer))
    return own


def _fixed_bytes():
    """Of all optimizers together: everything that does not depend on the batch."""
    from . import optimizers
    trained, states = {}, 0
    for optimizer in optimizers.all_optimizers():
        trained.update((id(tensor), tensor) for tensor in optimizers.parameters_of(optimizer))
        states += models.state_bytes(optimizer)
    whole = dict(trained)
    for module in models.roots():
        whole.update((id(tensor), tensor) for tensor in parameters(module))
    return dict(param_bytes=count_and_bytes(whole.values())[1],
                grad_bytes=count_and_bytes([p for p in trained.values() if p.requires_grad])[1],
                state_bytes=states)
