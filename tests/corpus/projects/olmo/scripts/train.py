import sys

from olmo.config import TrainConfig

cfg = TrainConfig.load(sys.argv[1], sys.argv[2:])
