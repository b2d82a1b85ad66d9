"""How long steps take and how much that varies, as counts by duration: a step costs one count, however many there are."""
import math

PER_OCTAVE = 8      # 9 % apart
SHORTEST = -20      # log2 of seconds
ENOUGH = 100        # steps before the slowest percent means anything
MOST = 4000         # then older ones count half


class StepTimes(object):
    __slots__ = ("counts", "total")

    def __init__(self):
        self.counts = {}
        self.total = 0

    def add(self, seconds):
        place = int((math.log2(seconds) - SHORTEST) * PER_OCTAVE) if seconds > 1e-6 else 0
        self.counts[place] = self.counts.get(place, 0) + 1
        self.total += 1

    def quantiles(self):
        """(median, 99th of 100) in seconds, None while there are too few steps."""
        if self.total < ENOUGH:
            return None, None
        if self.total > MOST:
            self.counts = {place: count // 2 for place, count in self.counts.items() if count > 1}
            self.total = sum(self.counts.values())
        found, passed = [], 0
        wanted = [0.5 * self.total, 0.99 * self.total]
        for place in sorted(self.counts):
            passed += self.counts[place]
            while wanted and passed >= wanted[0]:
                found.append(round(2.0 ** ((place + 0.5) / PER_OCTAVE + SHORTEST), 6))
                wanted.pop(0)
        return tuple(found) if len(found) == 2 else (None, None)
