"""A torch that can be imported anywhere, in pure Python: the names and shapes that torch 2.9 has where the lens looks.

write(folder) creates the package there. Nothing in it computes; it steps, delivers batches and keeps a graph, as a training loop would see it.
"""
import pathlib

FILES = {
    "torch/__init__.py": """
__version__ = "2.9.0+cu126"
class version:
    cuda, hip = "12.6", None
float32, bfloat16, float16, channels_last = "torch.float32", "torch.bfloat16", "torch.float16", "channels_last"
def get_num_threads():
    return 4
from .tensor import Tensor
from . import amp, autograd, backends, cuda, nn, optim
from .utils import data
from .amp.autocast_mode import autocast
""",
    "torch/tensor.py": """
class Storage:
    def __init__(self, count):
        self.count = count
    def data_ptr(self):
        return id(self)
    def nbytes(self):
        return self.count

class Tensor:
    requires_grad, dtype, grad_fn, grad = True, "torch.float32", None, None
    def __init__(self, *shape):
        self.shape = shape
        self._storage = Storage(4 * self.numel())
    def numel(self):
        count = 1
        for size in self.shape:
            count *= size
        return count
    def element_size(self):
        return 4
    def dim(self):
        return len(self.shape)
    def size(self, axis):
        return self.shape[axis]
    def is_contiguous(self, memory_format=None):
        return memory_format == "channels_last"
    def untyped_storage(self):
        return self._storage
    def storage(self):
        raise RuntimeError("TypedStorage is deprecated")
    def backward(self):
        import torch
        torch.autograd.backward(self)
""",
    "torch/autograd/__init__.py": """
calls = []
def backward(tensors, grad_tensors=None):
    calls.append(tensors)
""",
    "torch/amp/__init__.py": "from . import autocast_mode, grad_scaler\n",
    "torch/amp/autocast_mode.py": """
class autocast:
    def __init__(self, device_type, dtype=None, enabled=True):
        self.device, self.fast_dtype, self._enabled = device_type, dtype, enabled
    def __enter__(self):
        return self
    def __exit__(self, *_):
        return False
""",
    "torch/amp/grad_scaler.py": """
class GradScaler:
    def __init__(self, device="cuda", enabled=True):
        self._enabled = enabled
""",
    "torch/backends/__init__.py": """
class _Matmul:
    fp32_precision = "ieee"
    @property
    def allow_tf32(self):
        raise RuntimeError("mix of the legacy and new APIs")
    @allow_tf32.setter
    def allow_tf32(self, value):
        self.fp32_precision = "tf32" if value else "ieee"
class cuda:
    matmul = _Matmul()
class _Conv:
    fp32_precision = "tf32"
class cudnn:
    benchmark, allow_tf32, conv = False, True, _Conv
""",
    "torch/cuda/__init__.py": """
class _Properties:
    uuid = "11111111-2222-3333-4444-555555555555"
def is_initialized():
    return True
def current_device():
    return 0
def device_count():
    return 2
def get_device_name(device):
    return "NVIDIA GeForce RTX 3090"
def get_device_properties(device):
    return _Properties
def memory_stats(device):
    if device == 1:
        return {}
    return {"allocated_bytes.all.current": 100, "allocated_bytes.all.peak": 200, "reserved_bytes.all.current": 300,
            "reserved_bytes.all.peak": 400, "num_ooms": 1, "num_alloc_retries": 2}
""",
    "torch/nn/__init__.py": """
class Module:
    _compiled_call_impl = None
    def __init__(self):
        self._modules, self._parameters = {}, {}
    def modules(self):
        yield self
        for child in self._modules.values():
            yield from child.modules()
    def parameters(self):
        for module in self.modules():
            yield from module._parameters.values()
    def buffers(self):
        return iter(())
""",
    "torch/_dynamo/eval_frame.py": """
from torch import nn
class OptimizedModule(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self._modules["_orig_mod"] = inner
""",
    "torch/_dynamo/__init__.py": "",
    "torch/optim/__init__.py": """
from . import optimizer as _optimizer, lr_scheduler
from .optimizer import Optimizer
class AdamW(Optimizer):
    def step(self, closure=None):
        for parameter in self.param_groups[0]["params"]:
            self.state[parameter] = {"exp_avg": parameter, "step": 1}
""",
    "torch/optim/lr_scheduler.py": """
class LRScheduler:
    pass
""",
    "torch/optim/optimizer.py": """
import functools
_global_post = {}
class _Handle:
    def __init__(self, key):
        self.key = key
    def remove(self):
        _global_post.pop(self.key, None)
def register_optimizer_step_post_hook(hook):
    key = len(_global_post)
    _global_post[key] = hook
    return _Handle(key)
class Optimizer:
    def __init__(self, params, defaults):
        self.defaults, self.state = defaults, {}
        self.param_groups = [dict(defaults, params=list(params))]
        step = type(self).step
        if not getattr(step, "hooked", False):
            @functools.wraps(step)
            def wrapper(self, *args, **kwargs):
                result = step(self, *args, **kwargs)
                for hook in _global_post.values():
                    hook(self, args, kwargs)
                return result
            wrapper.hooked = True
            type(self).step = wrapper
    def zero_grad(self):
        pass
""",
    "torch/utils/__init__.py": "from . import checkpoint, data\n",
    "torch/utils/checkpoint.py": """
def _checkpoint_without_reentrant_generator(function, *args):
    yield
def checkpoint(function, *args):
    generator = _checkpoint_without_reentrant_generator(function, *args)
    next(generator)
    return function(*args)
""",
    "torch/utils/data/__init__.py": """
from .dataloader import DataLoader, IterableDataset, BatchSampler
""",
    "torch/utils/data/dataloader.py": """
class IterableDataset:
    pass
class BatchSampler:
    pass
class _BaseDataLoaderIter:
    def __init__(self, loader):
        self._left = iter(range(len(loader.dataset) // loader.batch_size))
        self._batch_size = loader.batch_size
    def __iter__(self):
        return self
    def __next__(self):
        import torch
        next(self._left)
        return torch.Tensor(self._batch_size, 8)
class DataLoader:
    _dataset_kind, prefetch_factor, persistent_workers, sampler, batch_sampler = 0, None, False, (), None
    multiprocessing_context = None
    def __init__(self, dataset, batch_size=1, num_workers=0, pin_memory=False, drop_last=False):
        self.dataset, self.batch_size, self.num_workers = dataset, batch_size, num_workers
        self.pin_memory, self.drop_last = pin_memory, drop_last
    def __iter__(self):
        return _BaseDataLoaderIter(self)
    def __len__(self):
        return len(self.dataset) // self.batch_size
""",
    "transformers/__init__.py": "",
    "transformers/training_args.py": """
import dataclasses
@dataclasses.dataclass
class TrainingArguments:
    per_device_train_batch_size: int = 8
    gradient_accumulation_steps: int = 1
    bf16: bool = False
    def __post_init__(self):
        self.effective = self.per_device_train_batch_size * self.gradient_accumulation_steps
""",
}


def write(folder):
    for name, text in FILES.items():
        path = pathlib.Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
