"""The release binary is one file: it needs nothing but glibc, is stripped, and is small enough to copy over a thin line."""
import os
import pathlib
import re
import shutil
import struct
import subprocess
import unittest

GPUTOP = pathlib.Path(os.environ["GPUTOP"])
SOURCE = pathlib.Path(os.environ.get("GPUTOP_SOURCE", pathlib.Path(__file__).parents[2]))
GLIBC = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libresolv.so.2", "ld-linux-x86-64.so.2",
         "ld-linux-aarch64.so.1"}
LARGEST = 7_000_000

SECTION_SYMTAB, SECTION_DYNAMIC, TAG_NEEDED = 2, 6, 1


class Elf:
    """As much of a 64-bit little-endian ELF file as the tests ask for."""

    def __init__(self, data):
        if data[:6] != b"\x7fELF\x02\x01":
            raise ValueError("not a 64-bit little-endian ELF file")
        self.data = data
        table, = struct.unpack_from("<Q", data, 0x28)
        size, count = struct.unpack_from("<HH", data, 0x3A)
        # type, offset, size, and the index of the section that holds this one's strings
        self.sections = [struct.unpack_from("<4xI16xQQI", data, table + size * index) for index in range(count)]

    def has_symbols(self):
        return any(kind == SECTION_SYMTAB for kind, *_ in self.sections)

    def needed(self):
        libraries = set()
        for kind, offset, size, strings in self.sections:
            if kind == SECTION_DYNAMIC:
                for tag, value in struct.iter_unpack("<QQ", self.data[offset:offset + size]):
                    if tag == TAG_NEEDED:
                        start = self.sections[strings][1] + value
                        libraries.add(self.data[start:self.data.index(b"\0", start)].decode())
        return libraries


def is_release():
    """Whether the build folder that the binary lies in was configured as Release."""
    cache = GPUTOP.parent / "CMakeCache.txt"
    return cache.is_file() and "CMAKE_BUILD_TYPE:STRING=Release" in cache.read_text().splitlines()


@unittest.skipUnless(is_release(), "not a release build")
class TheReleaseBinary(unittest.TestCase):
    def setUp(self):
        self.elf = Elf(GPUTOP.read_bytes())

    def test_needs_glibc_and_nothing_else(self):
        needed = self.elf.needed()
        self.assertIn("libc.so.6", needed)
        self.assertEqual(set(), needed - GLIBC)

    def test_is_stripped(self):
        self.assertFalse(self.elf.has_symbols())

    def test_is_small(self):
        self.assertLessEqual(GPUTOP.stat().st_size, LARGEST)


def glibc_versions(program):
    """The versions of glibc's symbols that it needs, by objdump: {(2, 17), …}."""
    shown = subprocess.run(["objdump", "-p", program], capture_output=True, text=True, check=True).stdout
    return {tuple(map(int, found.split("."))) for found in re.findall(r"\bGLIBC_(\d+(?:\.\d+)+)\b", shown)}


@unittest.skipUnless(shutil.which("objdump"), "objdump is not installed")
class ThePortableBinary(unittest.TestCase):
    def test_needs_no_symbol_newer_than_glibc_2_17(self):
        for machine in ("x86_64", "aarch64"):
            with self.subTest(machine):
                program = SOURCE / "build" / f"portable-{machine}" / "gputop"
                if not program.exists():
                    self.skipTest(f"scripts/build --portable {machine} was not run")
                self.assertLessEqual(max(glibc_versions(program)), (2, 17))
                self.assertEqual(set(), Elf(program.read_bytes()).needed() - GLIBC)
                self.assertLessEqual(program.stat().st_size, LARGEST)

    def test_a_program_of_this_machine_would_be_noticed(self):
        self.assertGreater(max(glibc_versions(GPUTOP)), (2, 17))


class TheReader(unittest.TestCase):
    """Guards the tests above against a reader that sees nothing."""

    def test_sees_the_libraries_and_symbols_of_a_program_that_has_them(self):
        unit = next(GPUTOP.parent.glob("tests/unit_*"), None)
        if unit is None:
            self.skipTest("no unit test program was built")
        elf = Elf(unit.read_bytes())
        self.assertTrue(any(name.startswith("libstdc++.so") for name in elf.needed()))
        self.assertTrue(elf.has_symbols())


if __name__ == "__main__":
    unittest.main()
