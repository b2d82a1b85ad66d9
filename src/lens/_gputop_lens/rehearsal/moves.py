"""Between host and GPU: copies, and questions whose answer is a number or a size."""
import torch

from . import values
from .ghost import CPU, META, Ghost, below, wrap
from .mode import Mode, as_meta, by_name, handles
from .stage import place_of, stage

aten = torch.ops.aten
SHARE = 0.25          # of a mask's elements that are taken to be set, where nobody knows
moving_modules = [0]  # > 0: parameters are being moved, which stay ghosts on the CPU, too


@handles(aten._to_copy.default)
def to_copy(mode, function, args, kwargs):
    source = args[0]
    device = kwargs.get("device")
    place = place_of(device) if device is not None else source.device
    if place.type == "meta" and isinstance(source, Ghost):
        place = source._place       # C++ says the device it knows
    if place.type == "cpu" and isinstance(source, Ghost) and not moving_modules[0]:
        if source._place.type == "cuda" and source.numel() <= values.MOST_REAL:
            made = values.real(source)
            return made.to(kwargs["dtype"]) if kwargs.get("dtype") else made
    from_host = not isinstance(source, Ghost)
    made = Mode.on_meta(function, args, dict(kwargs, device=place))
    shown = mode.show(made, place)
    value = values.known(source) if not from_host else (source if values.small(source) and source.device.type == "cpu" else None)
    if value is not None:
        shown._known = value.detach().clone() if shown.dtype == value.dtype else value.detach().to(shown.dtype)
    if from_host and place.type == "cuda":
        stage.ledger.call_it(shown, "batch")
    return shown


@handles(aten.copy_.default)
def copy_(mode, function, args, kwargs):
    target, source = args[0], args[1]
    if isinstance(target, Ghost):
        value = values.known(source)
        if value is not None and target._known is not None and values.known(target) is not None:
            target._known.copy_(value)
        elif value is not None and values.small(target) and target._is_view() is False:
            target._known = value.detach().to(target.dtype).expand(target.shape).clone()
            values.spoiled.discard(target.untyped_storage()._cdata)
        else:
            values.forget(target)
        return target
    if source.numel() <= values.MOST_REAL:
        target.copy_(values.real(source))
    return target


@handles(aten._local_scalar_dense.default)
def scalar(mode, function, args, kwargs):
    return values.real(args[0]).item()


@handles(aten.equal.default, aten.allclose.default)
def equal(mode, function, args, kwargs):
    a, b = values.known(args[0]), values.known(args[1])
    if a is not None and b is not None:
        return function(a, b, *args[2:], **kwargs)
    stage.assume("tensors that only the GPU could compare were taken as different")
    return False


@handles(aten.is_pinned.default)
def is_pinned(mode, function, args, kwargs):
    return False


@handles(aten._pin_memory.default)
def pin_memory(mode, function, args, kwargs):
    return args[0]


@handles(aten.record_stream.default)
def record_stream(mode, function, args, kwargs):
    return None


def _set_in(mask):
    """How many elements of a mask are set."""
    value = values.known(mask)
    if value is not None:
        return int(value.count_nonzero())
    share = getattr(mask, "_share", None)
    if share is None:
        share = SHARE
        stage.assume("of a mask that only the GPU would know, a quarter was taken as set")
    else:
        stage.assume("choices that only the GPU would know were taken as spread evenly")
    return max(1, int(mask.numel() * share)) if mask.numel() else 0


@handles(aten.scatter_.value, aten.scatter.value)
def scatter(mode, function, args, kwargs):
    """A one in the place of each index: every place has an equal share of them."""
    target, dimension, index, value = args[:4]
    made = mode.play(function, args, kwargs)
    if value == 1 and index.dim() and values.known(made) is None:
        made._share = index.shape[dimension] / max(1, target.shape[dimension])
    return made


def _fresh(mode, like, shape, dtype, value=None):
    with below():
        made = torch.empty(shape, dtype=dtype, device=META)
    return mode.show(made, like.device, value)


@handles(aten.nonzero.default)
def nonzero(mode, function, args, kwargs):
    value = values.known(args[0])
    if value is not None:
        made = function(value)
        return _fresh(mode, args[0], made.shape, torch.int64, made)
    return _fresh(mode, args[0], (_set_in(args[0]), args[0].dim()), torch.int64)


@handles(aten.masked_select.default)
def masked_select(mode, function, args, kwargs):
    source, mask = args[0], args[1]
    value = values.compute(function, args, kwargs)
    if isinstance(value, torch.Tensor):
        return _fresh(mode, source, value.shape, value.dtype, value)
    return _fresh(mode, source, (_set_in(mask),), source.dtype)


