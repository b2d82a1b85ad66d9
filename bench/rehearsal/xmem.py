"""Rehearses the runs of xmem.csv (protocol: four steps of a plain loop, see the data's PROTOCOL.md): rehearse.py."""
import random

import models
import torch


def key(row):
    return "%s-%s-%s-%s-%s-%d" % (row["model"].replace("/", "_"), row["batch"], row["optimizer"], row["zero_grad_mode"][-2:-1] or
                               row["zero_grad_mode"], row["device"].split()[0], row["input"].startswith("1.."))


def play(row, stage):
    batch = int(row["batch"])
    late = row["zero_grad_mode"] == "1"
    if row["family"] == "cnn":
        model = models.image(row["model"]).to("cuda")
        optimizer = models.optimizer(row["optimizer"], model.parameters())
        loss_of = torch.nn.CrossEntropyLoss()
        classes = 10
        model.train()
        for _ in range(4):
            if not late:
                optimizer.zero_grad()
            inputs = torch.empty(batch, 3, 86, 86).to("cuda")
            labels = torch.randint(0, classes, (batch,)).to("cuda")
            outputs = model(inputs)
            loss = loss_of(outputs, labels)
            if late:
                optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            _, _ = torch.max(outputs, 1)
        return
    model = models.transformer(row["model"]).to("cuda")
    optimizer = models.optimizer(row["optimizer"], model.parameters())
    model.train()
    dice = random.Random(1)
    for _ in range(4):
        length = 128
        optimizer.zero_grad()
        lengths = [min(128, max(1, int(dice.expovariate(1 / 110)))) for _ in range(batch)]
        length = max(lengths)
        tokens = torch.randint(0, 1000, (batch, length))
        mask = torch.tensor([[1] * n + [0] * (length - n) for n in lengths])
        inputs = {"input_ids": tokens.to("cuda"), "attention_mask": mask.to("cuda"), "labels": tokens.to("cuda")}
        outputs = model(**inputs)
        loss = outputs.loss
        loss.backward()
        optimizer.step()
