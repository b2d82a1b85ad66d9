import argparse

from shapes.exp import Exp

parser = argparse.ArgumentParser()
parser.add_argument("-f", "--exp", type=str)
parser.add_argument("-d", "--devices", type=int, help="number of devices")
parser.add_argument("-b", "--batch-size", type=int, default=64, help="batch size")
parser.add_argument("--fp16", action="store_true")

if __name__ == "__main__":
    args = parser.parse_args()
    Exp().loader(args.batch_size, args.devices)
