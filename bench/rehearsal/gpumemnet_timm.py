"""Rehearses a stratified part of gpumemnet_timm.csv (fp32, SGD with momentum, the model's default input: inferred, see PROTOCOL.md)."""
import timm
import torch

ROWS = 300


def choose(rows):
    """Spread over what was measured: every n-th of the rows in order of their memory."""
    names = set(timm.list_models())
    rows = [row for row in rows if row["near_cap"] == "0" and row["model"] in names and row["img_size"]]
    rows.sort(key=lambda row: (float(row["max_gpu_mib"]), row["model"], int(row["batch"])))
    return rows[::max(1, len(rows) // ROWS)][:ROWS]


def key(row):
    return "%s-%s" % (row["model"], row["batch"])


def play(row, stage):
    model = timm.create_model(row["model"]).to("cuda").train()
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)
    loss_of = torch.nn.CrossEntropyLoss()
    size = model.default_cfg.get("input_size", (3, 224, 224))
    size = (size[0], int(row["img_size"]), int(row["img_size"]))
    for _ in range(2):
        inputs = torch.empty(int(row["batch"]), *size).to("cuda")
        labels = torch.zeros(int(row["batch"]), dtype=torch.int64).to("cuda")
        loss = loss_of(model(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
