"""Pretrains an encoder; the rate that is given holds for 256 samples."""
import argparse

import torch
from torch.utils.data import DataLoader


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", type=int, default=32, help="samples per GPU")
    parser.add_argument("--accum-iter", type=int, default=1)
    parser.add_argument("--lr", type=float, default=None, help="the absolute rate; without it, it follows --blr")
    parser.add_argument("--blr", type=float, default=1e-3)
    parser.add_argument("--num-workers", type=int, default=8)
    return parser.parse_args()


def main(args, data, model, ranks):
    samples = args.batch_size * args.accum_iter * ranks
    if args.lr is None:
        args.lr = args.blr * samples / 256
    loader = DataLoader(data, batch_size=args.batch_size, num_workers=args.num_workers)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    return loader, optimizer
