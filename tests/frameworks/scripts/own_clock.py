"""What a training script measures of itself, written to the file that $TRUTH names: the tests hold gputop's figures against it."""
import contextlib
import json
import os
import time

WARM_UP = 8  # batches, which nobody's speed is judged by


class OwnClock:
    def __init__(self, **facts):
        self.facts = facts
        self.batches = self.samples = 0
        self.began = None        # when the warm-up was over
        self.ended = None
        self.wait = self.paused = 0.0
        self.waited = 0.0        # all of it, as it was when the warm-up was over

    def batch(self, samples):
        """A batch has been learnt from."""
        self.batches += 1
        now = time.perf_counter()
        if self.batches == WARM_UP:
            self.began, self.waited, self.wait, self.paused, self.samples = now, self.wait, 0.0, 0.0, 0
        elif self.began is not None:
            self.samples += samples
            self.ended = now

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
        facts = dict(self.facts, **facts)
        if self.samples:
            wall = self.ended - self.began
            busy = wall - self.paused
            learnt = self.batches - WARM_UP
            facts.update(samples_per_second=self.samples / busy, step_time=busy / learnt, pause_share=self.paused / wall)
            if self.wait:
                facts["input_wait_share"] = self.wait / busy
        if os.environ.get("TRUTH"):
            with open(os.environ["TRUTH"], "w") as file:
                json.dump(facts, file)
