"""The card that the script believes in: torch.cuda as it would answer with one."""
import contextlib
import types

import torch

from .stage import stage


class Stream(object):
    def __init__(self, device=None, priority=0, **kwargs):
        self.device = stage.place
        self.priority = priority
        self.cuda_stream = self.stream_id = 0
        self.device_index = 0
        self.device_type = 1

    def nothing(self, *args, **kwargs):
        return None
    synchronize = wait_event = wait_stream = nothing

    def is_capturing(self):
        return False

    def query(self):
        return True

    def record_event(self, event=None):
        return event or Event()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None


class Event(object):
    def __init__(self, enable_timing=False, blocking=False, interprocess=False, **kwargs):
        self.cuda_event = 0

    def record(self, stream=None):
        return None
    wait = synchronize = record

    def query(self):
        return True

    def elapsed_time(self, other):
        return 1.0


class Device(object):
    """torch.cuda.device as a context; there is only one card."""
    def __init__(self, device=None):
        self.idx = 0

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


class Graph(object):
    def __new__(cls, *args, **kwargs):
        from . import close
        close("a CUDA graph cannot be rehearsed: what it replays is not seen")


def own(answer):
    """A function of its own for each name: torch.compile's tables do not want to meet one twice."""
    return answer if isinstance(answer, type) else lambda *args, **kwargs: answer(*args, **kwargs)


