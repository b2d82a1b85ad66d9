#!/usr/bin/env python3
import argparse


def parse():
    parser = argparse.ArgumentParser(description="Train: batch_size = 3")
    parser.add_argument("--data", metavar="DIR", default="./data")
    parser.add_argument("-b", "--batch-size", default=256, type=int,
                        metavar="N", help="mini-batch size (default: 256)")
    parser.add_argument("-j", "--workers", default=4, type=int)
    parser.add_argument("--lr", "--learning-rate", default=0.1, type=float, dest="lr")
    parser.add_argument("--amp", action="store_true")
    parser.add_argument('--accum-steps', type=int, default=1)
    return parser.parse_args()


def main():
    args = parse()
    loader = DataLoader(dataset, batch_size=args.batch_size, num_workers=args.workers, pin_memory=True)
    val_loader = DataLoader(val, batch_size=2 * args.batch_size)


if __name__ == "__main__":
    main()
