"""DataLoaders: what they are, and how long the run waits for their batches.

A clock belongs to a DataLoader; its iterators carry it (they cannot be pickled, a DataLoader can). Seconds and counts
only grow, so a dropped report loses nothing.
"""
import functools
import inspect
import sys
import time
import weakref
from threading import get_ident

from . import flops, loader_set, optimizers, patches, places, roles, ticks, wire
from .cpu_demand import cpu_demand
from .lens import CLOCK, DRAWN, NEXT, PHASE, WAITED, fault, hot, lens
from .step_times import StepTimes
from .tensors import batch_of, items, shapes

CPU_SAMPLES = 50   # first batches whose fetch is also measured in CPU time,
CPU_EVERY = 100    # then two out of so many
MOST_LOADERS = 64
COMPANY = 2        # batches of each in turn: then loaders are read together, and none of them validates

INPUT, COMPUTE = 1, 2  # phases of exchange.py

clocks = {}                                # id → Clock, in the order of creation
_makers = {}                               # a loader's properties → (Clock, weak reference to the loader)
clock_of = weakref.WeakKeyDictionary()     # DataLoader → Clock


class Clock(object):
    """What one loader did. `wait` is time inside its __next__, `user` the time between two batches, `pause` the part of it spent on
    validation and checkpoints, `turn` the time between the last batch of an epoch and the next epoch beyond one step.

    A batch only appends two times to `log`; they are added up for the next report.
    """

    __slots__ = ("id", "site", "workers", "batches", "wait", "user", "longest", "first_batches", "first_wait", "pause", "turn",
                 "epoch", "steps", "left", "asked", "interrupted", "paused", "before", "stretch", "thread", "shapes", "cpu_left", "cpu_again",
                 "cpu", "cpu_wall", "items", "log", "add", "careful", "times", "epoch_length")

    def __init__(self, number, site, workers):
        self.id = number
        self.site = site
        self.workers = workers
        self.batches = self.first_batches = self.epoch = self.steps = 0
        self.wait = self.user = self.longest = self.first_wait = self.pause = self.turn = 0.0
        self.left = 0.0      # when the run got its last batch, 0: none yet
        self.asked = 0.0     # when it requested the epoch whose first batch is still to come
        self.interrupted = 0.0  # when other loaders were first used since the last batch
        self.paused = False  # for more than a few batches (validation)
        self.before = 0      # batches when this loader became the one being read
        self.stretch = 0     # and how many it delivered the last time until another one was
        self.thread = None   # that reads its batches
        self.shapes = None
        self.cpu_left = 0 if workers else CPU_SAMPLES
        self.cpu_again = 0
        self.cpu = self.cpu_wall = 0.0
        self.items = 0       # numbers in the last batch's largest tensor, if ranks train together
        self.log = []        # began, ended, began, ended … of batches not yet added up
        self.add = self.log.extend  # both in one call: other threads may add up meanwhile
        self.careful = True  # the next batch is the first of an epoch, or is measured more closely
        self.times = StepTimes()
        self.epoch_length = 0  # batches, for a loader with one endless iterator; 0: __iter__ begins an epoch

    def begin(self, asked):
        """An epoch, whose iterator was requested then: creating it may start workers."""
        self.add_up()
        self.epoch += 1
        self.asked = asked
        self.careful = True
        self.thread = get_ident()
        if hot[CLOCK] is not None and hot[CLOCK] is not self:
            hot[CLOCK].interrupt(asked)

    def interrupt(self, at):
        if not self.interrupted:
            self.interrupted = at

    def leave_out(self, seconds, is_pause):
        """Counts as part of the time since the last batch."""
        self.add_up()
        if self.left:
            self.left += seconds
            if is_pause:
                self.pause += seconds

    def drawn(self):
        return self.batches + self.first_batches

    def epochs(self):
        return self.epoch + max(0, self.drawn() - 1) // self.epoch_length if self.epoch_length else self.epoch

    def used(self):
        return self.log or self.batches or self.first_batches

    def add_up(self):
        log = self.log[:]
        del self.log[:len(log)]
        for began, ended in zip(log[::2], log[1::2]):
            wait = ended - began
            if self.asked:
                self._add_first(wait + began - self.asked)
            else:
                self.batches += 1
                self.wait += wait
                if self.paused:
                    self._add_pause(began)
                else:
                    self.user += began - self.left
                    self.times.add(ended - self.left)
                if wait > self.longest:
                    self.longest = wait
            self.left = ended
            self.interrupted = 0.0
            self.paused = False

    def _add_first(self, wait):
        """The first batch of an epoch, and the time before it."""
        self.first_batches += 1
        self.first_wait += wait
        if self.left:
            if self.paused:
                self._add_pause(self.asked)
            else:
                self._add_turn(self.asked - self.left)
        self.asked = 0.0

    def _add_pause(self, until):
        """A step's time until the other loaders were read; the time before and after that belongs to the pause."""
        middle = min(max(self.interrupted or self.left, self.left), until)
        learning = min(self._step(), middle - self.left)
        self.user += learning
        self.pause += until - self.left - learning

    def _add_turn(self, seconds):
        """The training step of the last batch ends here, and something else begins."""
        learning = min(self._step(), seconds)
        self.user += learning
        self.turn += seconds - learning

    def _step(self):
        return self.user / self.batches if self.batches else 0.0

    def report(self):
        self.add_up()
        longest, self.longest = self.longest, 0.0
        if self.cpu_left == 0 and not self.workers and self.batches > self.cpu_again:
            self.cpu_left = 2
            self.cpu_again = self.batches + CPU_EVERY
            self.careful = True
        median, slowest = self.times.quantiles()
        return dict(id=self.id, batches=self.batches, wait=round(self.wait, 4), user=round(self.user, 4),
                    pause=round(self.pause, 4), turn=round(self.turn, 4), longest=round(longest, 4), first=self.first_batches,
                    first_wait=round(self.first_wait, 4), epoch=self.epochs(), steps=self.steps, shapes=self.shapes,
                    batch=batch_of(self.shapes), p50=median, p99=slowest,
                    fetch_cpu=round(min(1.0, self.cpu / self.cpu_wall), 3) if self.cpu_wall > 0.0 else None)


