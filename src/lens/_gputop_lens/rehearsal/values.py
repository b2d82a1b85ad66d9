"""Values that a script asks for. Small tensors that came from the host (labels, masks, counters) carry theirs along,
and what is computed from them is computed for real; of the rest a plausible value is made up, and that is said."""
import torch

from .ghost import CPU, Ghost
from .stage import stage

MOST_WHOLE = 1 << 20    # elements of an integer or a bool tensor whose value is followed
MOST_FLOAT = 1 << 14    # of a float one
MOST_REAL = 1 << 24     # of a tensor that is given to the host as a real one


def small(tensor):
    return tensor.numel() <= (MOST_FLOAT if tensor.is_floating_point() or tensor.is_complex() else MOST_WHOLE)


def known(tensor):
    """The value as a real CPU tensor, or None."""
    if not isinstance(tensor, Ghost):
        return tensor if tensor.device.type == "cpu" and small(tensor) else None
    value = tensor._known
    if value is None or tensor.untyped_storage()._cdata in spoiled:
        return None
    return value if value.shape == tensor.shape and value.dtype == tensor.dtype else None


spoiled = set()    # storages somebody has written unknown values to


def learn(ghost, real):
    """`ghost` has the value of `real`, which is the host's own and may change later."""
    ghost._known = real.detach().clone() if small(real) else None


def forget(tensor):
    if isinstance(tensor, Ghost) and tensor._known is not None:
        spoiled.add(tensor.untyped_storage()._cdata)
        tensor._known = None


def follow(function, kind, args, kwargs, ghosts):
    """The values of the result, if those of all that goes in are known."""
    if kind.seeded or (not ghosts and kind.name.startswith("_to_copy")):
        return None
    for one in ghosts:
        if one._known is None:
            return None
    return compute(function, args, kwargs)


def compute(function, args, kwargs):
    unknown = []

    def real(value):
        if isinstance(value, torch.Tensor):
            value = known(value)
            if value is None:
                unknown.append(1)
            return value
        if isinstance(value, (list, tuple)):
            return [real(one) for one in value]
        return value
    args = [real(one) for one in args]
    kwargs = {name: CPU if name == "device" and value is not None else real(value) for name, value in kwargs.items()}
    if unknown:
        return None
    if any(isinstance(one, int) and one > MOST_WHOLE for one in args[:1]) or _large(args):
        return None
    kwargs.pop("pin_memory", None)
    try:
        made = function(*args, **kwargs)
    except Exception:
        return None
    if isinstance(made, torch.Tensor):
        return made if small(made) else None
    if isinstance(made, (list, tuple)):
        return made if all(not isinstance(one, torch.Tensor) or small(one) for one in made) else None
    return None


def _large(args):
    size = 1
    for one in args[:2]:
        if isinstance(one, (list, tuple)) and one and all(isinstance(n, int) for n in one):
            for n in one:
                size *= max(1, n)
    return size > MOST_WHOLE


def mirror_inplace(function, kind, args, kwargs):
    """The same change made to the known value; a value that cannot be known any more is forgotten."""
    target = args[0] if args else None
    if isinstance(target, (list, tuple)):
        for one in target:
            forget(one)
        return
    if not isinstance(target, Ghost) or target._known is None and not (kind.name in ("zero_", "fill_", "copy_") and small(target)):
        return
    if kind.seeded or target._known is None:
        if target._known is not None:
            forget(target)
        return
    if compute(function, args, kwargs) is None:
        forget(target)


def real(ghost):
    """A real tensor for the host."""
    if not isinstance(ghost, Ghost):
        return ghost
    value = known(ghost)
    if value is not None:
        return value.clone()
    return invent(ghost)


def likely(name, args):
    """What a truth tensor is taken as where nobody knows: numbers are finite, checks of all elements pass. None: as usual."""
    first = args[0] if args else None
    second = args[1] if len(args) > 1 else None
    if name in ("eq", "ne"):
        if first is second or isinstance(second, float) and second in (float("inf"), float("-inf")):
            return (name == "eq") == (first is second)
        return None
    if name in ("all", "_is_all_true"):
        return getattr(first, "_likely", None) is not False
    if name in ("isnan", "isinf", "isneginf", "isposinf"):
        return False
    before = getattr(first, "_likely", None)
    if name in ("bitwise_not", "logical_not"):
        return None if before is None else not before
    other = getattr(second, "_likely", None)
    if name in ("mul", "bitwise_and", "logical_and"):
        return False if False in (before, other) else True if before and other else None
    if name in ("bitwise_or", "logical_or"):
        return True if True in (before, other) else None
    return before


PATIENCE = 500   # the same line may ask for that many made-up values within a step before the answer changes
_asked = {}      # (line, step) → how often


def invent(ghost):
    """A plausible value. A loop that waits for another one gets it after a while."""
    waiting = _waits(ghost)
    if ghost.dtype == torch.bool:
        answer = bool(ghost._likely)
        if not waiting:
            stage.assume("a truth value that only the GPU would know was taken as %s" % str(answer).lower())
        return torch.full(ghost.shape, answer != waiting, dtype=torch.bool)
    if ghost.is_floating_point() or ghost.is_complex():
        return torch.full(ghost.shape, 0.0 if waiting else 1.0, dtype=ghost.dtype)
    stage.assume("whole numbers that only the GPU would know were taken as 0")
    return torch.full(ghost.shape, 1 if waiting else 0, dtype=ghost.dtype)


def _waits(ghost):
    if ghost.numel() != 1:
        return False
    from . import loops, phases
    key = (stage.ledger.site(), phases.steps())
    _asked[key] = _asked.get(key, 0) + 1
    if _asked[key] < PATIENCE or _asked[key] % 2 or not loops.waiting():
        return False
    stage.assume("a loop waited for a value of the GPU, and was given another one")
    return True
