"""Nothing of the user's is written: what the job writes, makes, renames or deletes happens in a folder of the rehearsal's own.
What it wrote there it finds again under the name it gave it; everything else it reads from where it is."""
import builtins
import functools
import io
import os
import tempfile

_REAL = ("/dev/", "/proc/", "/sys/", "/run/", "/var/run/")
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def guarded(report):
    """Folders that the kernel overlays for every program of this job (src/rehearsal/write_guard.cpp): writing there is nobody's
    loss, and C code sees what Python wrote."""
    try:
        with _open(report) as file:
            return tuple(line + os.sep for line in file.read().split("\n")[1:] if line)
    except (OSError, TypeError):
        return ()


class Overlay(object):
    def __init__(self, root, guarded_folders=()):
        self.root = os.path.realpath(root)
        self.real = _REAL + tuple(guarded_folders)
        self.gone = set()        # paths that the job believes it has deleted

    def inside(self, path):
        """Where writing to `path` goes, or None where it may be real: devices, the rehearsal's own folder."""
        try:
            path = os.path.abspath(os.fsdecode(path))
        except (TypeError, ValueError):
            return None          # a descriptor
        if (path + os.sep).startswith(self.real) or path == self.root or path.startswith(self.root + os.sep):
            return None
        return self.root + os.sep + "written" + path

    def there(self, path):
        """The job's own version of `path`, if it has written one."""
        twin = self.inside(path)
        return twin if twin is not None and self.has(twin) else None

    def has(self, twin):
        try:
            _lstat(twin)
            return True
        except OSError:
            return False

    def parents(self, twin):
        folder = os.path.dirname(twin)
        missing = []
        while not self.has(folder):
            missing.append(folder)
            folder = os.path.dirname(folder)
        for one in reversed(missing):
            _mkdir(one)

    def begin_writing(self, path, keep):
        """The twin to be written; with the real file's content, if that is kept."""
        twin = self.inside(path)
        if twin is None:
            return path
        fresh = not self.has(twin)
        real = os.path.abspath(os.fsdecode(path))
        if fresh and not self.has(os.path.dirname(twin)):
            if not self.has(os.path.dirname(real)):
                raise FileNotFoundError(2, "No such file or directory", real)
            self.parents(twin)
        if fresh and keep and real not in self.gone:
            try:
                with _open(real, "rb") as source, _open(twin, "wb") as target:
                    target.write(source.read())
            except OSError:
                pass
        self.gone.discard(real)
        return twin


_lstat, _mkdir, _open = os.lstat, os.mkdir, open
real_open = os.open


def arrive(replace, scratch, guard=None):
    if not scratch:
        return
    overlay = Overlay(scratch, guarded(guard))
    temporary = os.path.join(overlay.root, "tmp")
    if not overlay.has(temporary):
        _mkdir(temporary)
    os.environ["TMPDIR"] = tempfile.tempdir = temporary

    def opened(file, mode="r", *args, **kwargs):
        if not isinstance(file, int):
            if any(letter in mode for letter in "wax+"):
                file = overlay.begin_writing(file, "w" not in mode)
            else:
                file = overlay.there(file) or file
        return _open(file, mode, *args, **kwargs)

    low = os.open

    def low_open(path, flags, mode=0o777, *, dir_fd=None):
        if dir_fd is None:
            path = overlay.begin_writing(path, not flags & os.O_TRUNC) if flags & _WRITING else overlay.there(path) or path
        elif flags & _WRITING:
            raise PermissionError(1, "a rehearsal writes nothing", path)
        return low(path, flags, mode, dir_fd=dir_fd)

    def mkdir(path, mode=0o777, *, dir_fd=None):
        twin = overlay.inside(path) if dir_fd is None else None
        if twin is None:
            return _mkdir(path, mode, dir_fd=dir_fd)
        real = os.path.abspath(os.fsdecode(path))
        if overlay.has(twin) or (overlay.has(real) and real not in overlay.gone):
            raise FileExistsError(17, "File exists", path)
        if not overlay.has(os.path.dirname(real)) and not overlay.has(os.path.dirname(twin)):
            raise FileNotFoundError(2, "No such file or directory", path)
        overlay.parents(twin)
        overlay.gone.discard(real)
        return _mkdir(twin, mode)

    def deletes(real):
        @functools.wraps(real)
        def delete(path, *args, **kwargs):
            twin = overlay.inside(path)
            if twin is None:
                return real(path, *args, **kwargs)
            plain = os.path.abspath(os.fsdecode(path))
            if kwargs.get("dir_fd") is not None:
                return None
            known = overlay.has(twin)
            if not known and (plain in overlay.gone or not overlay.has(plain)):
                raise FileNotFoundError(2, "No such file or directory", path)
            if known:
                real(twin)
            overlay.gone.add(plain)
            return None
        return delete

    def moves(real):
        @functools.wraps(real)
        def move(source, target, *args, **kwargs):
            if overlay.inside(source) is None and overlay.inside(target) is None:
                return real(source, target, *args, **kwargs)
            here = overlay.there(source) or overlay.begin_writing(source, True)
            there = overlay.inside(target)
            if there is not None:
                overlay.parents(there)
                overlay.gone.discard(os.path.abspath(os.fsdecode(target)))
            overlay.gone.add(os.path.abspath(os.fsdecode(source)))
            return real(here, there or target)
        return move

    def reads(real):
        @functools.wraps(real)
        def read(path=".", *args, **kwargs):
            if not isinstance(path, int) and kwargs.get("dir_fd") is None:
                twin = overlay.there(path)
                if twin is None and overlay.gone and os.path.abspath(os.fsdecode(path)) in overlay.gone:
                    raise FileNotFoundError(2, "No such file or directory", path)
                path = twin or path
            return real(path, *args, **kwargs)
        return read

    def ignores(real):
        @functools.wraps(real)
        def ignore(path, *args, **kwargs):
            twin = overlay.inside(path) if not isinstance(path, int) else None
            if twin is None or overlay.has(twin):
                return real(twin or path, *args, **kwargs)
            return None
        return ignore

    listing = os.listdir

    def listdir(path="."):
        twin = overlay.there(path) if not isinstance(path, int) else None
        if twin is None:
            return listing(path)
        try:
            names = listing(path)
        except OSError:
            names = []
        folder = os.path.abspath(os.fsdecode(path))
        return sorted({name for name in names if os.path.join(folder, name) not in overlay.gone} | set(listing(twin)))

    replace(builtins, "open", opened)
    replace(io, "open", opened)
    replace(os, "open", low_open)
    replace(os, "mkdir", mkdir)
    replace(os, "listdir", listdir)
    for name in ("remove", "unlink", "rmdir"):
        replace(os, name, deletes(getattr(os, name)))
    for name in ("rename", "replace", "link", "symlink"):
        replace(os, name, moves(getattr(os, name)))
    for name in ("stat", "lstat", "access", "scandir", "readlink"):
        replace(os, name, reads(getattr(os, name)))
    for name in ("chmod", "chown", "utime", "truncate"):
        replace(os, name, ignores(getattr(os, name)))
