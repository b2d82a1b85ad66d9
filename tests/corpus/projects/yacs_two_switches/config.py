from yacs.config import CfgNode as CN

_C = CN()
_C.DATA = CN()
_C.DATA.BATCH_SIZE = 128
# of the pretraining script
_C.ENABLE_AMP = False
# of the training
_C.AMP_ENABLE = True


def update_config(config, args):
    config.merge_from_file(args.cfg)
    if args.no_amp:
        config.AMP_ENABLE = False
