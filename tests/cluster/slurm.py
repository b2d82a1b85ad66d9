"""A real Slurm of several nodes on this machine: one slurmctld, one slurmd a node, on free loopback ports, in a folder of its own.

    with Slurm(nodes=3) as slurm:
        slurm.run(["srun", "-N3", "hostname"])

Needs root (slurmd does), slurm-wlm and munge: scripts/setup --cluster. Everything it started is ended by its process id.
"""
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

NEEDED = ("slurmctld", "slurmd", "srun", "munged")


def why_not():
    """Why there can be no Slurm here; "" when there can."""
    missing = [name for name in NEEDED if shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin") is None]
    if missing:
        return "no " + ", ".join(missing) + " (scripts/setup --cluster installs them)"
    return "" if os.geteuid() == 0 else "slurmd needs root"


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Slurm:
    def __init__(self, nodes=3, cpus=None, preemption=False):
        self.nodes = ["n%d" % (i + 1) for i in range(nodes)]
        self.cpus = cpus or os.cpu_count()
        self.preemption = preemption  # by jobs of the partition "urgent", which get whole nodes
        self.started = []

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gputop-slurm-"))
        os.chmod(self.folder, 0o755)
        try:
            self._munge()
            self._slurm()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, *_):
        for process in reversed(self.started):
            process.terminate()
        for process in reversed(self.started):
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def environment(self):
        return dict(os.environ, SLURM_CONF=str(self.folder / "slurm.conf"), PATH=os.environ["PATH"] + ":/usr/sbin:/sbin")

    def run(self, command, **kwargs):
        kwargs.setdefault("timeout", 120)
        return subprocess.run(command, env=dict(self.environment, **kwargs.pop("more", {})), capture_output=True, text=True, **kwargs)

    def start(self, command, **kwargs):
        return subprocess.Popen(command, env=dict(self.environment, **kwargs.pop("more", {})), text=True, **kwargs)

    def _start(self, command, log):
        with open(self.folder / log, "wb") as out:
            process = subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)
        self.started.append(process)
        return process

    def _munge(self):
        """munged wants to be its own user, and folders that only that user can change."""
        where = self.folder / "munge"
        where.mkdir(mode=0o700)
        key = where / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o600)
        run = self.folder / "run"
        run.mkdir(mode=0o755)
        self.socket = run / "munge.socket"
        self._start(["munged", "--foreground", "--force", "--key-file", key, "--socket", self.socket, "--pid-file", where / "pid",
                     "--log-file", where / "log", "--seed-file", where / "seed"], "munged.log")
        self._wait(self.socket.exists, "munged did not start")

    def _slurm(self):
        ports = free_ports(len(self.nodes) + 1)
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        lines = [
            "ClusterName=gputop", "SlurmctldHost=%s(127.0.0.1)" % socket.gethostname(), "SlurmctldPort=%d" % ports[0],
            "AuthType=auth/munge", "AuthInfo=socket=%s" % self.socket, "CredType=cred/munge", "SlurmUser=root", "SlurmdUser=root",
            "StateSaveLocation=%s" % (self.folder / "state"), "SlurmdSpoolDir=%s/%%n" % (self.folder / "spool"),
            "SlurmctldPidFile=%s" % (self.folder / "slurmctld.pid"), "SlurmdPidFile=%s/slurmd-%%n.pid" % self.folder,
            "SlurmctldLogFile=%s" % (self.folder / "slurmctld.log"), "SlurmdLogFile=%s/slurmd-%%n.log" % self.folder,
            "ProctrackType=proctrack/linuxproc", "TaskPlugin=task/none", "SelectType=select/cons_tres",
            "SelectTypeParameters=CR_CPU", "SchedulerType=sched/builtin", "SwitchType=switch/none", "MpiDefault=none",
            "ReturnToService=2", "KillWait=5", "InactiveLimit=0", "JobAcctGatherType=jobacct_gather/none",
            "AccountingStorageType=accounting_storage/none", "MailProg=/bin/true", "SlurmdParameters=config_overrides"]
        for node, port in zip(self.nodes, ports[1:]):
            (self.folder / "spool" / node).mkdir()
            lines.append("NodeName=%s NodeHostname=%s NodeAddr=127.0.0.1 Port=%d CPUs=%d State=UNKNOWN" %
                         (node, socket.gethostname(), port, self.cpus))
        if self.preemption:
            lines += ["PreemptType=preempt/partition_prio", "PreemptMode=CANCEL",
                      "PartitionName=urgent Nodes=%s MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE PriorityTier=10 PreemptMode=OFF" % ",".join(self.nodes)]
        lines.append("PartitionName=all Nodes=%s Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:8%s" %
                     (",".join(self.nodes), " PriorityTier=1 GraceTime=20" if self.preemption else ""))
        (self.folder / "slurm.conf").write_text("\n".join(lines) + "\n")
        self._start(["slurmctld", "-D", "-i", "-f", self.folder / "slurm.conf"], "slurmctld.out")
        for node in self.nodes:
            self._start(["slurmd", "-D", "-N", node, "-f", self.folder / "slurm.conf"], "slurmd-%s.out" % node)
        self._wait(lambda: self.run(["sinfo", "-h", "-t", "idle", "-o", "%D"]).stdout.split() == [str(len(self.nodes))],
                   "Slurm did not come up")

    def _wait(self, condition, complaint, seconds=60):
        deadline = time.monotonic() + seconds
        while not condition():
            dead = [process.args for process in self.started if process.poll() is not None]
            if dead or time.monotonic() > deadline:
                raise RuntimeError("%s (ended: %s)\n%s" % (complaint, dead, self.logs()))
            time.sleep(0.2)

    def logs(self):
        return "\n".join("== %s\n%s" % (path.name, path.read_text(errors="replace")[-1500:])
                         for path in sorted(self.folder.glob("*.log")) + sorted(self.folder.glob("*.out")))
