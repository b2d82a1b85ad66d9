from detectron2.config import LazyConfig, instantiate
from detectron2.engine import default_argument_parser, launch


def main(args):
    cfg = LazyConfig.load(args.config_file)
    cfg = LazyConfig.apply_overrides(cfg, args.opts)
    instantiate(cfg.model)


if __name__ == "__main__":
    args = default_argument_parser().parse_args()
    launch(main, args.num_gpus, args=(args,))
