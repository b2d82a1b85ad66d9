"""Takes gputop's place: starts a program with the lens, collects its messages, and may answer."""
import json
import os
import pathlib
import selectors
import shutil
import socket
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(os.environ.get("GPUTOP_SOURCE", pathlib.Path(__file__).parents[2]))
TORCH_PYTHON = os.environ.get("GPUTOP_TORCH_PYTHON") or "/usr/bin/python3"


class Heard:
    """The messages of one run in order, each with the number of its connection."""

    def __init__(self):
        self.messages, self.stdout, self.stderr, self.code = [], "", "", None

    def of(self, kind, connection=None):
        return [message for message in self.messages
                if message["kind"] == kind and connection in (None, message["connection"])]

    def last(self, kind, connection=None):
        found = self.of(kind, connection)
        assert found, "no %s among %s\n%s" % (kind, [m["kind"] for m in self.messages], self.stderr)
        return found[-1]

    def loader(self, number=1, connection=None):
        """The last counts of a loader."""
        return next(loader for loader in self.last("tick", connection)["loaders"] if loader["id"] == number)

    def wait_share(self, number=1, connection=None, skip=0):
        """The share of the time between the tick after `skip` steps and the last one."""
        ticks = [tick for tick in self.of("tick", connection) if tick["steps"] >= skip]
        ends = [next(loader for loader in tick["loaders"] if loader["id"] == number) for tick in (ticks[0], ticks[-1])]
        wait, user = (ends[1][name] - ends[0][name] for name in ("wait", "user"))
        return wait / (wait + user)


class Monitor:
    def __init__(self, **environment):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lens."))
        shutil.copytree(SOURCE / "src" / "lens", self.folder / "lens",
                        ignore=shutil.ignore_patterns("*.cpp", "*.hpp", "__pycache__"))
        self.environment = dict(os.environ, PYTHONPATH=str(self.folder / "lens" / "inject"),
                                GPUTOP_LENS_SOCKET=str(self.folder / "socket"), OMP_NUM_THREADS="1")
        self.environment.update(environment)
        self.commands = []  # (when, command): when is asked with each message

    def __enter__(self):
        self.listen()
        return self

    def __exit__(self, *_):
        self.server.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def listen(self):
        self.server = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.server.bind(str(self.folder / "socket"))
        self.server.listen(64)
        self.server.setblocking(False)

    def script(self, text, name="train.py"):
        path = self.folder / name
        path.write_text(text)
        return str(path)

    def without(self, *command, timeout=240):
        """The same program without the lens."""
        environment = {name: value for name, value in self.environment.items()
                       if name not in ("PYTHONPATH", "GPUTOP_LENS_SOCKET")}
        return subprocess.run(command, env=environment, cwd=self.folder, capture_output=True, text=True, timeout=timeout)

    def run(self, *command, timeout=240):
        heard = Heard()
        output = [tempfile.TemporaryFile(), tempfile.TemporaryFile()]
        process = subprocess.Popen(command, env=self.environment, cwd=self.folder, stdout=output[0], stderr=output[1])
        connections, end, selector = {}, time.monotonic() + timeout, selectors.DefaultSelector()
        selector.register(self.server, selectors.EVENT_READ)
        try:
            while process.poll() is None or connections:
                if time.monotonic() > end:
                    raise AssertionError("timed out after %d s: %s" % (timeout, heard.messages[-3:]))
                for key, _ in selector.select(0.05):
                    self._serve(key.fileobj, connections, selector, heard)
        finally:
            if process.poll() is None:
                process.kill()
            heard.code = process.wait()
            for end_of in connections:
                end_of.close()
            selector.close()
            for file in output:
                file.seek(0)
            heard.stdout, heard.stderr = (file.read().decode() for file in output)
            for file in output:
                file.close()
        return heard

    def _serve(self, ready, connections, selector, heard):
        if ready is self.server:
            connection, _ = self.server.accept()
            connection.setblocking(False)
            connections[connection] = len({message["connection"] for message in heard.messages}) + len(connections)
            selector.register(connection, selectors.EVENT_READ)
            return
        try:
            text = ready.recv(1 << 18)
        except ConnectionError:
            text = b""
        if not text:
            selector.unregister(ready)
            ready.close()
            del connections[ready]
            return
        message = json.loads(text)
        message["connection"] = connections[ready]
        heard.messages.append(message)
        for entry in [entry for entry in self.commands if entry[0](message)]:
            self.commands.remove(entry)
            for connection in connections:
                connection.send(json.dumps(entry[1]).encode())


def python(*words):
    """The command of a Python that has torch."""
    return [TORCH_PYTHON, *words]


if __name__ == "__main__":  # lens_monitor.py CMD…: look at what a program says
    with Monitor() as monitor:
        for said in monitor.run(*sys.argv[1:], timeout=3600).messages:
            print(json.dumps(said))
