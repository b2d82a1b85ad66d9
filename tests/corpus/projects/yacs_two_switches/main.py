import argparse

import torch

from config import _C, update_config

parser = argparse.ArgumentParser()
parser.add_argument("--cfg")
parser.add_argument("--no_amp", action="store_true")


def fit(config, model, batch):
    with torch.autocast("cuda", enabled=config.AMP_ENABLE):
        return model(batch)


if __name__ == "__main__":
    update_config(_C, parser.parse_args())