def arrive(put):
    def replace(owner, name, answer):
        put(owner, name, own(answer))
    cuda = torch.cuda
    ledger = stage.ledger
    name = stage.name if stage.name.upper().startswith(("NVIDIA", "TESLA", "QUADRO", "GEFORCE")) else "NVIDIA " + stage.name
    properties = types.SimpleNamespace(
        name=name, major=stage.capability[0], minor=stage.capability[1], total_memory=stage.memory,
        multi_processor_count=stage.multiprocessors, is_integrated=0, is_multi_gpu_board=0, warp_size=32, gcnArchName="",
        max_threads_per_multi_processor=1536, regs_per_multiprocessor=65536, L2_cache_size=6 << 20, uuid="rehearsal",
        shared_memory_per_block=49152, shared_memory_per_block_optin=101376, shared_memory_per_multiprocessor=102400)
    stream = Stream()
    nothing = lambda *args, **kwargs: None  # noqa: E731
    seed = torch.initial_seed()
    allocated = lambda *args, **kwargs: ledger.current  # noqa: E731
    peak = lambda *args, **kwargs: ledger.peak  # noqa: E731
    stats = lambda *args, **kwargs: dict.fromkeys(  # noqa: E731
        ("allocated_bytes.all.current", "allocated_bytes.all.peak", "reserved_bytes.all.current", "reserved_bytes.all.peak",
         "num_alloc_retries", "num_ooms", "active_bytes.all.peak", "active_bytes.all.current"), 0)
    answers = dict(
        is_available=lambda: True, is_initialized=lambda: True, init=nothing, _lazy_init=nothing, _lazy_call=lambda call, **kw: None,
        device_count=lambda: 1, current_device=lambda: 0, set_device=nothing, device=Device, device_of=Device,
        get_device_name=lambda device=None: name, get_device_capability=lambda device=None: stage.capability,
        get_device_properties=lambda device=None: properties, get_arch_list=lambda: ["sm_%d%d" % stage.capability],
        mem_get_info=lambda device=None: (max(0, stage.memory - ledger.current - (600 << 20)), stage.memory),
        synchronize=nothing, empty_cache=nothing, ipc_collect=nothing, reset_peak_memory_stats=nothing, reset_max_memory_allocated=nothing,
        reset_max_memory_cached=nothing, reset_accumulated_memory_stats=nothing, set_per_process_memory_fraction=nothing,
        memory_allocated=allocated, memory_reserved=allocated, memory_cached=allocated, max_memory_allocated=peak,
        max_memory_reserved=peak, max_memory_cached=peak, memory_stats=stats, memory_summary=lambda *a, **k: "rehearsed",
        is_bf16_supported=lambda including_emulation=True: stage.capability[0] >= 8 or including_emulation,
        is_tf32_supported=lambda: stage.capability[0] >= 8, utilization=lambda device=None: 100, can_device_access_peer=lambda *a: False,
        current_stream=lambda device=None: stream, default_stream=lambda device=None: stream, set_stream=nothing,
        stream=lambda given: contextlib.nullcontext(given), Stream=Stream, Event=Event, ExternalStream=Stream, CUDAGraph=Graph,
        manual_seed=nothing, manual_seed_all=nothing, seed=nothing, seed_all=nothing, initial_seed=lambda: seed,
        get_rng_state=lambda device="cuda": torch.zeros(16, dtype=torch.uint8), set_rng_state=nothing,
        get_rng_state_all=lambda: [torch.zeros(16, dtype=torch.uint8)], set_rng_state_all=nothing,
        is_current_stream_capturing=lambda: False, _is_compiled=lambda: True, _sleep=nothing)
    for key, value in answers.items():
        if hasattr(cuda, key):
            replace(cuda, key, value)
    if hasattr(cuda, "memory"):
        for key in ("mem_get_info", "memory_allocated", "memory_reserved", "max_memory_allocated", "max_memory_reserved", "empty_cache",
                    "reset_peak_memory_stats", "memory_stats", "set_per_process_memory_fraction"):
            replace(cuda.memory, key, answers[key])
    for key in ("get_rng_state", "set_rng_state", "manual_seed", "manual_seed_all", "get_rng_state_all", "set_rng_state_all"):
        if hasattr(cuda, "random"):
            replace(cuda.random, key, answers[key])
    for key, value in (("_cuda_getDeviceCount", lambda: 1), ("_cuda_getDevice", lambda: 0), ("_cuda_setDevice", nothing),
                       ("_cuda_synchronize", nothing), ("_cuda_emptyCache", nothing), ("_cuda_isInBadFork", lambda: False),
                       ("_cuda_getArchFlags", lambda: "sm_%d%d" % stage.capability), ("_cuda_maybeExchangeDevice", lambda index: 0),
                       ("_cuda_exchangeDevice", lambda index: 0), ("_cuda_getCurrentRawStream", lambda index: 0),
                       ("_cuda_resetPeakMemoryStats", nothing), ("_cuda_clearCublasWorkspaces", nothing)):
        if hasattr(torch._C, key):
            replace(torch._C, key, value)
    if hasattr(torch._C, "_ensureCUDADeviceGuardSet"):
        torch._C._ensureCUDADeviceGuardSet()    # C++ asks for the current device when a script says just "cuda"
    if hasattr(torch._C, "_set_only_lift_cpu_tensors"):
        torch._C._set_only_lift_cpu_tensors(True)   # torch.tensor([…], device="cuda") is made on the host, then moved
    accelerator(replace, stream)
    replace(torch.backends.cuda, "is_built", lambda: True)
    replace_cudnn(replace)


def accelerator(replace, stream):
    module = getattr(torch, "accelerator", None)
    if module is None:
        return
    nothing = lambda *args, **kwargs: None  # noqa: E731
    answers = dict(is_available=lambda: True, device_count=lambda: 1, current_device_index=lambda: 0, current_device_idx=lambda: 0,
                   current_accelerator=lambda check_available=False: torch.device("cuda"), set_device_index=nothing, set_device_idx=nothing,
                   synchronize=nothing, empty_cache=nothing, current_stream=lambda device=None: stream, set_stream=nothing,
                   memory_allocated=lambda *a: stage.ledger.current, max_memory_allocated=lambda *a: stage.ledger.peak,
                   memory_reserved=lambda *a: stage.ledger.current, max_memory_reserved=lambda *a: stage.ledger.peak,
                   reset_peak_memory_stats=nothing)
    for key, value in answers.items():
        if hasattr(module, key):
            replace(module, key, value)


def replace_cudnn(replace):
    """Flags may be set; the library itself is not there to ask, so recurrent layers are ours (recurrent.py)."""
    for key, value in (("is_available", lambda: True), ("version", lambda: 90100), ("is_acceptable", lambda tensor: False)):
        try:
            setattr(torch.backends.cudnn, key, value)
        except (AttributeError, RuntimeError):
            pass
