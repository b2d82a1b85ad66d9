"""One rank of a run with others that are only believed in: collectives return at once, DDP has its buckets."""
import contextlib
import os

import torch

from .ghost import META, Ghost, below
from .stage import stage


class Done(object):
    """The work of a collective, finished."""
    def wait(self, timeout=None):
        return True

    def is_completed(self):
        return True
    is_success = is_completed

    def get_future(self):
        future = torch.futures.Future()
        future.set_result(None)
        return future


def _nothing(*args, async_op=False, **kwargs):
    return Done() if async_op or kwargs.get("async_op") else None


def _gather_object(held, one, group=None):
    held[:] = [one] * len(held)


def arrive(replace):
    dist = torch.distributed
    if not dist.is_available():
        return
    make = dist.init_process_group

    def init_process_group(backend=None, init_method=None, timeout=None, world_size=-1, rank=-1, store=None, *args, **kwargs):
        from torch.testing._internal.distributed.fake_pg import FakeStore
        world = world_size if world_size > 0 else int(os.environ.get("WORLD_SIZE") or stage.world)
        stage.world = world
        stage.ledger.say(world=world)
        if world > 1:
            stage.assume("%d ranks were believed in, and one of them was rehearsed" % world)
        return make("fake", store=FakeStore(), rank=max(0, rank if rank >= 0 else int(os.environ.get("RANK") or 0)), world_size=world)
    replace(dist, "init_process_group", init_process_group)
    for name in ("all_reduce", "broadcast", "reduce", "all_gather", "all_gather_into_tensor", "reduce_scatter", "reduce_scatter_tensor",
                 "barrier", "all_to_all", "all_to_all_single", "scatter", "gather", "send", "recv", "monitored_barrier",
                 "broadcast_object_list", "scatter_object_list", "_all_gather_base", "_reduce_scatter_base"):
        if hasattr(dist, name):
            replace(dist, name, lambda *args, **kwargs: _nothing(*args, **kwargs))
    replace(dist, "all_gather_object", _gather_object)
    replace(torch.nn.SyncBatchNorm, "forward", torch.nn.BatchNorm1d.forward)     # what the ranks tell each other is a few numbers
    _parallel(replace)


def _parallel(replace):
    from torch.nn.parallel import DistributedDataParallel as Parallel

    def init(self, module, *args, gradient_as_bucket_view=False, **kwargs):
        torch.nn.Module.__init__(self)
        self.module = module
        self.device = next((p.device for p in module.parameters()), stage.place)
        self.device_type = self.device.type
        self.require_backward_grad_sync = True
        self.static_graph = False
        if gradient_as_bucket_view:
            return
        buckets = {}
        for param in module.parameters():
            if param.requires_grad:
                buckets[param.dtype] = buckets.get(param.dtype, 0) + param.numel()
        held = []
        for dtype, count in buckets.items():
            size = max(1, (25 << 20) // max(1, torch.finfo(dtype).bits // 8))
            while count > 0:      # buckets of 25 MiB
                with below():
                    part = torch.empty(min(size, count), dtype=dtype, device=META)
                held.append(stage.mode.show(part, stage.place))
                stage.ledger.call_it(held[-1], "gradients")
                count -= size
        object.__setattr__(self, "_buckets", held)

    def forward(self, *inputs, **kwargs):
        return self.module(*inputs, **kwargs)

    replace(Parallel, "__init__", init)
    replace(Parallel, "forward", forward)
    replace(Parallel, "no_sync", lambda self: contextlib.nullcontext())
    replace(Parallel, "train", lambda self, mode=True: torch.nn.Module.train(self, mode))
    replace(Parallel, "join", lambda self, *args, **kwargs: contextlib.nullcontext())
    replace(Parallel, "register_comm_hook", lambda self, *args, **kwargs: None)
    replace(Parallel, "_set_static_graph", lambda self: None)
    replace(Parallel, "__getstate__", lambda self: self.__dict__)
