import argparse

from mmengine.config import Config, DictAction
from mmengine.runner import Runner


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument('config')
    parser.add_argument('--work-dir')
    parser.add_argument('--amp', action='store_true')
    parser.add_argument('--auto-scale-lr', action='store_true')
    parser.add_argument('--cfg-options', nargs='+', action=DictAction)
    return parser.parse_args()


if __name__ == '__main__':
    args = parse_args()
    cfg = Config.fromfile(args.config)
    if args.amp:
        cfg.optim_wrapper.type = 'AmpOptimWrapper'
    if args.cfg_options is not None:
        cfg.merge_from_dict(args.cfg_options)
    Runner.from_cfg(cfg).train()
