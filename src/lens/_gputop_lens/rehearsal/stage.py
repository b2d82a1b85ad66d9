"""What the parts of a rehearsal share: the card that is believed in, the switches, and what was assumed on the way."""
import json
import os

import torch


class Stage(object):
    def __init__(self):
        wish = json.loads(os.environ.get("GPUTOP_REHEARSAL") or "{}")
        self.trace = wish.get("trace")                      # the file that gputop reads
        self.name = wish.get("name") or "NVIDIA A100-SXM4-80GB"
        self.memory = int(wish.get("memory") or 80 << 30)   # bytes
        self.capability = tuple(wish.get("capability") or (8, 0))
        self.multiprocessors = int(wish.get("multiprocessors") or 108)
        self.steps = int(wish.get("steps") or 3)            # optimizer steps that a rehearsal plays
        self.seconds = float(wish.get("timeout") or 120)    # since the start
        self.batch_factor = float(wish.get("batch_factor") or 1)
        self.change = wish.get("change")                    # "checkpointing", "bf16", …: played instead of the script's own
        self.brief = bool(wish.get("brief"))                # no validation is waited for
        self.scratch = wish.get("scratch")                  # folder that the job's writing goes to
        self.world = int(os.environ.get("WORLD_SIZE") or wish.get("world") or 1)
        self.watch = wish.get("watch")                      # "cuda": nothing is pretended, what happens there is written down
        self.place = torch.device("cuda", 0)
        self.assumed = {}                                   # sentence → how often
        self.mode = None
        self.ledger = None

    def counts(self, tensor):
        """Whether a tensor is what the ledger is about."""
        return tensor.device.type == self.watch if self.watch else hasattr(tensor, "_place")

    def assume(self, sentence):
        self.assumed[sentence] = self.assumed.get(sentence, 0) + 1


stage = Stage()


def place_of(device):
    """`device` as torch says it, with an index: a ghost on "cuda" is on "cuda:0"."""
    device = torch.device(device)
    return torch.device("cuda", 0) if device.type == "cuda" and device.index is None else device
