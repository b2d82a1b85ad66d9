import torch
from torch.utils.data import DataLoader, Dataset

BATCH_SIZE = 32
NUM_WORKERS = 0
LR = 1e-3
EPOCHS = 5
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


class Slow(Dataset):
    def __len__(self):
        return 4096

    def __getitem__(self, i):
        return torch.randn(3, 224, 224), i % 10


train = DataLoader(Slow(), batch_size=BATCH_SIZE, num_workers=NUM_WORKERS, shuffle=True)
test = DataLoader(Slow(), batch_size=64)
for epoch in range(EPOCHS):
    for x, y in train: pass
