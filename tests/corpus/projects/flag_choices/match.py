import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--mixed_precision", default=None, choices=["float16", "bfloat16"])
args = parser.parse_args()
