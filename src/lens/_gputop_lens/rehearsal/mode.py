"""Sees every operation. One that touches a ghost, or asks for a tensor on the GPU, is played on meta tensors; all
others are the host's own and run as they are."""
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from . import costs, values
from .ghost import META, Ghost, below, real_of, wrap
from .stage import place_of, stage

_SEEDED = torch.Tag.nondeterministic_seeded
# In-place operations that change more than values.
_SHAPING = {"resize_", "resize_as_", "set_", "t_", "transpose_", "squeeze_", "unsqueeze_", "as_strided_", "swapaxes_", "swapdims_",
            "detach_", "rename_", "_resize_output_", "resize", "set_data"}
handlers = {}    # operation → what is played instead: (mode, function, args, kwargs)
by_name = {}     # the same for operations of libraries that come after torch: "torchvision::nms"
reforms = {}     # operation → (args, what meta kernels made) → what a GPU's kernels make
_kinds = {}      # operation → _Kind


class _Kind(object):
    __slots__ = ("inplace", "seeded", "name", "view", "numbers", "composite")

    def __init__(self, function):
        schema = function._schema
        self.name = schema.name.split("::")[-1]
        mutable = [a for a in schema.arguments if a.alias_info is not None and a.alias_info.is_write]
        self.inplace = bool(mutable) and self.name not in _SHAPING and not any(a.is_out for a in schema.arguments)
        self.seeded = _SEEDED in function.tags or self.name.startswith(("empty", "new_empty", "rand", "_fused"))
        self.numbers = [i for i, a in enumerate(schema.arguments) if isinstance(a.type, (torch.NumberType, torch.IntType, torch.FloatType))]
        self.composite = torch._C._dispatch_has_kernel_for_dispatch_key(function.name(), "CompositeImplicitAutograd")
        self.view = any(r.alias_info is not None and not r.alias_info.is_write for r in schema.returns)


def kind_of(function):
    kind = _kinds.get(function)
    if kind is None:
        kind = _kinds[function] = _Kind(function)
    return kind


def handles(*functions):
    def register(handler):
        for function in functions:
            handlers[function] = handler
        return handler
    return register


def tensors_in(args, kwargs):
    for one in args:
        if isinstance(one, torch.Tensor):
            yield one
        elif isinstance(one, (list, tuple)):
            for two in one:
                if isinstance(two, torch.Tensor):
                    yield two
    for one in kwargs.values():
        if isinstance(one, torch.Tensor):
            yield one
        elif isinstance(one, (list, tuple)):
            for two in one:
                if isinstance(two, torch.Tensor):
                    yield two


def each(value, change):
    """`value` with `change` made to the tensors in it."""
    if isinstance(value, torch.Tensor):
        return change(value)
    if isinstance(value, (list, tuple)):
        made = [each(one, change) for one in value]
        return type(value)(made) if type(value) in (list, tuple) else tuple(made)
    return value


def as_meta(tensor):
    """What `below` can take: ghosts as they are, the host's tensors without their data."""
    if isinstance(tensor, Ghost) or tensor.is_meta:
        return tensor
    return torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype, device="meta")


