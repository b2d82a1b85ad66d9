import argparse

import yaml

parser = argparse.ArgumentParser()
parser.add_argument("--config-file")
parser.add_argument("--auto-scale-lr", action="store_true")


def merge_args(cfg, args):
    if args.auto_scale_lr:
        cfg.auto_scale_lr.enable = True


if __name__ == "__main__":
    given = parser.parse_args()
    merge_args(yaml.safe_load(open(given.config_file)), given)
