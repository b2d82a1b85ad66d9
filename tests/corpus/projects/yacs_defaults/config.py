from yacs.config import CfgNode as CN

_C = CN()
_C.DATA = CN()
_C.DATA.BATCH_SIZE = 128
_C.DATA.IMG_SIZE = 224
_C.DATA.NUM_WORKERS = 8
_C.TRAIN = CN()
_C.TRAIN.BASE_LR = 5e-4
_C.TRAIN.USE_CHECKPOINT = False


def get_config(args):
    config = _C.clone()
    config.merge_from_file(args.cfg)
    if args.batch_size:
        config.DATA.BATCH_SIZE = args.batch_size
    return config
