"""A small GPT learns the letters of this directory's own files. AdamW, autocast, gradient accumulation."""
import math
import os
import pathlib
import time

# The oneDNN of older torch takes a CPU's word that it has AMX, and dies where the kernel does not lend it.
os.environ.setdefault("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_BF16")

import torch  # noqa: E402
from torch import nn  # noqa: E402
from torch.utils.data import DataLoader, Dataset  # noqa: E402

from settings import read_settings  # noqa: E402


class Letters(Dataset):
    """Every window of the text is a sample: its letters, and the same shifted by one."""

    def __init__(self, text, context):
        alphabet = sorted(set(text))
        number = {letter: index for index, letter in enumerate(alphabet)}
        self.vocabulary = len(alphabet)
        self.data = torch.tensor([number[letter] for letter in text])
        self.context = context

    def __len__(self):
        return (len(self.data) - 1) // 4 - self.context

    def __getitem__(self, index):
        window = self.data[4 * index:4 * index + self.context + 1]
        return window[:-1], window[1:]


class Block(nn.Module):
    def __init__(self, hidden, heads):
        super().__init__()
        self.attention = nn.MultiheadAttention(hidden, heads, batch_first=True)
        self.first, self.second = nn.LayerNorm(hidden), nn.LayerNorm(hidden)
        self.feed = nn.Sequential(nn.Linear(hidden, 4 * hidden), nn.GELU(), nn.Linear(4 * hidden, hidden))

    def forward(self, x, mask):
        y = self.first(x)
        x = x + self.attention(y, y, y, attn_mask=mask, need_weights=False)[0]
        return x + self.feed(self.second(x))


class Gpt(nn.Module):
    def __init__(self, vocabulary, context, layers, heads, hidden):
        super().__init__()
        self.letters = nn.Embedding(vocabulary, hidden)
        self.places = nn.Embedding(context, hidden)
        self.blocks = nn.ModuleList(Block(hidden, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(hidden)
        self.head = nn.Linear(hidden, vocabulary, bias=False)
        self.register_buffer("mask", torch.triu(torch.full((context, context), -math.inf), 1))

    def forward(self, x):
        x = self.letters(x) + self.places(torch.arange(x.shape[1], device=x.device))
        for block in self.blocks:
            x = block(x, self.mask)
        return self.head(self.norm(x))


def main():
    settings = read_settings(__file__)
    torch.manual_seed(settings["seed"])
    if settings["threads"]:
        torch.set_num_threads(settings["threads"])
    device = "cuda" if torch.cuda.is_available() else "cpu"
    here = pathlib.Path(__file__).parent
    text = "".join(file.read_text() for file in sorted(here.glob("*.py")) + sorted(here.glob("*.md")))
    data = Letters(text, settings["context"])
    loader = DataLoader(data, batch_size=settings["batch_size"], shuffle=True, num_workers=settings["workers"], drop_last=True)
    model = Gpt(data.vocabulary, settings["context"], settings["layers"], settings["heads"], settings["hidden"]).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=settings["learning_rate"])
    accumulation, left, step = settings["accumulation"], settings["steps"] or math.inf, 0
    print("%d parameters, %d sequences" % (sum(p.numel() for p in model.parameters()), len(data)), flush=True)
    for epoch in range(settings["epochs"]):
        began = time.perf_counter()
        for number, (x, y) in enumerate(loader, 1):
            with torch.autocast(device, dtype=torch.bfloat16, enabled=settings["precision"] == "bf16"):
                logits = model(x.to(device))
            loss = nn.functional.cross_entropy(logits.float().flatten(0, 1), y.to(device).flatten())
            (loss / accumulation).backward()
            left -= 1
            if number % accumulation == 0:
                optimizer.step()
                optimizer.zero_grad(set_to_none=True)
                step += 1
                if step % 5 == 0:
                    now = time.perf_counter()
                    print("iter %d: loss %.4f, time %.2fms" % (step, loss.item(), (now - began) * 1000 / 5), flush=True)
                    began = now
            if left <= 0:
                return


if __name__ == "__main__":
    main()
