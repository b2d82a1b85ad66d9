"""Number formats and other switches of torch: autocast, GradScaler, checkpointing, TF32, and the device."""
import functools
import os
import sys

from . import patches
from .lens import fault, lens


class Seen(object):
    autocasts = {}     # (device, dtype, enabled) → True
    scaler = False     # an enabled GradScaler was created
    checkpoints = 0
    device = {}        # of the current CUDA device, once known
    news = False       # since the environment was last checked


seen = Seen()


def install(torch):
    _watch_autocast(sys.modules["torch.amp.autocast_mode"].autocast)
    for name in ("torch.amp.grad_scaler", "torch.cuda.amp.grad_scaler"):
        scaler = getattr(sys.modules.get(name), "GradScaler", None)
        if scaler is not None:
            _watch_scaler(scaler)
            break


def _watch_autocast(autocast):
    original = autocast.__enter__

    @functools.wraps(original)
    def __enter__(self):
        if lens.on:
            try:
                key = (self.device, self.fast_dtype, self._enabled)
                if key not in seen.autocasts:
                    seen.autocasts[key] = seen.news = True
            except Exception:
                fault()
        return original(self)

    patches.replace(autocast, "__enter__", __enter__)


def _watch_scaler(scaler):
    original = scaler.__init__

    @functools.wraps(original)
    def __init__(self, *args, **kwargs):
        original(self, *args, **kwargs)
        try:
            seen.scaler = seen.scaler or bool(self._enabled)
        except Exception:
            fault()

    patches.replace(scaler, "__init__", __init__)


def install_checkpoint(module):
    """`module` is torch.utils.checkpoint."""
    function = getattr(module, "CheckpointFunction", None)
    if function is not None:
        original = function.forward

        @functools.wraps(original)
        def forward(ctx, *args):
            seen.checkpoints += 1
            return original(ctx, *args)
        patches.replace(function, "forward", staticmethod(forward))
    for name in ("_checkpoint_without_reentrant_generator", "_checkpoint_without_reentrant"):
        without_reentry = getattr(module, name, None)
        if without_reentry is not None:
            @functools.wraps(without_reentry)
            def counted(*args, **kwargs):
                seen.checkpoints += 1
                return without_reentry(*args, **kwargs)
            patches.replace(module, name, counted)
            break


def environment():
    torch = sys.modules["torch"]
    found = dict(
        tf32_matmul=_tf32(torch, "matmul"), tf32_conv=_tf32(torch, "conv"),
        cudnn_benchmark=bool(torch.backends.cudnn.benchmark), threads=torch.get_num_threads(), scaler=seen.scaler,
        autocast=[dict(device=str(device), type=str(dtype).replace("torch.", ""), enabled=bool(enabled))
                  for device, dtype, enabled in list(seen.autocasts)[:8]],
        checkpointing=seen.checkpoints > 0)
    found.update(_ranks())
    found.update(_device(torch))
    return found


def _tf32(torch, what):
    """True or False; None if this torch does not tell."""
    backends = torch.backends
    try:  # newer torch: the old getter raises if old and new names were mixed
        return (backends.cuda.matmul if what == "matmul" else backends.cudnn.conv).fp32_precision == "tf32"
    except Exception:
        try:
            return bool(backends.cuda.matmul.allow_tf32 if what == "matmul" else backends.cudnn.allow_tf32)
        except Exception:
            return None


def _ranks():
    distributed = sys.modules.get("torch.distributed")
    try:
        if distributed.is_available() and distributed.is_initialized():
            return dict(rank=distributed.get_rank(), world=distributed.get_world_size(),
                        backend=str(distributed.get_backend()))
    except Exception:
        pass
    return {}


def _device(torch):
    cuda = torch.cuda
    if not cuda.is_initialized():
        return {}
    current = cuda.current_device()
    if seen.device.get("device") != current:
        seen.device = dict(device=current, device_name=str(cuda.get_device_name(current)),
                           device_uuid=_uuid(cuda, current))
    return seen.device


def _uuid(cuda, device):
    """In NVML's notation. Before torch 2.3, only CUDA_VISIBLE_DEVICES may tell."""
    try:
        return "GPU-" + str(cuda.get_device_properties(device).uuid)
    except Exception:
        visible = [word.strip() for word in os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",")]
        if device < len(visible) and visible[device].startswith(("GPU-", "MIG-")):
            return visible[device]
        return None
