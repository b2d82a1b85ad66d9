"""Recordings of runs that teams told us about, written instead of waited for: `recording_tool write` creates the file.

A Story is a run of `seconds` on one GPU, with the lens's messages. Sizes are in GiB, shares in percent.
"""
import json
import os
import subprocess

GiB = 1 << 30
RECORDING_TOOL = os.environ["GPUTOP_RECORDING_TOOL"]
PID = 4000


class Story:
    def __init__(self, card, memory, capability, used, utilization, seconds=90, cores=8, **more):
        self.card, self.memory, self.capability, self.used, self.utilization, self.seconds, self.cores = (
            card, memory, capability, used, utilization, seconds, cores)
        self.power, self.power_limit = more.pop("power", 200), more.pop("power_limit", 350)
        self.watts = more.pop("watts", lambda second: self.power)
        self.settings = dict(batch=8, accumulation=1, workers=2, prefetch=2, optimizer="torch.optim.adam.Adam", lr=0.001, parameters=50_000_000,
                             precision="fp32", torch="2.4.1", convolutions=False, threads=1, step=0.1, wait=1, fetch_cpu=90)
        self.host = dict(cpu=30, disk_busy=3, cpu_pressure=1, io_wait=0)
        self.workers = dict(cpu=20, state="S")
        self.parts = more.pop("parts", {})  # GiB of parameters, gradients, optimizer, activations
        self.output = more.pop("output", "")
        self.earlier = more.pop("earlier", [])
        self.ends = more.pop("ends", None)
        for name, value in more.items():
            (self.settings if name in self.settings else self.host)[name] = value

    def lines(self):
        yield 0, "stream", {"wall": 1794921860000, "gputop_version": "test", "hostname": "host", "interval_ms": 1000}
        yield 0, "source", {"source": "nvml", "state": "ok", "message": "", "driver_version": "550.54", "simulated": False}
        yield 0, "run", {"id": "story", "name": "train.py", "argv": ["python", "train.py"], "directory": "/data", "pid": PID, "terminal": True}
        if self.earlier:
            yield 0, "earlier_runs", {"points": self.earlier}
        yield 0, "output", {"stream": 0, "offset": 0, "text": self.output or "training\r\n"}
        yield from self._lens_begins()
        for second in range(self.seconds):
            yield from self._second(second)
        if self.ends:
            text, event = self.ends
            yield self.seconds, "output", {"stream": 0, "offset": len(self.output or "training\r\n"), "text": text}
            yield self.seconds, "run_ended", event

    def _lens_begins(self):
        s = self.settings
        kinds = [{"name": "Conv2d" if s["convolutions"] else "Linear", "count": 20}]
        root = {"class": "Net", "wrappers": [], "params": s["parameters"], "bytes": 4 * s["parameters"], "trainable": s["parameters"],
                "buffers": 0, "kinds": kinds, "checkpointing": False, "compiled": False, "channels_last": False}
        autocast = [{"device": "cuda", "type": "bfloat16", "enabled": True}] if s["precision"] == "amp-bf16" else []
        yield 1, "lens_hello", {"of": PID, "proto": 1, "pid": PID, "ppid": 1, "py": "3.11.2", "torch": s["torch"], "cuda": "12.1",
                                "start_method": "fork", "threads": s["threads"]}
        yield 1, "lens_optimizer", {"of": PID, "id": 1, "class": s["optimizer"], "params": s["parameters"], "bytes": 4 * s["parameters"],
                                    "groups": 1, "lr": [s["lr"]], "momentum": 0.0}
        yield 1, "lens_loader", {"of": PID, "id": 1, "site": "train.py:14", "dataset": "Images", "len": 100000, "batches": 100000 // s["batch"],
                                 "batch_size": s["batch"], "num_workers": s["workers"], "pin_memory": True, "prefetch_factor": s["prefetch"],
                                 "persistent": True, "drop_last": True, "sampler": "RandomSampler", "mp_context": "fork", "iterable": False,
                                 "applied": [], "refused": []}
        yield 1, "lens_env", {"of": PID, "tf32_matmul": False, "tf32_conv": True, "cudnn_benchmark": False, "threads": s["threads"],
                              "autocast": autocast, "scaler": False, "checkpointing": False, "device": 0, "device_name": self.card,
                              "device_uuid": "GPU-0"}
        yield 1, "lens_model", {"of": PID, "roots": [root], "optimizer_bytes": int(self.parts.get("optimizer", 0) * GiB), "cost_ms": 1}
        if self.parts:
            bytes_of = {name: int(self.parts.get(name, 0) * GiB) for name in ("parameters", "gradients", "optimizer", "activations")}
            yield 2, "lens_mem_probe", {"of": PID, "step": 3, "activation_bytes": bytes_of["activations"], "batch": s["batch"],
                                        "param_bytes": bytes_of["parameters"], "grad_bytes": bytes_of["gradients"],
                                        "state_bytes": bytes_of["optimizer"], "skipped": 0, "top": [], "cost_ms": 1}

    def _second(self, second):
        s, step = self.settings, self.settings["step"]
        utilization = self.utilization(second) if callable(self.utilization) else self.utilization
        yield second, "gpus", [{"name": self.card, "utilization": utilization, "memory_used": int(self.used * GiB),
                                "memory_total": int(self.memory * GiB), "power": self.watts(second), "power_limit": self.power_limit,
                                "temperature": 61, "sm_clock": 1800, "max_sm_clock": 1860, "capability": self.capability, "pid": PID,
                                "pid_memory": int(self.used * GiB)}]
        yield second, "host", {"cores": self.cores, "memory_total": 64 * GiB, "memory_used": 16 * GiB, **self.host}
        command = "python train.py"
        yield second, "processes", [{"pid": PID, "parent": 1, "root": PID, "command": command, "state": "R", "cpu": 100}] + [
            {"pid": PID + 1 + i, "parent": PID, "root": PID, "command": command, **self.workers} for i in range(s["workers"])]
        batches = int(second / step)
        wait = s["wait"] / 100
        yield second, "lens_tick", {
            "of": PID, "steps": batches // s["accumulation"], "backwards_per_step": float(s["accumulation"]), "lr": [s["lr"]],
            "loaders": [{"id": 1, "batches": batches, "wait": batches * step * wait, "user": batches * step * (1 - wait), "pause": 0.0,
                         "longest": 0.01, "first": 1, "first_wait": 0.1, "epoch": 1, "steps": batches // s["accumulation"],
                         "batch": s["batch"], "shapes": [], "fetch_cpu": s["fetch_cpu"] / 100 if s["workers"] == 0 else None}],
            "cuda": [], "dropped": 0}

    def write(self, path):
        lines = sorted(self.lines(), key=lambda line: line[0])
        text = "".join(json.dumps({"t": second * 1000, kind: event}) + "\n" for second, kind, event in lines)
        subprocess.run([RECORDING_TOOL, "write", str(path)], input=text, text=True, check=True)
        return path
