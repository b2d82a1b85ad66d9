#!/usr/bin/env python3
# -*- coding: utf-8 -*-
import torch
from torch import nn
from torch.utils.data import DataLoader

BATCH_SIZE = 64
EPOCHS = 5
LR = 1e-3
NUM_WORKERS = 2

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
train_loader = DataLoader(train_set, batch_size=BATCH_SIZE, shuffle=True, num_workers=NUM_WORKERS)
test_loader = DataLoader(test_set, batch_size=1000)
model = nn.Sequential(nn.Flatten(), nn.Linear(784, 10)).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=LR)

for epoch in range(EPOCHS):
    for i, (x, y) in enumerate(train_loader):
        loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
        if i % 100 == 0:
            print(f"{epoch=} {i=} loss={loss.item():.3f} batch_size={BATCH_SIZE}")
