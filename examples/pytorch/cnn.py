"""A small CNN learns to tell textures apart. Images are made and augmented by the loader's workers."""
import math
import time

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

from settings import read_settings


def progress(loader, label, total):
    try:
        from tqdm import tqdm
        return tqdm(loader, desc=label, total=total)
    except ImportError:
        return plain_progress(loader, label, total)


class plain_progress:
    """Without tqdm: a line now and then."""

    def __init__(self, loader, label, total):
        self.loader, self.label, self.total, self.text = loader, label, total, ""

    def __iter__(self):
        began = shown = time.monotonic()
        for number, item in enumerate(self.loader, 1):
            yield item
            now = time.monotonic()
            if now - shown > 1 or number == self.total:
                shown = now
                print("%s: %d/%d [%.2fit/s%s]" % (self.label, number, self.total, number / (now - began), self.text), flush=True)

    def set_postfix(self, **figures):
        self.text = "".join(", %s=%s" % pair for pair in figures.items())


class Textures(Dataset):
    """Stripes of one direction per class, with noise, a random shift and a random flip."""

    def __init__(self, count, size, classes, augment_ms):
        self.count, self.size, self.classes, self.augment_ms = count, size, classes, augment_ms
        axis = torch.arange(size) / size
        self.y, self.x = torch.meshgrid(axis, axis, indexing="ij")

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        random = torch.Generator().manual_seed(index)
        label = index % self.classes
        angle = math.pi * label / self.classes
        shift = torch.rand(1, generator=random)
        wave = torch.sin(20 * (self.x * math.cos(angle) + self.y * math.sin(angle)) + 6.28 * shift)
        image = wave.expand(3, -1, -1) + 0.7 * torch.randn(3, self.size, self.size, generator=random)
        self.augment(image)
        return image, label

    def augment(self, image):
        end = time.perf_counter() + self.augment_ms / 1e3
        while time.perf_counter() < end:  # stands for decoding, cropping, colour jitter …
            image.add_(0.0)


def make_model(channels, classes):
    def block(inputs, outputs):
        return [nn.Conv2d(inputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(), nn.MaxPool2d(2)]
    return nn.Sequential(*block(3, channels), *block(channels, 2 * channels), *block(2 * channels, 4 * channels),
                         nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4 * channels, classes))


def main():
    settings = read_settings(__file__)
    torch.manual_seed(settings["seed"])
    if settings["threads"]:
        torch.set_num_threads(settings["threads"])
    device = "cuda" if torch.cuda.is_available() else "cpu"
    data = Textures(settings["images"], settings["image_size"], settings["classes"], settings["augment_ms"])
    loader = DataLoader(data, batch_size=settings["batch_size"], shuffle=True, num_workers=settings["workers"],
                        drop_last=True, pin_memory=device == "cuda")
    model = make_model(settings["channels"], settings["classes"]).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=settings["learning_rate"], momentum=0.9)
    left = settings["steps"] or math.inf
    for epoch in range(1, settings["epochs"] + 1):
        bar = progress(loader, "Epoch %d/%d" % (epoch, settings["epochs"]), len(loader))
        for number, (images, labels) in enumerate(bar):
            loss = nn.functional.cross_entropy(model(images.to(device)), labels.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if number % 10 == 0:
                bar.set_postfix(loss="%.4f" % loss.item())
            left -= 1
            if left <= 0:
                return


if __name__ == "__main__":
    main()
