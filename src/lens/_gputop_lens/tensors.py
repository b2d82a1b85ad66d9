"""Sizes and shapes of tensors, without keeping any of them alive."""
import collections
import itertools
import sys


def shapes(value, found=None, depth=0):
    """Size and type of the first few tensors in a batch, looking only into types of Python and torch: anybody else's class
    might react to being asked."""
    if found is None:
        found = []
    if len(found) < 8 and depth < 4:
        kinds = type(value).__mro__
        if sys.modules["torch"].Tensor in kinds:
            found.append(dict(size=[int(size) for size in value.shape], type=str(value.dtype).replace("torch.", "")))
        elif type(value).__name__ == "ndarray" and type(value).__module__ == "numpy":
            found.append(dict(size=list(value.shape), type=str(value.dtype)))
        elif dict in kinds:
            for item in itertools.islice(dict.values(value), 8):
                shapes(item, found, depth + 1)
        elif list in kinds or tuple in kinds:
            for item in itertools.islice((list if list in kinds else tuple).__iter__(value), 8):
                shapes(item, found, depth + 1)
        elif collections.UserDict in kinds:  # transformers' BatchEncoding
            shapes(value.__dict__.get("data"), found, depth + 1)
    return found


def items(batch):
    """Numbers in the largest tensor of a batch that is a tensor, or a list or dictionary of tensors; 0: it is something else."""
    tensor = sys.modules["torch"].Tensor
    if isinstance(batch, tensor):
        return batch.numel()
    if type(batch) is dict:
        batch = batch.values()
    elif type(batch) not in (list, tuple):
        batch = batch.__dict__.get("data", {}).values() if isinstance(batch, collections.UserDict) else ()
    return max([value.numel() for value in itertools.islice(batch, 8) if isinstance(value, tensor)], default=0)


def batch_of(found):
    """The first dimension of the first tensor that has one."""
    for tensor in found or ():
        if tensor["size"]:
            return tensor["size"][0]
    return None


def count_and_bytes(tensors):
    count = size = 0
    for tensor in tensors:
        elements = tensor.numel()
        count += elements
        size += elements * tensor.element_size()
    return count, size


def storage_key(tensor):
    """An identity that tensors share if they share memory."""
    storage = _storage(tensor)
    try:
        return storage.data_ptr()
    except Exception:
        return id(tensor)


def storage_bytes(tensor):
    storage = _storage(tensor)
    try:
        return storage.nbytes()
    except Exception:
        return tensor.numel() * tensor.element_size()


def _storage(tensor):
    """None: it has no storage of its own (a sharded one). torch 2 warns if the old name of the storage is used."""
    name = "untyped_storage" if hasattr(tensor, "untyped_storage") else "storage"
    try:
        return getattr(tensor, name)()
    except Exception:
        return None


def plain(value):
    """A value for JSON: numbers stay, a CPU tensor becomes one; a value on a GPU is not read, because that would synchronize."""
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        return value if value - value == 0 else None  # no NaN, no infinity
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value[:8]]
    try:
        return plain(float(value)) if value.device.type == "cpu" else None
    except Exception:
        return str(value)[:40]
