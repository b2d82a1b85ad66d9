import argparse

from hparams import create_hparams

parser = argparse.ArgumentParser()
parser.add_argument("--output")
parser.add_argument("--hparams", help="comma separated name=value pairs")
args = parser.parse_args()
hparams = create_hparams(args.hparams)
