"""accelerate: a loop of one's own, prepared and accumulated by the Accelerator."""
import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader, TensorDataset
from tqdm.auto import tqdm

from own_clock import OwnClock

EPOCHS = 6


def main():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    accelerator = Accelerator(gradient_accumulation_steps=4, mixed_precision="bf16", cpu=True)
    model = torch.nn.Sequential(torch.nn.Linear(256, 1024), torch.nn.GELU(), torch.nn.Linear(1024, 1024), torch.nn.GELU(), torch.nn.Linear(1024, 10))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    data = TensorDataset(torch.randn(3200, 256), torch.randint(0, 10, (3200,)))
    loader = DataLoader(data, batch_size=32, shuffle=True)
    parameters = sum(p.numel() for p in model.parameters())
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    clock = OwnClock(batch_size=32, workers=0, accumulation=4, precision="amp-bf16", optimizer="adamw", parameters=parameters)
    bar = tqdm(range(EPOCHS * len(loader) // 4), disable=not accelerator.is_local_main_process)
    steps = 0
    for epoch in range(EPOCHS):
        for x, y in loader:
            with accelerator.accumulate(model):
                loss = torch.nn.functional.cross_entropy(model(x), y)
                accelerator.backward(loss)
                optimizer.step()
                optimizer.zero_grad()
            clock.batch(len(x))
            if accelerator.sync_gradients:
                steps += 1
                bar.update(1)
                bar.set_postfix(loss=f"{loss.item():.4f}")
    bar.close()
    clock.write(step=steps, total_steps=steps, loss=float(f"{loss.item():.4f}"))


if __name__ == "__main__":
    main()
