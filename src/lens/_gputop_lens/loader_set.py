"""Other settings for DataLoaders: at construction (overrides of this launch) or from the next epoch on (live).

Nothing happens here unless gputop asks for it. Unsafe requests are refused, with the reason.
"""
import sys

from . import roles, wire
from .lens import lens

from_next_epoch = {}  # site, or "*" for every loader → settings


class Making(object):
    """A DataLoader being constructed: its arguments, with the overrides of this launch."""

    def __init__(self, signature, loader, args, kwargs, site):
        self.site = site
        self.applied = {}
        self.refused = {}
        self._given = (args, kwargs)
        self._bound = None
        wanted = settings_for(lens.overrides.get("loader") or {}, site)
        if wanted:
            self._bound = signature.bind(loader, *args, **kwargs)
            self._change(self._bound.arguments, wanted)

    def arguments(self):
        return self._given if self._bound is None else (self._bound.args[1:], self._bound.kwargs)

    def _change(self, arguments, wanted):
        if "batch_size" in wanted:
            self._change_batch(arguments, wanted["batch_size"])
        if "num_workers" in wanted:
            self._change_workers(arguments, wanted["num_workers"])
        for name in ("prefetch_factor", "persistent_workers"):
            if name in wanted:
                if arguments.get("num_workers", 0) > 0:
                    self._set(arguments, name, None, wanted[name])
                else:
                    self.refused[name] = "needs num_workers > 0"
        if "pin_memory" in wanted:
            self._set(arguments, "pin_memory", False, wanted["pin_memory"])

    def _set(self, arguments, name, default, value):
        self.applied[name] = [arguments.get(name, default), value]
        arguments[name] = value

    def _change_batch(self, arguments, value):
        sampler = arguments.get("batch_sampler")
        if sampler is None:
            if arguments.get("batch_size", 1) is None:
                self.refused["batch_size"] = "the dataset makes its own batches"
            else:
                self._set(arguments, "batch_size", 1, value)
        elif type(sampler) is sys.modules["torch"].utils.data.BatchSampler:
            self.applied["batch_size"] = [sampler.batch_size, value]
            sampler.batch_size = value
        else:
            self.refused["batch_size"] = "custom batch_sampler " + type(sampler).__name__

    def _change_workers(self, arguments, value):
        before = arguments.get("num_workers", 0)
        dataset = arguments.get("dataset")
        reason = why_not_workers(dataset, before, value)
        if reason:
            self.refused["num_workers"] = reason
            return
        if before == 0 and value > 0 and arguments.get("multiprocessing_context") is None:
            context = first_context(dataset)
            if context == "refuse":
                self.refused["num_workers"] = "CUDA is in use (no fork) and the dataset cannot be pickled"
                return
            if context is not None:
                self._set(arguments, "multiprocessing_context", None, context)
        self._set(arguments, "num_workers", 0, value)
        if value == 0:
            for name in ("prefetch_factor", "persistent_workers", "timeout", "multiprocessing_context"):
                arguments.pop(name, None)


def settings_for(table, site):
    settings = dict(table.get("*") or {})
    settings.update(table.get(site) or {})
    return settings


def why_not_workers(dataset, before, value):
    iterable = isinstance(dataset, sys.modules["torch"].utils.data.IterableDataset)
    if iterable and value > max(1, before):
        return "IterableDataset: more workers may repeat samples"
    return None


def first_context(dataset):
    """For a script that never had workers: it may have no __main__ guard, so fork is the safe way, unless CUDA is initialized.
    None: the default is fine; "refuse": there is no safe way."""
    if roles.start_method() == "fork":
        return None
    if not sys.modules["torch"].cuda.is_initialized():
        return "fork"
    try:
        import pickle
        pickle.dumps(dataset)
        return None
    except Exception:
        return "refuse"


def change_now(loader, clock):
    """Before an epoch: applies what gputop asked for during the last one."""
    wanted = settings_for(from_next_epoch, clock.site) if from_next_epoch else None
    if not wanted:
        return
    applied, refused = {}, {}
    _change_workers(loader, wanted, applied, refused)
    for name in ("prefetch_factor", "pin_memory", "persistent_workers"):
        if name not in wanted or getattr(loader, name) == wanted[name]:
            continue
        if name != "pin_memory" and loader.num_workers == 0:
            refused[name] = "needs num_workers > 0"
            continue
        applied[name] = [getattr(loader, name), wanted[name]]
        loader.__dict__[name] = wanted[name]  # a DataLoader refuses to change some of these after its construction
    if "batch_size" in wanted and wanted["batch_size"] != loader.batch_size:
        _change_batch(loader, wanted["batch_size"], applied, refused)
    for table in (from_next_epoch.get("*"), from_next_epoch.get(clock.site)):
        for name in refused:
            if table:
                table.pop(name, None)  # reported once
    if applied or refused:
        _end_workers(loader)
        clock.workers = loader.num_workers
        from .loaders import say_loader
        say_loader(loader, clock, applied, refused)
        wire.say("applied", dict(what="loader", site=clock.site, step=lens.steps,
                                 applied=wire.changes(applied), refused=wire.refusals(refused)))


def _change_workers(loader, wanted, applied, refused):
    value = wanted.get("num_workers", loader.num_workers)
    if value == loader.num_workers:
        return
    reason = why_not_workers(loader.dataset, loader.num_workers, value)
    if reason:
        refused["num_workers"] = reason
        return
    applied["num_workers"] = [loader.num_workers, value]
    if loader.num_workers == 0 and loader.multiprocessing_context is None:
        context = first_context(loader.dataset)
        if context == "refuse":
            del applied["num_workers"]
            refused["num_workers"] = "CUDA is in use (no fork) and the dataset cannot be pickled"
            return
        loader.num_workers = value  # before the context: its setter wants workers
        if context is not None:
            loader.multiprocessing_context = context
    if value > 0 and loader.prefetch_factor is None:
        loader.prefetch_factor = 2
    if value == 0:
        loader.__dict__["persistent_workers"] = False
    loader.num_workers = value


def _change_batch(loader, value, applied, refused):
    sampler = loader.batch_sampler
    if type(sampler) is not sys.modules["torch"].utils.data.BatchSampler:
        refused["batch_size"] = "custom batch_sampler " + type(sampler).__name__
        return
    applied["batch_size"] = [sampler.batch_size, value]
    sampler.batch_size = loader.__dict__["batch_size"] = value


def _end_workers(loader):
    """Persistent workers were started with the old settings."""
    iterator = getattr(loader, "_iterator", None)
    if iterator is not None:
        loader._iterator = None
        try:
            iterator._shutdown_workers()
        except Exception:
            pass
