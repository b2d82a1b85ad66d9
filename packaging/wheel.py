"""packaging/wheel.py BUILD ARCH FOLDER: writes FOLDER/gputop-VERSION-py3-none-manylinux_2_17_ARCH.whl from build/portable-ARCH.

The wheel format needs no build system: the binary is one of the wheel's scripts, so starting it costs no Python. Two runs on the
same files write the same bytes (SOURCE_DATE_EPOCH, else the last commit)."""
import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
SUMMARY = "Watch, understand and improve a training run from the terminal it runs in"


def moment():
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch is None:
        found = subprocess.run(["git", "-C", ROOT, "log", "-1", "--format=%ct"], capture_output=True, text=True, check=False)
        epoch = found.stdout.strip() or "315532800"
    return time.gmtime(max(int(epoch), 315532800))[:6]  # a zip's time begins in 1980


def version_of(build):
    found = re.search(r"^CMAKE_PROJECT_VERSION:STATIC=(.+)$", (build / "CMakeCache.txt").read_text(), re.M)
    return found[1]


def metadata(version):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    return f"""Metadata-Version: 2.4
Name: gputop
Version: {version}
Summary: {SUMMARY}
License-Expression: MIT
License-File: LICENSE
License-File: third-party-licenses.txt
Keywords: gpu,monitoring,training,pytorch,nvidia
Classifier: Environment :: Console
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: System :: Monitoring
Requires-Python: >=3.8
Description-Content-Type: text/markdown

{readme}"""


def entries(build, arch, version):
    """(name, bytes, executable) of everything but RECORD."""
    info, data = f"gputop-{version}.dist-info", f"gputop-{version}.data"
    module = ROOT / "packaging" / "python" / "gputop"
    for name in ("__init__.py", "__main__.py", "py.typed"):
        yield f"gputop/{name}", (module / name).read_bytes(), False
    yield f"{data}/scripts/gputop", (build / "gputop").read_bytes(), True
    cli = ROOT / "packaging" / "cli"
    for name, place in (("gputop.1", "man/man1/gputop.1"), ("gputop.bash", "bash-completion/completions/gputop"),
                        ("_gputop", "zsh/site-functions/_gputop"), ("gputop.fish", "fish/vendor_completions.d/gputop.fish")):
        yield f"{data}/data/share/{place}", (cli / name).read_bytes(), False
    yield f"{info}/METADATA", metadata(version).encode(), False
    tags = "".join(f"Tag: py3-none-{tag}_{arch}\n" for tag in ("manylinux_2_17", "manylinux2014"))
    yield f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: gputop\nRoot-Is-Purelib: false\n{tags}".encode(), False
    yield f"{info}/licenses/LICENSE", (ROOT / "LICENSE").read_bytes(), False
    yield f"{info}/licenses/third-party-licenses.txt", (build / "third-party-licenses.txt").read_bytes(), False
    yield f"{info}/sboms/gputop.spdx.json", (build / "sbom.spdx.json").read_bytes(), False


def main():
    build, arch, folder = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    version, when = version_of(build), moment()
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"gputop-{version}-py3-none-manylinux_2_17_{arch}.manylinux2014_{arch}.whl"
    record = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        def add(name, content, executable=False):
            entry = zipfile.ZipInfo(name, when)
            entry.external_attr = (0o100755 if executable else 0o100644) << 16
            entry.create_system = 3
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
        for name, content, executable in entries(build, arch, version):
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(content)}\n")
            add(name, content, executable)
        add(f"gputop-{version}.dist-info/RECORD", "".join(record) + f"gputop-{version}.dist-info/RECORD,,\n")
    print(wheel)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main()
