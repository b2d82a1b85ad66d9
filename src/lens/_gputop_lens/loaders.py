"""DataLoaders: what they are, and how long the run waits for their batches.

A clock belongs to a DataLoader; its iterators carry it (they cannot be pickled, a DataLoader can). Seconds and counts
only ever grow, so that a report that was dropped loses nothing.
"""
import functools
import inspect
import time
import weakref

from . import loader_set, patches, places, roles, ticks, wire
from .cpu_demand import cpu_demand
from .lens import fault, lens
from .tensors import batch_of, shapes

CPU_SAMPLES = 50   # batches at first whose fetch is also measured in CPU time,
CPU_EVERY = 100    # then two of so many
MOST_LOADERS = 64

clocks = {}                                # id → Clock, in order of making
_makers = {}                               # what a loader looks like → (Clock, weak reference to the loader)
clock_of = weakref.WeakKeyDictionary()     # DataLoader → Clock


class Clock(object):
    """What one loader did. `wait` is time inside its __next__, `user` the time between two batches."""

    __slots__ = ("id", "site", "workers", "batches", "wait", "user", "longest", "first_batches", "first_wait", "pause",
                 "epoch", "steps", "left", "mark", "shapes", "cpu_left",
                 "cpu_again", "cpu", "cpu_wall")

    def __init__(self, number, site, workers):
        self.id = number
        self.site = site
        self.workers = workers
        self.batches = self.first_batches = self.epoch = self.steps = 0
        self.wait = self.user = self.longest = self.first_wait = self.pause = 0.0
        self.left = 0.0     # when the run got its last batch, 0: it is not between two batches
        self.mark = 0       # lens.draws then
        self.shapes = None
        self.cpu_left = 0 if workers else CPU_SAMPLES
        self.cpu_again = 0
        self.cpu = self.cpu_wall = 0.0

    def begin(self):
        self.epoch += 1
        self.left = 0.0

    def count(self, began, ended):
        """One batch came. Whatever took long because other loaders ran in between (validation) is a pause."""
        wait = ended - began
        if self.left:
            self.batches += 1
            self.wait += wait
            if lens.draws - self.mark > 1:
                self.pause += began - self.left
            else:
                self.user += began - self.left
            if wait > self.longest:
                self.longest = wait
        else:
            self.first_batches += 1
            self.first_wait += wait

    def report(self):
        longest, self.longest = self.longest, 0.0
        if self.cpu_left == 0 and not self.workers and self.batches > self.cpu_again:
            self.cpu_left = 2
            self.cpu_again = self.batches + CPU_EVERY
        return dict(id=self.id, batches=self.batches, wait=round(self.wait, 4), user=round(self.user, 4),
                    pause=round(self.pause, 4), longest=round(longest, 4), first=self.first_batches,
                    first_wait=round(self.first_wait, 4), epoch=self.epoch, steps=self.steps, shapes=self.shapes,
                    batch=batch_of(self.shapes),
                    fetch_cpu=round(min(1.0, self.cpu / self.cpu_wall), 3) if self.cpu_wall > 0.0 else None)


def install(module):
    """`module` is torch.utils.data.dataloader."""
    _watch_making(module.DataLoader)
    _watch_epochs(module.DataLoader)
    _watch_batches(module._BaseDataLoaderIter)


def _watch_making(loader_class):
    original = loader_class.__init__
    signature = inspect.signature(original)

    @functools.wraps(original)
    def __init__(self, *args, **kwargs):
        made = None
        if lens.on:
            try:
                if not roles.is_silent():
                    made = loader_set.Making(signature, self, args, kwargs, places.call_site())
                    args, kwargs = made.arguments()
            except Exception:
                made = None
                fault()
        original(self, *args, **kwargs)
        if made is not None:
            try:
                describe(self, made.site, made.applied, made.refused)
            except Exception:
                fault()

    patches.replace(loader_class, "__init__", __init__)


def _watch_epochs(loader_class):
    original = loader_class.__iter__

    @functools.wraps(original)
    def __iter__(self):
        if not lens.on or roles.is_silent():
            return original(self)
        try:
            clock = clock_of.get(self)
            if clock is None:  # made before the lens was awake, or unpickled
                clock = describe(self, places.call_site(), {}, {})
            if clock is not None:
                loader_set.change_now(self, clock)
        except Exception:
            clock = None
            fault()
        iterator = original(self)
        try:
            if clock is not None:
                clock.begin()
                iterator.__dict__["_gputop_clock"] = clock
        except Exception:
            fault()
        return iterator

    patches.replace(loader_class, "__iter__", __iter__)


def _watch_batches(iterator_class):
    original = iterator_class.__next__
    now = time.perf_counter

    @functools.wraps(original)
    def __next__(self):
        clock = self.__dict__.get("_gputop_clock")
        if clock is None or not lens.on:
            return original(self)
        cpu = cpu_demand() if clock.cpu_left else None
        began = now()
        try:
            batch = original(self)
        except StopIteration:
            clock.left = 0.0
            raise
        ended = now()
        try:
            if cpu is not None:
                clock.cpu_left -= 1
                clock.cpu += cpu_demand() - cpu
                clock.cpu_wall += ended - began
            if not clock.left:
                clock.shapes = shapes(batch)
            clock.count(began, ended)
            lens.draws += 1
            clock.mark = lens.draws
            lens.clock = clock
            if ended > ticks.next_at:
                clock.shapes = shapes(batch)
                ticks.flush(ended)
                ended = now()
            clock.left = ended
        except Exception:
            fault()
        return batch

    patches.replace(iterator_class, "__next__", __next__)


def describe(loader, site, applied, refused):
    """A loader that is made anew for every epoch goes on with the clock of the one before it."""
    looks = (site, type(loader.dataset), loader.batch_size, loader.num_workers, type(loader.sampler), _context(loader))
    clock, before = _makers.get(looks, (None, None))
    if clock is None or before() is not None:
        if len(clocks) == MOST_LOADERS:
            return None
        clock = Clock(len(clocks) + 1, site, loader.num_workers)
        clocks[clock.id] = clock
        say_loader(loader, clock, applied, refused)
    _makers[looks] = (clock, weakref.ref(loader))
    clock_of[loader] = clock
    return clock


def say_loader(loader, clock, applied, refused):
    batch_size = loader.batch_size
    if batch_size is None:
        batch_size = getattr(loader.batch_sampler, "batch_size", None)
    iterable = getattr(loader, "_dataset_kind", 0) == 1
    length = None if iterable else _length(loader.dataset)  # torch warns later of a wrong length it was asked for
    wire.say("loader", dict(
        id=clock.id, site=clock.site, dataset=type(loader.dataset).__name__, len=length,
        batches=None if length is None else _length(loader), batch_size=batch_size, num_workers=loader.num_workers,
        pin_memory=bool(loader.pin_memory), prefetch_factor=loader.prefetch_factor if loader.num_workers else None,
        persistent=bool(getattr(loader, "persistent_workers", False)), drop_last=bool(loader.drop_last),
        sampler=type(loader.sampler).__name__, mp_context=_context(loader) or roles.start_method(),
        iterable=iterable, applied=wire.changes(applied), refused=wire.refusals(refused)),
        keep=("loader", clock.id))


def forget_all():
    """In a forked child: the parent's counts are the parent's."""
    for clock in clocks.values():
        clock.__init__(clock.id, clock.site, clock.workers)


def _context(loader):
    return getattr(getattr(loader, "multiprocessing_context", None), "_name", None)


def _length(thing):
    try:
        return len(thing)
    except Exception:
        return None
