import argparse

import lightning.pytorch as pl

parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=4)
parser.add_argument("--grad-chunks", type=int, default=1)
args = parser.parse_args()
trainer = pl.Trainer(max_epochs=3, accumulate_grad_batches=args.grad_chunks)
