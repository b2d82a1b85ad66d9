"""torch.cuda.FloatTensor and the like, as older scripts make and ask for tensors of the GPU."""
import torch

from .ghost import Ghost
from .stage import stage

NAMES = {"Float": torch.float32, "Double": torch.float64, "Half": torch.float16, "BFloat16": torch.bfloat16, "Long": torch.int64,
         "Int": torch.int32, "Short": torch.int16, "Char": torch.int8, "Byte": torch.uint8, "Bool": torch.bool}
_known = {}     # "torch.cuda.FloatTensor" → its class


class Kind(type):
    def __call__(cls, *args, **kwargs):
        if args and all(isinstance(one, int) for one in args):
            return torch.empty(args, dtype=cls.dtype, device=stage.place)
        if not args:
            return torch.empty(0, dtype=cls.dtype, device=stage.place)
        if isinstance(args[0], torch.Size):
            return torch.empty(tuple(args[0]), dtype=cls.dtype, device=stage.place)
        return torch.as_tensor(args[0]).to(device=stage.place, dtype=cls.dtype)

    def __instancecheck__(cls, one):
        return isinstance(one, Ghost) and one.is_cuda and one.dtype == cls.dtype


def arrive(replace):
    for name, dtype in NAMES.items():
        word = name + "Tensor"
        if hasattr(torch.cuda, word):
            kind = Kind(word, (), {"dtype": dtype, "__module__": "torch.cuda", "is_cuda": True})
            _known["torch.cuda." + word] = kind
            replace(torch.cuda, word, kind)
    of = torch.Tensor.type

    def type_of(self, dtype=None, non_blocking=False, **kwargs):
        if dtype is None:
            if isinstance(self, Ghost) and self.is_cuda:
                return next((name for name, kind in _known.items() if kind.dtype == self.dtype), "torch.cuda.Tensor")
            return of(self)
        wanted = _known.get(dtype) if isinstance(dtype, str) else dtype if isinstance(dtype, Kind) else None
        if wanted is not None:
            return self.to(device=stage.place, dtype=wanted.dtype)
        return self.to(dtype) if isinstance(dtype, torch.dtype) else of(self, dtype)
    replace(torch.Tensor, "type", type_of)
