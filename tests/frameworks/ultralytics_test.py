"""Ultralytics: gputop knows what the run itself measures, and the run prints, learns and ends as it does without gputop."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from framework_run import ENVIRONMENT, PYTHON, FrameworkTest  # noqa: E402


class Ultralytics(FrameworkTest):
    def test_ultralytics(self):
        self.check(PYTHON, "detect.py")

    def test_the_yolo_command(self):
        yolo = f"{PYTHON} yolo_data.py things && exec {ENVIRONMENT / 'bin' / 'yolo'} detect train model=yolo11n.yaml data=things/data.yaml " \
               "epochs=2 imgsz=64 batch=8 workers=2 device=cpu plots=False project=runs name=t exist_ok=True optimizer=SGD nbs=8"
        bare = self.bare("sh", "-c", yolo)
        watched = self.watched("sh", "-c", yolo)
        self.same_output(bare, watched)
        # On a CPU it takes no workers, whatever was asked for.
        self.assertEqual((8, 0, 1), tuple(watched.fact(name) for name in ("batch_size", "workers", "accumulation")))
        self.assertIsNotNone(watched.fact("input_wait_share"))


if __name__ == "__main__":
    unittest.main()
