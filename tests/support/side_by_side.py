"""side_by_side.py FILE_test.py: runs its tests at the same time, each in its own process, and fails if one does. For files
whose tests wait much more than they compute; tests/CMakeLists.txt says which."""
import concurrent.futures
import importlib.util
import os
import subprocess
import sys
import time
import unittest

from sanitized import SANITIZERS

AT_ONCE = int(os.environ.get("GPUTOP_AT_ONCE", "2" if SANITIZERS else "5"))


def names(path):
    """Class.test of every test in the file."""
    spec = importlib.util.spec_from_file_location("tests_of_file", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)

    def walk(suite):
        for one in suite:
            if isinstance(one, unittest.TestSuite):
                yield from walk(one)
            else:
                yield one.id().removeprefix(spec.name + ".")
    return list(walk(unittest.defaultTestLoader.loadTestsFromModule(module)))


def run(path, name):
    begin = time.monotonic()
    done = subprocess.run([sys.executable, "-B", path, "-v", name], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return name, done, time.monotonic() - begin


def main(path):
    tests = names(path)
    assert tests, f"{path}: no tests in it"
    failed = []
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        for name, done, seconds in pool.map(lambda name: run(path, name), tests):
            print(f"{'FAILED' if done.returncode else 'ok'} {name} ({seconds:.1f} s)")
            # Of a test that passed, what it left out.
            shown = [line for line in done.stdout.splitlines() if done.returncode or " skipped " in line or "not checked" in line]
            print("".join(f"  {line}\n" for line in shown), end="", flush=True)
            if done.returncode:
                failed.append(name)
    print(f"{len(tests)} tests, {len(failed)} failed: {' '.join(failed)}" if failed else f"{len(tests)} tests passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
