"""Every storage that would be on the GPU: when it is made, by which line, in which phase, and when it is freed.

The trace is lines of text (read by src/estimator/trace.cpp):
    a ID BYTES SITE    a storage is allocated            p PHASE            what follows happens in this phase
    f ID               it is freed                       s SITE FILE:LINE   a source line
    k ID CATEGORY      what it is                        e STEP             an optimizer step is complete
    o COUNT FLOPS BYTES KIND DTYPE NAME                  operations of the last step
    w BYTES NAME       scratch memory that a kernel asks for and gives back at once
    i NAME VALUE       what is true of the whole         n SENTENCE         what was assumed
"""
import os
import sys
import threading
import weakref

from .files import real_open
HERE = os.path.dirname(os.path.abspath(__file__))
PHASES = ("model", "forward", "backward", "optimizer", "validation")


class Ledger(object):
    def __init__(self, path, torch_folder):
        self.path = path
        self.file = None      # made when there is something on the GPU: a launcher, or a worker, has no trace
        self.before = []      # what was said until then
        self.silent = self.closed = False
        self.lock = threading.RLock()
        self.skip = (torch_folder, os.path.dirname(HERE), "<frozen", "<string>")
        self.live = {}        # address of the storage → (id, weak reference, bytes)
        self.sites = {}
        self.files = {}       # file name → whether its lines are worth naming
        self.categories = {}  # id → said
        self.next = 0
        self.phase = None
        self.pid = os.getpid()
        self.current = 0
        self.peak = 0
        self.operations = {}

    def write(self, text):
        if self.silent or self.path is None:
            return
        with self.lock:
            if self.file is not None:
                self.file.write(text)
            else:
                self.before.append(text)

    def open(self):
        """The first storage. Only one process of a job is rehearsed: the one that comes here first, of rank 0."""
        if int(os.environ.get("RANK") or 0) > 0:
            os._exit(0)
        try:
            descriptor = real_open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        except OSError:
            self.silent = True
            return
        self.file = os.fdopen(descriptor, "w", 1 << 20)
        self.file.write("".join(self.before))
        self.before = []

    def flush(self):
        with self.lock:
            if self.file is None and self.path is not None and not self.silent:
                self.open()
            if self.file is not None:
                self.file.flush()

    def storage(self, tensor):
        """Takes note of the tensor's storage; its id."""
        storage = tensor.untyped_storage()
        key = storage._cdata
        known = self.live.get(key)
        if known is not None:
            return known[0]
        if self.file is None and self.path is not None and not self.silent:
            self.open()
        number = self.next
        self.next += 1
        size = storage.nbytes()
        self.live[key] = (number, weakref.ref(storage, lambda _, key=key: self.freed(key)), size)
        self.current += size
        self.peak = max(self.peak, self.current)
        self.write("a %d %d %d\n" % (number, size, self.site()))
        return number

    def freed(self, key):
        entry = self.live.pop(key, None)
        if entry is None:
            return
        self.categories.pop(entry[0], None)
        self.current -= entry[2]
        self.write("f %d\n" % entry[0])

    def vanish(self, tensor):
        """Its memory is given back although the tensor stays; storage() brings it back."""
        self.freed(tensor.untyped_storage()._cdata)

    def is_live(self, tensor):
        return tensor.untyped_storage()._cdata in self.live

    def call_it(self, tensor, category):
        entry = self.live.get(tensor.untyped_storage()._cdata)
        if entry is not None and self.categories.get(entry[0]) != category:
            self.categories[entry[0]] = category
            self.write("k %d %s\n" % (entry[0], category))

    def scratch(self, size, name):
        if size > 0:
            self.write("w %d %s\n" % (size, name))

    def enter(self, phase):
        """Returns the phase that was."""
        before = self.phase
        if phase is not None and phase != before:
            self.phase = phase
            self.write("p %s\n" % phase)
        return before

    def operation(self, name, kind, dtype, flops, size):
        key = (name, kind, dtype, flops, size)
        self.operations[key] = self.operations.get(key, 0) + 1

    def step(self, number):
        """A step is complete: its operations are the ones that are kept."""
        self.write("e %d\n" % number)
        self.last_operations, self.operations = self.operations, {}

    def say(self, **facts):
        for name, value in facts.items():
            self.write("i %s %s\n" % (name, " ".join(str(value).split())))

    def assumed(self, sentences):
        for sentence, count in sentences.items():
            self.write("n %s\n" % (sentence if count == 1 else "%s (%d times)" % (sentence, count)))

    def end(self):
        for (name, kind, dtype, flops, size), count in getattr(self, "last_operations", self.operations).items():
            self.write("o %d %d %d %s %s %s\n" % (count, flops, size, kind, dtype, name))
    def site(self):
        """The innermost line that is neither torch's nor ours."""
        frame = sys._getframe(2)
        while frame is not None:
            code = frame.f_code
            worth = self.files.get(code.co_filename)
            if worth is None:
                worth = self.files[code.co_filename] = not code.co_filename.startswith(self.skip)
            if worth:
                return self.number_of(code.co_filename, frame.f_lineno)
            frame = frame.f_back
        return self.number_of("?", 0)

    def number_of(self, name, line):
        number = self.sites.get((name, line))
        if number is None:
            number = self.sites[(name, line)] = len(self.sites)
            self.write("s %d %s:%d\n" % (number, name, line))
        return number
