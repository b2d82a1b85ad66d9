"""The speed of a run by its script's own clock (tests/frameworks/scripts/own_clock.py), over the time that gputop's figures cover.

The lens reports once a second; gputop's figures cover the last two minutes and begin with the first report after the fifth step, which is
known to a second. So a figure has a range: its minimum and maximum over all batches that may have been the first."""
REPORT = 1.0    # seconds between two reports of the lens
WINDOW = 120.0  # seconds that gputop's figures are of
FIRST = 5       # steps that are not judged


def _spans(timeline, accumulation):
    """(batches, seconds, samples, waits, pauses) for every possible window."""
    begin = timeline[min(FIRST * accumulation, len(timeline)) - 1][0]
    begin = max(begin, timeline[-1][0] - WINDOW)
    firsts = [index for index, batch in enumerate(timeline) if batch[0] >= begin]
    behind = [index for index in firsts if timeline[index][0] > begin + REPORT]
    firsts = [index for index in firsts if index <= (behind[1] if len(behind) > 1 else firsts[-1])]  # the report comes behind a batch
    for first in firsts:
        for last in range(max(first + 1, len(timeline) - 2), len(timeline)):
            yield (last - first,) + tuple(timeline[last][i] - timeline[first][i] for i in range(4))


def ranges(truth):
    """name → (minimum, maximum) of the script's own measurements; {} without a timeline."""
    timeline = truth.get("timeline") or []
    found = {}

    def see(name, value):
        low, high = found.get(name, (value, value))
        found[name] = min(low, value), max(high, value)

    if len(timeline) < 50:
        return found
    for batches, seconds, samples, wait, pause in _spans(timeline, truth.get("accumulation") or 1):
        busy = seconds - pause
        see("samples_per_second", samples / busy)
        see("step_time", busy / batches)
        see("pause_share", pause / seconds)
        if timeline[-1][2]:
            see("input_wait_share", wait / busy)
    return found
