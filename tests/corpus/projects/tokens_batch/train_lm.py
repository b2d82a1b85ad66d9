import torch

world_size = 8
total_batch_size = 524288
B = 64
T = 1024
grad_accum_steps = total_batch_size // (B * T * world_size)
max_lr = 6e-4
max_steps = 19073


def get_lr(step):
    return max_lr * (1 - step / max_steps)


model = torch.nn.Linear(2, 2)
optimizer = torch.optim.AdamW(model.parameters(), lr=6e-4, weight_decay=0.1)
for step in range(max_steps):
    lr = get_lr(step)
    for param_group in optimizer.param_groups:
        param_group["lr"] = lr
    optimizer.step()
