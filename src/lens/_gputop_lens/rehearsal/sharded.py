"""FSDP, both generations: a rank holds its share of each parameter, gathers a group's when its module runs, forward and backward,
and keeps its share of the gradients. What torch does with flat buffers and DTensors is played with ghosts of the same sizes."""
import contextlib

import torch
from torch import nn

from .stage import place_of, stage

PER_NODE = 8        # ranks that a hybrid strategy shards among, where nothing says how many


class Group(object):
    """The parameters that are gathered together: those below a module that no inner group has."""
    def __init__(self, module, world, keeps, policy):
        self.world, self.keeps = max(1, world), keeps
        self.dtype, self.reduce = getattr(policy, "param_dtype", None), getattr(policy, "reduce_dtype", None)
        self.casts = getattr(policy, "cast_forward_inputs", True)
        self.places, self.shapes, self.fulls, self.away = [], [], [], False
        shards = {}      # of a parameter that several modules have, one
        for part in module.modules():
            for name, param in list(part._parameters.items()):
                if param is None or getattr(param, "_gputop_shard", False):
                    continue
                if id(param) not in shards:
                    shards[id(param)] = (len(self.shapes), self._shard(param), param)
                    self.shapes.append(tuple(param.shape))
                index, shard, _ = shards[id(param)]
                part._parameters[name] = shard
                self.places.append((part, name, index))

    def _shard(self, param):
        count = -(-param.shape[0] // self.world) if param.dim() else 1
        device = param.device if param.device.type == "meta" else stage.place
        shard = nn.Parameter(torch.empty((count,) + tuple(param.shape[1:]) if param.dim() else (), dtype=param.dtype, device=device),
                             requires_grad=param.requires_grad)
        shard._gputop_shard = True
        stage.ledger.call_it(shard, "parameters") if shard.device.type == "cuda" else None
        return shard

    def shards(self):
        found = [None] * len(self.shapes)
        for part, name, index in self.places:
            found[index] = part._parameters[name]
        return found

    def buffer(self, dtype, share=1):
        """All of the group's parameters in one, as the collectives want them."""
        return torch.empty(sum(_count(shape) for shape in self.shapes) // share, dtype=dtype, device=stage.place)

    def gather(self):
        if self.fulls:
            return self.come_back()
        shards = self.shards()
        if shards:
            flat = self.buffer(self.dtype or shards[0].dtype)
            self.fulls = list(Gather.apply(self, *shards))
            del flat
            for part, name, index in self.places:
                part.__dict__[name] = self.fulls[index]      # found before the parameter of that name

    def go_away(self):
        """The gathered parameters are given back, though what autograd saved still knows them."""
        if not self.away:
            self.away = True
            for full in self.fulls:
                stage.ledger.vanish(full)

    def come_back(self):
        if self.away:
            self.away = False
            flat = self.buffer(self.fulls[0].dtype)
            for full in self.fulls:
                stage.ledger.call_it(full, "parameters") if stage.ledger.storage(full) is not None else None
            del flat

    def drop(self):
        self.go_away()
        self.fulls, self.away = [], False
        for part, name, _ in self.places:
            part.__dict__.pop(name, None)

    def before(self, module, args, kwargs):
        self.gather()
        if self.dtype is None or not self.casts:
            return None
        return tuple(self.cast(one) for one in args), {name: self.cast(one) for name, one in kwargs.items()}

    def cast(self, one):
        return one.to(self.dtype) if isinstance(one, torch.Tensor) and one.is_floating_point() else one

    def after(self, module, args, kwargs, made):
        if stage.ledger.phase == "backward":        # checkpointing computes again what backward needs in a moment
            return None
        if not torch.is_grad_enabled():
            self.drop()
            return None
        if not self.keeps:
            self.go_away()
        for one in _tensors(made):
            if one.requires_grad:
                one.register_hook(lambda grad: self.come_back() if self.fulls else None)
        return None


class Gather(torch.autograd.Function):
    @staticmethod
    def forward(context, group, *shards):
        context.group, context.dtypes = group, [shard.dtype for shard in shards]
        context.shapes = [tuple(shard.shape) for shard in shards]
        fulls = [torch.empty(shape, dtype=group.dtype or shard.dtype, device=stage.place) for shape, shard in zip(group.shapes, shards)]
        for full in fulls:
            stage.ledger.call_it(full, "parameters")
        return tuple(fulls)

    @staticmethod
    def backward(context, *grads):
        """Runs when all gradients of the group are there: they are reduced, and this rank keeps its share."""
        group = context.group
        kind = group.reduce or next(grad.dtype for grad in grads if grad is not None)
        whole = group.buffer(kind)
        part = group.buffer(kind, group.world) if kind != context.dtypes[0] else None
        group.drop()
        del grads
        made = [torch.empty(shape, dtype=dtype, device=stage.place) for shape, dtype in zip(context.shapes, context.dtypes)]
        del whole, part
        return (None,) + tuple(made)


def _count(shape):
    count = 1
    for size in shape:
        count *= size
    return count


def _tensors(value):
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, dict) or hasattr(value, "values") and callable(value.values):
        for one in value.values():
            yield from _tensors(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _tensors(one)


def shard(module, world, keeps, policy):
    group = Group(module, world, keeps, policy)
    module.register_forward_pre_hook(group.before, with_kwargs=True, prepend=True)
    module.register_forward_hook(group.after, with_kwargs=True)
    return group


class Quiet(object):
    """What scripts ask of a sharded module, and that changes nothing here."""
    def nothing(self, *args, **kwargs):
        return None
    unshard = reshard = nothing

    def _apply(self, *args, **kwargs):
        return nn.Module._apply(self, *args, **kwargs)


def arrive(replace):
    try:
        import torch.distributed.fsdp as fsdp
    except ImportError:
        return
    if hasattr(fsdp, "fully_shard"):
        _second(replace, fsdp)
    _first(replace, fsdp)


def _second(replace, fsdp):
    for name in dir(fsdp.FSDPModule):
        if name.startswith(("set_", "reset_", "finalize_")):
            setattr(Quiet, name, Quiet.nothing)

    def fully_shard(module, *, mesh=None, reshard_after_forward=None, mp_policy=None, offload_policy=None, **more):
        if type(offload_policy).__name__ == "CPUOffloadPolicy":
            _refuse("FSDP that offloads to the CPU cannot be rehearsed yet")
        world = mesh.size(mesh.ndim - 1) if mesh is not None else stage.world
        for one in module if isinstance(module, (list, tuple)) else (module,):
            inner = any(isinstance(part, fsdp.FSDPModule) for part in one.modules())
            keeps = inner if reshard_after_forward is None else not reshard_after_forward    # the root keeps its own until backward
            shard(one, world, keeps, mp_policy)
            one.__class__ = type("FSDP" + type(one).__name__, (Quiet, fsdp.FSDPModule, type(one)), {})
        return module
    replace(fsdp, "fully_shard", fully_shard)
    try:
        import torch.distributed._composable.fsdp as older
        replace(older, "fully_shard", fully_shard)
    except ImportError:
        pass


def _first(replace, fsdp):
    Sharded = fsdp.FullyShardedDataParallel

    def init(self, module, process_group=None, sharding_strategy=None, cpu_offload=None, auto_wrap_policy=None, backward_prefetch=None,
             mixed_precision=None, ignored_modules=None, *args, device_id=None, **more):
        nn.Module.__init__(self)
        name = getattr(sharding_strategy, "name", None) or "FULL_SHARD"
        if getattr(cpu_offload, "offload_params", False):
            _refuse("FSDP that offloads to the CPU cannot be rehearsed yet")
        world = 1 if name == "NO_SHARD" else stage.world
        if "HYBRID" in name and world > PER_NODE:
            stage.assume("a hybrid strategy was taken to shard among %d ranks" % PER_NODE)
            world = PER_NODE
        keeps = name in ("NO_SHARD", "SHARD_GRAD_OP", "_HYBRID_SHARD_ZERO2")
        module.to(place_of("cuda"))
        for part in _wrapped(module, auto_wrap_policy, set(ignored_modules or ())):
            shard(part, world, keeps, mixed_precision)
        shard(module, world, True, mixed_precision)
        self._fsdp_wrapped_module = module

    def clip(self, max_norm, norm_type=2.0):
        return nn.utils.clip_grad_norm_(self.parameters(), max_norm, norm_type)
    replace(Sharded, "__init__", init)
    replace(Sharded, "forward", lambda self, *args, **kwargs: self._fsdp_wrapped_module(*args, **kwargs))
    replace(Sharded, "module", property(lambda self: self._fsdp_wrapped_module))
    replace(Sharded, "clip_grad_norm_", clip)
    replace(Sharded, "no_sync", lambda self: contextlib.nullcontext())
    for name in ("named_parameters", "named_buffers", "_apply", "train", "state_dict", "load_state_dict"):
        if name in Sharded.__dict__:
            replace(Sharded, name, getattr(nn.Module, name))
    replace(Sharded, "state_dict_type", staticmethod(lambda *args, **kwargs: contextlib.nullcontext()))
    replace(Sharded, "summon_full_params", staticmethod(lambda *args, **kwargs: contextlib.nullcontext()))
    replace(Sharded, "optim_state_dict", staticmethod(lambda model, optimizer, *args, **kwargs: optimizer.state_dict()))


def _wrapped(module, policy, ignored):
    """The modules that a policy of torch's picks, inner ones first."""
    if policy is None:
        return []
    if hasattr(policy, "_run_policy"):
        picked = set(policy._run_policy(module, ignored, {}))
    else:
        picked = set()

        def visit(one, most):
            left = most
            for child in one.children():
                if child not in ignored:
                    left -= visit(child, left)
            if policy(module=one, recurse=False, nonwrapped_numel=left):
                picked.add(one)
                return most
            return most - left
        visit(module, sum(param.numel() for param in module.parameters()))
    picked.discard(module)
    return [one for one in reversed(list(module.modules())) if one in picked]


def _refuse(why):
    from . import close
    close(why)
