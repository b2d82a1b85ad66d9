import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--cfg")
parser.add_argument("opts", nargs=argparse.REMAINDER)


def loader(cfg):
    batch_size = int(cfg.TRAIN.BATCH_SIZE / max(1, cfg.NUM_GPUS))
    return batch_size


print(parser.parse_args())
