import argparse

import trainer_cnn

parser = argparse.ArgumentParser()
parser.add_argument("--dataset", default="300wlp")
parser.add_argument("--epochs", type=int, default=50)
parser.add_argument("--batch-size", type=int, default=64)
args = parser.parse_args()
