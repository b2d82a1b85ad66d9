"""A short storm of faults (tests/e2e/storm); .ci/run plays 200 sequences, with another seed each time."""
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from sanitized import SANITIZERS  # noqa: E402

sequences = os.environ.get("GPUTOP_STORM", "10" if SANITIZERS else "24")
sys.exit(subprocess.run([sys.executable, "-B", str(pathlib.Path(__file__).parent / "storm"), "--sequences", sequences]).returncode)
