"""Replacements in torch, and how to undo them."""
_done = []     # (owner, name, original, replacement)
_handles = []  # of hooks that torch itself stores


def replace(owner, name, replacement):
    """owner.name = replacement; the original may be the owner's own attribute or inherited."""
    original = owner.__dict__.get(name, _MISSING)
    setattr(owner, name, replacement)
    _done.append((owner, name, original, owner.__dict__.get(name, replacement)))


def keep(handle):
    _handles.append(handle)


def restore(owner, name):
    """Undoes one, unless somebody else has replaced it after us."""
    for entry in reversed(_done):
        if entry[0] is owner and entry[1] == name:
            _done.remove(entry)
            return _put_back(*entry)
    return False


def restore_all():
    while _done:
        _put_back(*_done.pop())
    while _handles:
        _handles.pop().remove()


def count():
    return len(_done) + len(_handles)


def is_ours(owner, name):
    return any(entry[0] is owner and entry[1] == name for entry in _done)


def _put_back(owner, name, original, replacement):
    if owner.__dict__.get(name) is not replacement:
        return False
    if original is _MISSING:
        delattr(owner, name)
    else:
        setattr(owner, name, original)
    return True


_MISSING = object()
