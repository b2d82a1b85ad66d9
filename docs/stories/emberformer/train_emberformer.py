import argparse

import yaml

parser = argparse.ArgumentParser()
parser.add_argument("--config", required=True)
parser.add_argument("--batch_size", type=int)
parser.add_argument("--lr_temporal", type=float)
parser.add_argument("--gpu", type=int, default=0)
args = parser.parse_args()
config = yaml.safe_load(open(args.config))
