from detectron2.config import get_cfg
from detectron2.engine import DefaultTrainer, default_argument_parser, launch


def main(args):
    cfg = get_cfg()
    cfg.merge_from_file(args.config_file)
    cfg.merge_from_list(args.opts)
    return DefaultTrainer(cfg).train()


if __name__ == "__main__":
    args = default_argument_parser().parse_args()
    launch(main, args.num_gpus, args=(args,))