class Mode(TorchDispatchMode):
    @classmethod
    def _should_skip_dynamo(cls):
        return False

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        device = kwargs.get("device")
        handler = handlers.get(function) or by_name.get(function._schema.name)
        if Ghost not in types and not (device is not None and place_of(device).type == "cuda"):
            if handler is None or not any(isinstance(one, Ghost) for one in tensors_in(args, kwargs)):
                if kwargs.get("pin_memory"):
                    kwargs = dict(kwargs, pin_memory=False)
                return function(*args, **kwargs)
        if handler is not None:
            return handler(self, function, args, kwargs)
        return self.play(function, args, kwargs)

    def play(self, function, args, kwargs):
        kind = kind_of(function)
        if kind.composite and torch.is_inference_mode_enabled():    # which no autograd has taken apart before us
            with Mode():
                return function.decompose(*args, **kwargs)
        for i in kind.numbers:
            if i < len(args) and isinstance(args[i], torch.Tensor):      # torch takes a tensor of no dimension for a number
                args = args[:i] + (real_of(args[i]).item(),) + args[i + 1:]
        place, ghosts = self.place(args, kwargs)
        if kind.inplace:
            values.mirror_inplace(function, kind, args, kwargs)
            made = self.in_place(function, args, kwargs)
            costs.count(function, kind, args, kwargs, made)
            return made
        known = values.follow(function, kind, args, kwargs, ghosts)
        made = self.on_meta(function, args, kwargs)
        if function in reforms:
            made = reforms[function](args, made)
        made = self.show(made, place, known, kind)
        if known is None and isinstance(made, Ghost):
            if made.dtype == torch.bool:
                made._likely = values.likely(kind.name, args)
        if kind.view and ghosts and ghosts[0]._share is not None:
            for one in tensors_in((made,), {}):
                one._share = ghosts[0]._share
        costs.count(function, kind, args, kwargs, made)
        return made

    @staticmethod
    def place(args, kwargs):
        """The device of the result, and the ghosts among what goes in."""
        ghosts = [one for one in tensors_in(args, kwargs) if isinstance(one, Ghost)]
        device = kwargs.get("device")
        if device is not None and not (ghosts and place_of(device).type == "meta"):
            return place_of(device), ghosts
        place = None
        for one in ghosts:
            if one._place.type == "cuda" and (place is None or place.type != "cuda"):
                place = one._place
            elif place is None:
                place = one._place
        return place or stage.place, ghosts

    @staticmethod
    def on_meta(function, args, kwargs):
        args = each(args, as_meta)
        kwargs = {name: each(value, as_meta) for name, value in kwargs.items()}
        if "device" in kwargs and kwargs["device"] is not None:
            kwargs["device"] = META
        if kwargs.get("pin_memory"):
            kwargs["pin_memory"] = False
        if isinstance(kwargs.get("generator"), torch.Generator):
            kwargs["generator"] = None
        with below():
            try:
                return function(*args, **kwargs)
            except NotImplementedError:
                made = function.decompose(*args, **kwargs)
                if made is NotImplemented:
                    raise
                return made

    @staticmethod
    def in_place(function, args, kwargs):
        """Nothing is there to be changed: what the operation returns are its own arguments."""
        written = [args[i] if i < len(args) else kwargs.get(a.name) for i, a in enumerate(function._schema.arguments)
                   if a.alias_info is not None and a.alias_info.is_write]
        returned = len(function._schema.returns)
        if returned == 0:
            return None
        if all(r.alias_info is not None for r in function._schema.returns):
            return written[0] if returned == 1 else tuple(written[:returned])
        return stage.mode.show(stage.mode.on_meta(function, args, kwargs), *stage.mode.place(args, kwargs)[:1])

    @staticmethod
    def show(made, place, known=None, kind=None):
        """The meta tensors of a result as ghosts; those that are on the GPU are in the ledger."""
        ledger = stage.ledger

        def one(tensor, value=None):
            if isinstance(tensor, Ghost):
                return tensor
            ghost = wrap(tensor, place, value)
            if place.type == "cuda":
                ledger.storage(ghost)
            return ghost
        if isinstance(made, torch.Tensor):
            return one(made, known if isinstance(known, torch.Tensor) else None)
        if isinstance(made, (list, tuple)):
            values_of = known if isinstance(known, (list, tuple)) and len(known) == len(made) else [None] * len(made)
            shown = [one(m, v if isinstance(v, torch.Tensor) else None) if isinstance(m, torch.Tensor) else each(m, one)
                     for m, v in zip(made, values_of)]
            return type(made)(shown) if type(made) in (list, tuple) else tuple(shown)
        return made
