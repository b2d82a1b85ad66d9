"""The package says what is inside: every library that CMakeLists.txt links is in the SBOM, with its version, and in the list of licences."""
import json
import os
import pathlib
import re
import unittest

SOURCE = pathlib.Path(os.environ["GPUTOP_SOURCE"])
BUILD = pathlib.Path(os.environ["GPUTOP"]).parent
OF_THE_SYSTEM = {"Threads"}  # glibc's


def linked_libraries():
    text = (SOURCE / "CMakeLists.txt").read_text()
    return {name for links in re.findall(r"^gputop_module\(.*LINKS ([^)]*)\)", text, re.M)
            for name in re.findall(r"([\w-]+)::", links)} - OF_THE_SYSTEM


def setting(name):
    return re.search(rf"^{name}:[A-Z]+=(.*)$", (BUILD / "CMakeCache.txt").read_text(), re.M)[1]


def runtime_libraries():
    """Those of the compiler: inside the binary where nothing but glibc is linked dynamically."""
    if "zig" in setting("CMAKE_CXX_COMPILER"):
        return {"libc++"}
    gnu = "clang" not in setting("CMAKE_CXX_COMPILER")
    return {"libstdc++"} if setting("CMAKE_BUILD_TYPE") == "Release" and gnu else set()


def plain(name):
    return re.sub(r"^lib|[^a-z0-9+]", "", name.lower())


class Sbom(unittest.TestCase):
    def setUp(self):
        self.sbom = json.loads((BUILD / "sbom.spdx.json").read_text())
        self.parts = [package for package in self.sbom["packages"] if package["name"] != "gputop"]

    def test_names_every_linked_library(self):
        self.assertTrue(linked_libraries())
        self.assertEqual({plain(name) for name in linked_libraries() | runtime_libraries()}, {plain(part["name"]) for part in self.parts})

    def test_refers_to_what_it_names(self):
        known = {package["SPDXID"] for package in self.sbom["packages"]} | {"SPDXRef-DOCUMENT"}
        for relation in self.sbom["relationships"]:
            self.assertLessEqual({relation["spdxElementId"], relation["relatedSpdxElement"]}, known)
        for name in known:
            self.assertRegex(name, r"^SPDXRef-[A-Za-z0-9.-]+$")

    def test_knows_version_and_licence_of_each(self):
        for part in self.parts:
            with self.subTest(part["name"]):
                self.assertRegex(part["versionInfo"], r"^\d+\.\d+")
                self.assertRegex(part["licenseConcluded"], r"^(MIT|BSL-1.0|BSD-3-Clause|GPL-3.0-or-later WITH GCC-exception-3.1$|Apache-2.0 WITH LLVM-exception$)")

    def test_the_licences_are_listed(self):
        listed = (BUILD / "third-party-licenses.txt").read_text()
        for part in self.parts:
            self.assertIn(f"==== {part['name']} {part['versionInfo']} ({part['licenseConcluded']}) ====", listed)


if __name__ == "__main__":
    unittest.main()
