"""torchvision: a ResNet on images of its own making, with workers, as in the reference scripts."""
import time

import torch
import torchvision
from torch.utils.data import DataLoader, Dataset
from torchvision.transforms import v2

from own_clock import OwnClock

BATCH_SIZE = 8
NUM_WORKERS = 2
EPOCHS = 3


class Images(Dataset):
    def __init__(self, count):
        self.count = count
        self.transform = v2.Compose([v2.RandomHorizontalFlip(), v2.ToDtype(torch.float32, scale=True)])

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        image = torch.randint(0, 256, (3, 32, 32), dtype=torch.uint8, generator=torch.Generator().manual_seed(index))
        return self.transform(image), index % 10


def main():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    model = torchvision.models.resnet18(weights=None, num_classes=10).to(memory_format=torch.channels_last)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9, weight_decay=1e-4)
    loss_of = torch.nn.CrossEntropyLoss()
    train = DataLoader(Images(50 * BATCH_SIZE), batch_size=BATCH_SIZE, shuffle=True, num_workers=NUM_WORKERS, drop_last=True)
    test = DataLoader(Images(10 * BATCH_SIZE), batch_size=2 * BATCH_SIZE, num_workers=NUM_WORKERS)
    clock = OwnClock(batch_size=BATCH_SIZE, workers=NUM_WORKERS, prefetch=2, accumulation=1, precision="fp32",
                     optimizer="sgd-momentum", channels_last=True, parameters=sum(p.numel() for p in model.parameters()))
    for epoch in range(EPOCHS):
        model.train()
        for step, (images, labels) in enumerate(train):
            loss = loss_of(model(images), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            clock.batch(len(images))
            if (step + 1) % 5 == 0:
                print(f"Epoch: [{epoch}]  [{step + 1:3d}/{len(train)}]  lr: {optimizer.param_groups[0]['lr']:.4f}  loss: {loss.item():.4f}", flush=True)
        with clock.pause(), torch.inference_mode():
            model.eval()
            right = sum((model(images).argmax(1) == labels).sum().item() for images, labels in test)
        print(f"Test:  Acc@1 {100 * right / len(test.dataset):.3f}", flush=True)
    clock.write(epoch=EPOCHS - 1, step=EPOCHS * len(train), total_steps=len(train), loss=float(f"{loss.item():.4f}"))


if __name__ == "__main__":
    main()