@handles(aten.index.Tensor)
def index(mode, function, args, kwargs):
    """x[mask]: the mask becomes as many indices as it has elements set."""
    source, indices = args[0], args[1]
    if not any(isinstance(i, torch.Tensor) and i.dtype in (torch.bool, torch.uint8) for i in indices):
        return mode.play(function, args, kwargs)
    plain = []
    for i in indices:
        if isinstance(i, torch.Tensor) and i.dtype in (torch.bool, torch.uint8):
            value = values.known(i)
            found = value.nonzero().unbind(1) if value is not None else None
            count = found[0].numel() if found else _set_in(i)
            for dimension in range(i.dim()):
                plain.append(_fresh(mode, i if isinstance(i, Ghost) else source, (count,), torch.int64, found[dimension] if found else None))
        else:
            plain.append(i)
    return mode.play(function, (source, plain), kwargs)


@handles(aten.index_put_.default, aten._index_put_impl_.default)
def index_put_(mode, function, args, kwargs):
    values.forget(args[0])
    return args[0]


@handles(aten._unique2.default, aten.unique_dim.default, aten.unique_consecutive.default, aten._unique.default)
def unique(mode, function, args, kwargs):
    source = args[0]
    value = values.known(source)
    if value is not None:
        made = function(value, *args[1:], **kwargs)
    else:
        stage.assume("values that only the GPU would know were taken as all different")
        with below():
            length = source.numel() if function is not aten.unique_dim.default else source.shape[args[1]]
            shape = (length,) if function is not aten.unique_dim.default else source.shape
            made = tuple(torch.empty(shape if n == 0 else (length,), dtype=source.dtype if n == 0 else torch.int64, device=META)
                         for n in range(3 if function is not aten._unique.default else 2))
        return mode.show(made, source.device)
    return tuple(_fresh(mode, source, one.shape, one.dtype, one) for one in made)


@handles(aten.repeat_interleave.Tensor)
def repeat_interleave(mode, function, args, kwargs):
    value = values.known(args[0])
    size = kwargs.get("output_size")
    if value is not None:
        made = function(value)
        return _fresh(mode, args[0], made.shape, made.dtype, made)
    if size is None:
        stage.assume("repeat counts that only the GPU would know were taken as 1")
    return _fresh(mode, args[0], (size if size is not None else args[0].numel(),), torch.int64)


@handles(aten.bincount.default)
def bincount(mode, function, args, kwargs):
    value = values.compute(function, args, kwargs)
    if isinstance(value, torch.Tensor):
        return _fresh(mode, args[0], value.shape, value.dtype, value)
    least = args[2] if len(args) > 2 else kwargs.get("minlength", 0)
    return _fresh(mode, args[0], (max(least, 1),), torch.int64)


@handles(aten._amp_foreach_non_finite_check_and_unscale_.default)
def unscale(mode, function, args, kwargs):
    return None           # gradients are taken as finite: found_inf stays 0


@handles(aten._amp_update_scale_.default)
def update_scale(mode, function, args, kwargs):
    return args[0]


@handles(aten.multinomial.default)
def multinomial(mode, function, args, kwargs):
    source = args[0]
    shape = tuple(source.shape[:-1]) + (args[1],)
    return _fresh(mode, source, shape, torch.int64)


@handles(aten.lift_fresh.default, aten.lift.default)
def lift(mode, function, args, kwargs):
    return args[0]


@handles(aten._pack_padded_sequence.default)
def pack(mode, function, args, kwargs):
    """The lengths are the host's own, and so are the sizes of the steps."""
    source, lengths = args[0], values.real(args[1]) if isinstance(args[1], Ghost) else args[1]
    sizes = torch.tensor([int((lengths > step).sum()) for step in range(int(lengths.max()))], dtype=torch.int64)
    return _fresh(mode, source, (int(lengths.sum()),) + tuple(source.shape[2:]), source.dtype), sizes


@handles(aten._ctc_loss.default, aten._ctc_loss.Tensor)
def ctc_loss(mode, function, args, kwargs):
    scores, targets, lengths = args[0], args[1], args[3]
    if isinstance(lengths, torch.Tensor):
        value = values.known(lengths)
        lengths = value.tolist() if value is not None else None
    longest = max(lengths) if lengths else targets.shape[-1]
    batch = (scores.shape[1],) if scores.dim() == 3 else ()
    return (_fresh(mode, scores, batch, scores.dtype), _fresh(mode, scores, batch + (scores.shape[0], 2 * longest + 1), scores.dtype))


@handles(aten._ctc_loss_backward.default, aten._ctc_loss_backward.Tensor)
def ctc_loss_backward(mode, function, args, kwargs):
    return _fresh(mode, args[1], args[1].shape, args[1].dtype)


def boxes_kept(mode, function, args, kwargs):
    """torchvision's non-maximum suppression."""
    value = values.compute(function, args, kwargs)
    if isinstance(value, torch.Tensor):
        return _fresh(mode, args[0], value.shape, value.dtype, value)
    stage.assume("no box was taken to be suppressed by another one")
    return _fresh(mode, args[0], (args[0].shape[0],), torch.int64)


by_name["torchvision::nms"] = boxes_kept
