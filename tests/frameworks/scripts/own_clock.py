"""What a training script measures of itself, written to the file that $TRUTH names: the tests hold gputop's figures against it."""
import contextlib
import json
import os
import time


class OwnClock:
    def __init__(self, **facts):
        self.facts = facts
        self.samples = 0
        self.wait = self.paused = 0.0
        self.timeline = []  # of every batch: when it was learnt from, and samples, waits and pauses so far

    def batch(self, samples):
        """A batch has been learnt from."""
        self.samples += samples
        self.timeline.append((time.perf_counter(), self.samples, self.wait, self.paused))

    @contextlib.contextmanager
    def waiting(self):
        began = time.perf_counter()
        yield
        self.wait += time.perf_counter() - began

    @contextlib.contextmanager
    def pause(self):
        began = time.perf_counter()
        yield
        self.paused += time.perf_counter() - began

    def write(self, **facts):
        if os.environ.get("TRUTH"):
            with open(os.environ["TRUTH"], "w") as file:
                json.dump(dict(self.facts, **facts, timeline=self.timeline), file)
