"""Bytes that one step copies from the host to a GPU, and how: from pageable or pinned memory, waiting for each or not."""

NOT_A_GPU = ("cpu", "meta")


class Copies(object):
    copied = pageable = waited = 0

    def __init__(self, aten):
        self.moves, self.fills = aten._to_copy, aten.copy_

    def add(self, packet, args, kwargs, out):
        """One operation that has just run; most are no copy."""
        if packet is self.moves:
            source, target = args[0], out
            waits = not kwargs.get("non_blocking", False)
        elif packet is self.fills:
            target, source = args[0], args[1]
            waits = not (args[2] if len(args) > 2 else kwargs.get("non_blocking", False))
        else:
            return
        if source.device.type != "cpu" or target.device.type in NOT_A_GPU:
            return
        size = source.numel() * source.element_size()
        self.copied += size
        if not source.is_pinned():
            self.pageable += size
        if waits:
            self.waited += size
