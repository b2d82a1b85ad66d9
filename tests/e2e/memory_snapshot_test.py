"""gputop report SNAPSHOT: files of torch.cuda.memory._snapshot(), made here as torch makes them."""
import json
import pathlib
import pickle
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from program import ProgramTest  # noqa: E402

MIB = 1 << 20


def rounded(size):
    return max(512, (size + 511) // 512 * 512)


class Card:
    """A trace in which every request has a segment of its own; the truth is kept beside it."""
    def __init__(self):
        self.trace, self.live, self.now, self.most, self.next, self.time = [], {}, 0, (0, {}), 0x7F0000000000, 5_000_000
        self.reserved = self.most_reserved = 0
        self.lines = {}

    def frames(self, line):
        if line not in self.lines:
            self.lines[line] = [{"filename": "??", "name": "c10::alloc", "line": 0},
                                {"filename": "/env/lib/python3.11/site-packages/torch/nn/functional.py", "name": "linear", "line": 7},
                                {"filename": "/home/ann/train.py", "name": "forward", "line": line},
                                {"filename": "/home/ann/main.py", "name": "<module>", "line": 1}]
        return self.lines[line]

    def say(self, action, address, size, line):
        self.time += 1000
        self.trace.append({"action": action, "addr": address, "size": size, "stream": 0, "time_us": self.time, "frames": self.frames(line),
                           "category": "unknown"})

    def take(self, size, line):
        address = self.next
        whole = (size + 2 * MIB - 1) // (2 * MIB) * 2 * MIB
        self.next += whole
        self.reserved += whole
        self.most_reserved = max(self.most_reserved, self.reserved)
        self.say("segment_alloc", address, whole, line)
        self.say("alloc", address, size, line)
        self.live[address] = (size, line, whole)
        self.now += rounded(size)
        if self.now > self.most[0]:
            self.most = (self.now, dict(self.live))
        return address

    def give(self, address):
        size, line, whole = self.live.pop(address)
        self.now -= rounded(size)
        self.say("free_requested", address, size, line)
        self.say("free_completed", address, size, line)
        self.say("segment_free", address, whole, line)
        self.reserved -= whole

    def snapshot(self, begin=0):
        segments = []
        for address, (size, line, whole) in self.live.items():
            blocks = [{"address": address, "size": rounded(size), "requested_size": size, "state": "active_allocated", "frames": self.frames(line)}]
            if whole > rounded(size):
                blocks.append({"address": address + rounded(size), "size": whole - rounded(size), "requested_size": 0, "state": "inactive",
                               "frames": []})
            segments.append({"device": 0, "address": address, "total_size": whole, "allocated_size": rounded(size), "active_size": rounded(size),
                             "requested_size": size, "stream": 0, "segment_type": "large", "segment_pool_id": (0, 0), "is_expandable": False,
                             "frames": [], "blocks": blocks})
        return {"segments": segments, "device_traces": [self.trace[begin:], []], "external_annotations": [],
                "allocator_settings": {"PYTORCH_CUDA_ALLOC_CONF": "", "max_split_size": -1, "garbage_collection_threshold": 0.0,
                                       "expandable_segments": False}}


def random_card(seed):
    choose = random.Random(seed)
    card = Card()
    for _ in range(600):
        if card.live and choose.random() < 0.45:
            card.give(choose.choice(list(card.live)))
        else:
            card.take(choose.randint(11 * MIB, 90 * MIB), choose.randint(10, 14))
    return card


class MemorySnapshot(ProgramTest):
    def report(self, content, *words, protocol=4):
        path = pathlib.Path(self.folder) / "snapshot.pickle"
        path.write_bytes(content if isinstance(content, bytes) else pickle.dumps(content, protocol))
        return self.run_gputop("report", path, *words)

    def test_the_peak_and_who_held_it_in_every_protocol(self):
        for protocol in (2, 3, 4, 5):
            card = random_card(protocol)
            answer = json.loads(self.report(card.snapshot(), "--format", "json", protocol=protocol).stdout)
            self.assertEqual("gputop.memory_snapshot/1", answer["schema"])
            most, live = card.most
            self.assertEqual(most, answer["peak_allocated_bytes"])
            self.assertEqual(card.most_reserved, answer["peak_reserved_bytes"])
            held = {}
            for size, line, _ in live.values():
                name = "/home/ann/train.py:%d (forward)" % line
                held[name] = held.get(name, 0) + rounded(size)
            self.assertEqual(held, {one["line"]: one["bytes"] for one in answer["lines"]})
            self.assertEqual(card.now, answer["end"]["allocated_bytes"])
            self.assertEqual(0, answer["before_bytes"])
            # Our allocator keeps what is freed, so it needs less or more than the trace's, but never less than is in use.
            self.assertGreaterEqual(answer["simulated_reserved_bytes"], most)

    def test_a_record_that_began_late_knows_what_was_there_before(self):
        card = random_card(7)
        states, now, live = [0], 0, 0
        for event in card.trace:
            now += {"alloc": 1, "free_completed": -1}.get(event["action"], 0) * rounded(event["size"])
            states.append(now)
        begin = len(card.trace) // 3
        answer = json.loads(self.report(card.snapshot(begin), "--format", "json").stdout)
        self.assertEqual(states[begin], answer["before_bytes"])
        self.assertEqual(max(states[begin:]), answer["peak_allocated_bytes"])

    def test_it_is_a_page_for_people(self):
        card = random_card(9)
        card.say("oom", 0, 3 << 30, 12)
        text = self.report(card.snapshot()).stdout
        for part in ("Memory snapshot snapshot.pickle", "train.py:1", "reserved", "Fragmentation", "3.0 GiB failed"):
            self.assertIn(part, text)
        page = self.report(card.snapshot(), "--format", "html").stdout
        self.assertIn("<svg", page)

    def test_nothing_in_a_pickle_is_ever_run(self):
        touched = pathlib.Path(self.folder) / "touched"

        class Evil:
            def __reduce__(self):
                return pathlib.Path.touch, (touched,)
        for protocol in (2, 4):
            done = self.report({"segments": [Evil()]}, protocol=protocol)
            self.assertNotEqual(0, done.returncode)
            self.assertIn("never does", done.stderr)
        self.assertFalse(touched.exists())

    def test_what_is_no_snapshot_is_refused_with_its_reason(self):
        whole = pickle.dumps(random_card(1).snapshot(), 4)
        for content in ({"model": [1, 2]}, [], {"segments": [], "device_traces": []}, {"segments": [{}]}, whole[:-40], b"\x80\x04"):
            done = self.report(content)
            self.assertEqual(1, done.returncode, done)
            self.assertIn("snapshot.pickle: ", done.stderr)
            self.assertEqual("", done.stdout)


if __name__ == "__main__":
    unittest.main()
