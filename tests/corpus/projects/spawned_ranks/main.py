import argparse

import torch
import torch.multiprocessing as mp

parser = argparse.ArgumentParser()
parser.add_argument("data")
parser.add_argument("-b", "--batch-size", default=256, type=int,
                    help="the total batch size of all GPUs on the current node")
parser.add_argument("--lr", default=0.1, type=float)
parser.add_argument("--world-size", default=-1, type=int, help="number of nodes for distributed training")
parser.add_argument("--multiprocessing-distributed", action="store_true")


def worker(gpu, per_node, args):
    args.batch_size = int(args.batch_size / per_node)
    model = torch.nn.Linear(2, 2)
    optimizer = torch.optim.SGD(model.parameters(), args.lr)
    optimizer.step()


if __name__ == "__main__":
    args = parser.parse_args()
    per_node = torch.cuda.device_count()
    mp.spawn(worker, nprocs=per_node, args=(per_node, args))
