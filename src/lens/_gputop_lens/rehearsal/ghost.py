"""A ghost: a tensor that would live on the GPU. It has a shape, a dtype, strides and a storage that holds nothing.

To torch's C++ it is a meta tensor, so that the backward pass runs in the caller's thread and needs no driver; its
dispatch keys are those of CUDA, so that autocast and what differs between CPU and CUDA find it; to Python it says it
is on the device it was asked to be on.
"""
import threading
import weakref

import torch

CPU = torch.device("cpu")
META = torch.device("meta")
_make = torch.Tensor._make_subclass


class Ghost(torch.Tensor):
    """`_place` is the device it claims. `_known` is the value, as a real CPU tensor, of a small one that came from the
    host or was computed from such; None: nobody knows. `_likely` is what most of a truth tensor is then taken as, `_share` how much of it
    is set."""
    _likely = None
    _share = None
    __torch_function__ = torch._C._disabled_torch_function_impl

    @classmethod
    def __torch_dispatch__(cls, function, types, args=(), kwargs=None):
        # Only met in a thread that Python did not start: see threads.py.
        from .mode import Mode
        with Mode():
            return function(*args, **(kwargs or {}))

    @property
    def device(self):
        return META if _below.depth else self._place

    @property
    def is_cuda(self):
        return self._place.type == "cuda"

    @property
    def is_cpu(self):
        return self._place.type == "cpu"

    @property
    def is_meta(self):
        return False

    def get_device(self):
        return -1 if self._place.type == "cpu" else self._place.index or 0

    @property
    def data(self):
        return self.detach()

    @data.setter
    def data(self, other):
        torch.Tensor.data.__set__(self, other)
        self._place = other.device
        self._known = getattr(other, "_known", None)

    def data_ptr(self):
        return address_of(self.untyped_storage()) + self.storage_offset() * self.element_size()

    def record_stream(self, stream):
        return None

    def pin_memory(self, device=None):
        return self

    def numpy(self, **kwargs):
        return self.detach().to("cpu", copy=True).numpy() if self._place.type == "cuda" else real_of(self).numpy()

    def __array__(self, dtype=None):
        array = real_of(self).numpy()
        return array if dtype is None else array.astype(dtype, copy=False)

    def item(self):
        return real_of(self).item()

    def __bool__(self):
        return bool(real_of(self))

    def __int__(self):
        return int(real_of(self))

    def __float__(self):
        return float(real_of(self))

    def __index__(self):
        return real_of(self).__index__()

    def __contains__(self, one):
        return one in real_of(self)

    def tolist(self):
        return real_of(self).tolist()

    def __repr__(self, **kwargs):
        return "tensor(..., device='%s', size=%s, dtype=%s, rehearsed)" % (self._place, tuple(self.shape), self.dtype)

    def __format__(self, spec):
        return format(self.item(), spec) if self.dim() == 0 else repr(self)

    def __reduce_ex__(self, protocol):
        return torch.zeros, (tuple(self.shape),), None


def wrap(meta, place, known=None, needs_grad=False):
    """`meta` as a ghost on `place`; they share one storage."""
    ghost = _make(Ghost, meta, needs_grad, device_for_backend_keys=place)
    ghost._place = place
    ghost._known = known
    return ghost


def arrive(replace):
    where = torch.UntypedStorage.data_ptr
    replace(torch.UntypedStorage, "data_ptr", lambda self: address_of(self) if self.device.type == "meta" else where(self))


def real_of(ghost):
    """A real CPU tensor with the value, where it is known, else with what values.invent() makes of it."""
    from . import values
    return values.real(ghost)


_addresses = {}                 # of a meta storage → (weak reference to it, the address it seems to have)
_next_address = [0x7f0000000000]


def address_of(storage):
    """Frameworks tell by their addresses which tensors share memory. Those of ghosts do not overlap, either."""
    key = storage._cdata
    found = _addresses.get(key)
    if found is None:
        found = _addresses[key] = (weakref.ref(storage, lambda _: _addresses.pop(key, None)), _next_address[0])
        _next_address[0] += (storage.nbytes() + 511) // 512 * 512 + 512
    return found[1]


class _Below(threading.local):
    depth = 0


_below = _Below()


class below(object):
    """While it is entered, operations on ghosts run as those on meta tensors; they say so, too: some of torch's meta
    kernels are Python, and ask."""
    def __enter__(self):
        _below.depth += 1
        self.off = torch._C._DisableTorchDispatch()
        self.off.__enter__()
        self.keys = torch._C._PreserveDispatchKeyGuard()
        self.keys.__enter__()
        torch._C._set_meta_in_tls_dispatch_include(True)

    def __exit__(self, *error):
        _below.depth -= 1
        self.keys.__exit__(*error)
        self.off.__exit__(*error)
