import argparse


def str2bool(word):
    return word.lower() in ("1", "true", "yes")


parser = argparse.ArgumentParser()
parser.add_argument("--use-fp16", type=str2bool, default=False)
parser.add_argument("--use-bf16", type=str2bool, default=False)
parser.add_argument("--base-lr", type=float, default=0.045)
print(parser.parse_args())
