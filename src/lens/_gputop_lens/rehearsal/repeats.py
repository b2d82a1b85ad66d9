"""What a step repeats is played a few times and then only believed: hundreds of passes of a validation, tens of micro-steps whose
gradients are added up. Their memory was seen; what they compute is counted as often as it happens."""
import torch

from .ghost import META, Ghost, below
from .stage import stage

PLAYED = 3              # passes of one kind in a step that are played in full
_quiet = {}             # (module, what it was given) → [passes in this step, what it made, operations of a pass]
_training = dict(cycle=[], start=None, ops=None, made=None, believed=0)


class Unlike(Exception):
    """Something whose repetition nobody can foretell."""


def signature(value, depth=0):
    if isinstance(value, torch.Tensor):
        if value.requires_grad and value.grad_fn is not None:
            raise Unlike()
        return (tuple(value.shape), value.dtype, str(value.device))
    if value is None or isinstance(value, (bool, int, float, str, torch.dtype, torch.device)):
        return value
    if depth > 4:
        raise Unlike()
    if isinstance(value, (list, tuple)):
        return (type(value).__name__,) + tuple(signature(one, depth + 1) for one in value)
    if isinstance(value, dict):
        return ("dict",) + tuple((name, signature(one, depth + 1)) for name, one in value.items() if isinstance(name, str))
    raise Unlike()


def _kind(module, args, kwargs):
    """What two calls have in common if they are alike; None where nobody can tell."""
    try:
        return (id(module), module.training, torch.is_grad_enabled(), torch.is_autocast_enabled("cuda"), signature(args), signature(kwargs))
    except Unlike:
        return None


def _shape(made):
    """What a pass gave, without the tensors; Unlike if it is something else than tensors in usual containers."""
    if isinstance(made, Ghost):
        return ("ghost", tuple(made.shape), tuple(made.stride()), made.dtype, made.device, made.requires_grad)
    if made is None or isinstance(made, (bool, int, float, str)):
        return ("plain", made)
    if type(made) in (list, tuple):
        return (type(made),) + tuple(_shape(one) for one in made)
    if isinstance(made, dict) and (type(made) is dict or hasattr(made, "to_tuple")):    # the outputs of transformers
        return (type(made), tuple(made.keys())) + tuple(_shape(one) for one in made.values())
    raise Unlike()


def _again(shape, trained):
    if shape[0] == "ghost":
        _, size, stride, dtype, place, needs = shape
        with below():
            plain = torch.empty_strided(size, stride, dtype=dtype, device=META)
        ghost = stage.mode.show(plain, place)
        return Believed.apply(trained, ghost) if needs and trained is not None else ghost
    if shape[0] == "plain":
        return shape[1]
    if shape[0] in (list, tuple):
        return shape[0](_again(one, trained) for one in shape[1:])
    return shape[0](**dict(zip(shape[1], (_again(one, trained) for one in shape[2:]))))


class Believed(torch.autograd.Function):
    @staticmethod
    def forward(context, parameter, made):
        return made.view_as(made)

    @staticmethod
    def backward(context, grad):
        return None, None


def _difference(now, then):
    return {key: count - then.get(key, 0) for key, count in now.items() if count != then.get(key, 0)}


def _add(operations, more):
    for key, count in more.items():
        operations[key] = operations.get(key, 0) + count


def forget():
    """An optimizer step: what comes after it may need other memory."""
    if _training["believed"]:
        stage.assume("of micro-steps that were alike, %d were played before an optimizer step" % PLAYED)
        stage.ledger.operations = _counted(_training["believed"] + 1)
    _quiet.clear()
    _training.update(cycle=[], start=None, ops=None, made=None, believed=0)


def _counted(cycles):
    """The operations so far, as if all had been played."""
    operations = dict(_training["start"])
    for _ in range(cycles):
        _add(operations, _training["ops"])
    return operations


def passed_back():
    _training["cycle"].append("backward")


def play(module, call, args, kwargs):
    """A call of the outermost module."""
    kind = _kind(module, args, kwargs)
    if torch.is_grad_enabled():
        return _play_training(module, kind, call, args, kwargs)
    return _play_quiet(module, kind, call, args, kwargs)


def _play_quiet(module, kind, call, args, kwargs):
    if kind is None:
        return call(module, *args, **kwargs)
    known = _quiet.setdefault(kind, [0, None, None])
    if known[0] >= PLAYED:
        _add(stage.ledger.operations, known[2])
        stage.assume("passes without gradients that were alike were played %d times" % PLAYED)
        return _again(known[1], None)
    before = dict(stage.ledger.operations)
    made = call(module, *args, **kwargs)
    shape = _shape_or_none(made)
    if shape is None or known[0] and shape != known[1]:
        known[0] = -1 << 30
    else:
        known[0] += 1
        known[1:] = shape, _difference(stage.ledger.operations, before)
    return made


def _play_training(module, kind, call, args, kwargs):
    state = _training
    trained = next((one for one in module.parameters() if one.requires_grad), None)
    if trained is None:                 # a criterion, say
        return call(module, *args, **kwargs)
    cycle = state["cycle"]
    usual = kind is not None and cycle[-2 * PLAYED:] == [kind, "backward"] * PLAYED
    cycle.append(kind or object())
    if usual and state["made"] is not None and state["ops"] is not None and trained.grad is not None:
        state["believed"] += 1
        stage.ledger.operations = _counted(state["believed"])
        return _again(state["made"], trained)
    begun = dict(stage.ledger.operations)
    if kind is not None and cycle[-3:-1] == [kind, "backward"] and state["start"] is not None:
        state["ops"] = _difference(begun, state["start"])
    state["start"] = begun
    made = call(module, *args, **kwargs)
    state["made"] = _shape_or_none(made)
    return made


def _shape_or_none(made):
    try:
        return _shape(made)
    except Unlike:
        return None
