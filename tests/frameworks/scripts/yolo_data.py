"""A few images with a box each, in the layout Ultralytics reads: yolo_data.py FOLDER."""
import pathlib
import sys

import numpy
from PIL import Image


def write(folder, train=240, val=8):
    folder = pathlib.Path(folder).resolve()
    random = numpy.random.default_rng(0)
    for part, count in (("train", train), ("val", val)):
        for kind in ("images", "labels"):
            (folder / kind / part).mkdir(parents=True, exist_ok=True)
        for index in range(count):
            image = Image.fromarray(random.integers(0, 255, (64, 64, 3), dtype=numpy.uint8))
            image.save(folder / "images" / part / f"{index}.jpg")
            (folder / "labels" / part / f"{index}.txt").write_text("0 0.5 0.5 0.4 0.4\n")
    (folder / "data.yaml").write_text(f"path: {folder}\ntrain: images/train\nval: images/val\nnames: [thing]\n")
    return folder / "data.yaml"


if __name__ == "__main__":
    write(sys.argv[1])
