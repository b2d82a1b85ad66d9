import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=64)
parser.add_argument("--unscale-lr", action="store_true")
parser.add_argument("--lr", type=float, default=5e-4)
parser.add_argument("--opt", default="adamw")


def main(args, world_size):
    if not args.unscale_lr:
        linear_scaled_lr = args.lr * args.batch_size * world_size / 512.0
        args.lr = linear_scaled_lr


if __name__ == "__main__":
    main(parser.parse_args(), 1)
