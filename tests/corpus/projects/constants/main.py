import torch
from torch.utils.data import DataLoader

import config


def main():
    loader = DataLoader(range(1000), batch_size=config.BATCH_SIZE, num_workers=config.NUM_WORKERS)
    for _ in loader:
        pass


main()
