"""A ghost: a tensor that would live on the GPU. It has a shape, a dtype, strides and a storage that holds nothing.

To torch's C++ it is a meta tensor, so that the backward pass runs in the caller's thread and needs no driver; its
dispatch keys are those of CUDA, so that autocast and what differs between CPU and CUDA find it; to Python it says it
is on the device it was asked to be on.
"""
import torch

CPU = torch.device("cpu")
META = torch.device("meta")
_make = torch.Tensor._make_subclass


class Ghost(torch.Tensor):
    """`_place` is the device it claims. `_known` is the value, as a real CPU tensor, of a small one that came from the
    host or was computed from such; None: nobody knows."""
    __torch_function__ = torch._C._disabled_torch_function_impl

    @classmethod
    def __torch_dispatch__(cls, function, types, args=(), kwargs=None):
        # Only met in a thread that the mode is not on in.
        from . import stage
        with stage.mode:
            return function(*args, **(kwargs or {}))

    @property
    def device(self):
        return META if below.depth else self._place

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
        return self.untyped_storage()._cdata + self.storage_offset() * self.element_size()

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


def real_of(ghost):
    """A real CPU tensor with the value, where it is known, else with what values.invent() makes of it."""
    from . import values
    return values.real(ghost)


class below(object):
    """While it is entered, operations on ghosts run as those on meta tensors; they say so, too: some of torch's meta
    kernels are Python, and ask."""
    depth = 0

    def __enter__(self):
        below.depth += 1
        self.off = torch._C._DisableTorchDispatch()
        self.off.__enter__()
        self.keys = torch._C._PreserveDispatchKeyGuard()
        self.keys.__enter__()
        torch._C._set_meta_in_tls_dispatch_include(True)

    def __exit__(self, *error):
        below.depth -= 1
        self.keys.__exit__(*error)
        self.off.__exit__(*error)
