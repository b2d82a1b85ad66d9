"""`cmake --install`, and so every package: the program, its man page, completions for three shells, and each theme and config."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["GPUTOP"]).parent
SOURCE = pathlib.Path(os.environ.get("GPUTOP_SOURCE", pathlib.Path(__file__).parents[2]))


@unittest.skipUnless(shutil.which("cmake") and (BUILD / "cmake_install.cmake").exists(), "no cmake, or not a build folder")
class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="install.")
        cls.addClassCleanup(folder.cleanup)
        subprocess.run(["cmake", "--install", BUILD, "--prefix", folder.name], check=True, capture_output=True)
        root = pathlib.Path(folder.name)
        cls.files = {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}
        cls.empty = [path for path in root.rglob("*") if path.is_dir() and not any(path.iterdir())]

    def test_every_theme_and_config_comes_along(self):
        for kind in ("themes", "configs"):
            for path in (SOURCE / kind).rglob("*"):
                if path.is_file():
                    self.assertIn(f"share/gputop/{path.relative_to(SOURCE)}", self.files)
        self.assertEqual([], self.empty)

    def test_what_shells_and_man_look_for(self):
        self.assertIn("bin/gputop", self.files)
        self.assertTrue({"share/man/man1/gputop.1.gz", "share/man/man1/gputop.1"} & self.files)
        for name in ("bash-completion/completions/gputop", "zsh/vendor-completions/_gputop", "zsh/site-functions/_gputop",
                     "fish/vendor_completions.d/gputop.fish"):
            self.assertIn(f"share/{name}", self.files)


if __name__ == "__main__":
    unittest.main()
