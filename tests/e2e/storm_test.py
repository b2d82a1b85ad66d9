"""200 sequences of the storm of faults (tests/e2e/storm), a tenth of that where a sanitizer makes everything slow."""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from sanitized import SANITIZERS  # noqa: E402

storm = [sys.executable, "-B", str(pathlib.Path(__file__).parent / "storm"), "--sequences", "20" if SANITIZERS else "200", "--seed", "1",
         "--at-once", "4", "--again", "2"]
sys.exit(subprocess.run(storm).returncode)
