"""The parts of a model, read from where torch keeps them: without running any property or method of the model."""


def modules(root):
    """All modules, the root first, each once."""
    seen, waiting = set(), [root]
    while waiting:
        module = waiting.pop()
        if module is None or id(module) in seen:
            continue
        seen.add(id(module))
        yield module
        waiting.extend(reversed(list(_own(module, "_modules"))))


def parameters(root):
    return _tensors(root, "_parameters")


def buffers(root):
    return _tensors(root, "_buffers")


def children(module):
    return _own(module, "_modules")


def _tensors(root, kind):
    found = {}
    for module in modules(root):
        for tensor in _own(module, kind):
            if tensor is not None:
                found.setdefault(id(tensor), tensor)
    return list(found.values())


def _own(module, kind):
    entries = getattr(module, "__dict__", {}).get(kind)
    try:
        return list(entries.values()) if entries else []
    except Exception:  # a scripted module keeps them elsewhere
        return []
