import sys

from omegaconf import OmegaConf as om

with open(sys.argv[1]) as f:
    cfg = om.merge(om.load(f), om.from_cli(sys.argv[2:]))
