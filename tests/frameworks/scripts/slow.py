"""accelerate, with a loader that takes as long as the step. How many workers it has stands in a constant."""
import time

import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader, Dataset

BATCH_SIZE = 8
NUM_WORKERS = 0  # the main process reads


class Samples(Dataset):
    def __len__(self):
        return 30 * BATCH_SIZE

    def __getitem__(self, index):
        time.sleep(0.01)
        return torch.full((16,), float(index % 7))


def main():
    torch.set_num_threads(1)
    accelerator = Accelerator(cpu=True)
    model = torch.nn.Linear(16, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-4)
    loader = DataLoader(Samples(), batch_size=BATCH_SIZE, num_workers=NUM_WORKERS)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    epoch = 0
    while True:
        for x in loader:
            loss = model(x).pow(2).mean()
            optimizer.zero_grad()
            accelerator.backward(loss)
            optimizer.step()
            time.sleep(0.07)
        epoch += 1
        print("epoch", epoch, "workers", loader.num_workers, flush=True)


if __name__ == "__main__":
    main()
