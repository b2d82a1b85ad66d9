"""Sizes and shapes of tensors, without keeping any of them alive."""


def shapes(value, found=None, depth=0):
    """Size and type of the first few tensors in a batch, whatever it is made of."""
    if found is None:
        found = []
    if len(found) < 8 and depth < 4:
        if hasattr(value, "shape") and hasattr(value, "dtype"):
            found.append(dict(size=[int(size) for size in value.shape], type=str(value.dtype).replace("torch.", "")))
        elif isinstance(value, dict) or hasattr(value, "items"):
            for item in list(value.values())[:8]:
                shapes(item, found, depth + 1)
        elif isinstance(value, (list, tuple)):
            for item in value[:8]:
                shapes(item, found, depth + 1)
    return found


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
    """What two tensors that share memory have in common."""
    try:
        return tensor.untyped_storage().data_ptr()  # torch 2
    except Exception:
        try:
            return tensor.storage().data_ptr()
        except Exception:
            return id(tensor)


def storage_bytes(tensor):
    try:
        return tensor.untyped_storage().nbytes()
    except Exception:
        try:
            return tensor.storage().nbytes()
        except Exception:
            return tensor.numel() * tensor.element_size()


def plain(value):
    """A value JSON can say: numbers stay, a CPU tensor becomes one; what a GPU would have to be asked for does not."""
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