def install(module):
    """`module` is torch.utils.data.dataloader."""
    _watch_making(module.DataLoader)
    _watch_epochs(module.DataLoader)
    if hasattr(module.DataLoader, "_get_iterator"):
        _watch_iterators(module.DataLoader)
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
        clock, epoch, asked = None, 0, time.perf_counter()
        try:
            clock = _clock_for(self)
            if clock is not None:
                loader_set.change_now(self, clock)
                epoch = clock.epoch
        except Exception:
            fault()
        iterator = original(self)
        try:
            if clock is not None and clock.epoch == epoch:  # a persistent iterator
                clock.begin(asked)
                iterator._gputop_clock = clock
        except Exception:
            fault()
        return iterator

    patches.replace(loader_class, "__iter__", __iter__)


def _watch_iterators(loader_class):
    """Hooks the creation of iterators: a loader that keeps one for all its epochs need not use __iter__ for it (Ultralytics)."""
    original = loader_class._get_iterator

    @functools.wraps(original)
    def _get_iterator(self):
        asked = time.perf_counter()
        iterator = original(self)
        try:
            if lens.on and not roles.is_silent():
                clock = _clock_for(self)
                if clock is not None:
                    if type(self).__iter__ is not loader_class.__iter__:
                        clock.epoch_length = _length(self) or 0
                    clock.begin(asked)
                    iterator._gputop_clock = clock
        except Exception:
            fault()
        return iterator

    patches.replace(loader_class, "_get_iterator", _get_iterator)


def _clock_for(loader):
    clock = clock_of.get(loader)
    if clock is None:  # created before the lens was active, or unpickled
        clock = describe(loader, places.call_site(), {}, {})
    return clock


def _watch_batches(iterator_class):
    original = iterator_class.__next__
    now = time.perf_counter

    @functools.wraps(original)
    def __next__(self):
        try:
            clock = self._gputop_clock
        except AttributeError:
            return original(self)
        if clock.careful or hot[CLOCK] is not clock:
            return carefully(self, clock)
        if hot[PHASE]:
            hot[PHASE](INPUT)
        began = now()
        batch = original(self)
        ended = now()
        clock.add((began, ended))
        hot[DRAWN] = True
        if hot[PHASE]:
            _drawn_together(clock, batch, ended - began)
        if ended > hot[NEXT]:
            _report(clock, batch, ended)
        return batch

    def carefully(self, clock):
        """The first batch of an epoch or after another loader's, and batches whose CPU time is measured."""
        if not lens.on:
            return original(self)
        cpu, first = None, False
        try:
            _take_over(clock)
            first = bool(clock.asked)
            cpu = cpu_demand() if clock.cpu_left else None
        except Exception:
            fault()
        if hot[PHASE]:
            hot[PHASE](INPUT)
        began = now()
        batch = flops.apart(original, self)
        ended = now()
        try:
            if hot[PHASE]:
                _drawn_together(clock, batch, ended - began)
            if cpu is not None:
                clock.cpu_left -= 1
                clock.cpu += cpu_demand() - cpu
                clock.cpu_wall += ended - began
            clock.careful = clock.cpu_left > 0 or flops.counting()
            if first:
                clock.shapes = shapes(batch)
            clock.add((began, ended))
            hot[DRAWN] = True
        except Exception:
            fault()
        if ended > hot[NEXT]:
            _report(clock, batch, ended)
        return batch

    patches.replace(iterator_class, "__next__", __next__)


def _drawn_together(clock, batch, waited):
    """A batch of a rank that trains with others."""
    try:
        hot[WAITED] += waited
        hot[PHASE](COMPUTE)
        clock.items = items(batch)
    except Exception:
        fault()


def _take_over(clock):
    """The steps and batches so far belong to the previous loader."""
    before = hot[CLOCK]
    if before is clock:
        clock.add_up()
        return
    optimizers.add_up()
    clock.add_up()
    if before is not None:
        before.add_up()
        before.interrupt(time.perf_counter())
        before.stretch = before.drawn() - before.before
        clock.paused = bool(clock.left) and max(before.stretch, clock.stretch) > COMPANY
    clock.before = clock.drawn()
    hot[CLOCK] = clock


def _report(clock, batch, ended):
    """The time that the report takes counts for nothing."""
    try:
        clock.shapes = shapes(batch)
        ticks.flush(ended)
        clock.left = time.perf_counter()
    except Exception:
        fault()


def describe(loader, site, applied, refused):
    """A loader that is recreated for every epoch continues the clock of its predecessor."""
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
        batch_size = getattr(loader.batch_sampler, "__dict__", {}).get("batch_size")
    iterable = getattr(loader, "_dataset_kind", 0) == 1
    length = None if iterable else _length(loader.dataset)  # asking an iterable for its length makes torch warn later if it is wrong
    wire.say("loader", dict(
        id=clock.id, site=clock.site, dataset=type(loader.dataset).__name__, len=length,
        batches=None if length is None else _batches(loader), batch_size=batch_size, num_workers=loader.num_workers,
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


def _batches(loader):
    """As torch counts them: a subclass may not be fully constructed yet."""
    try:
        return sys.modules["torch"].utils.data.DataLoader.__len__(loader)
    except Exception:
        return None


def _length(thing):
    try:
        return len(thing)
    except Exception:
        return None
