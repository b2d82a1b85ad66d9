import torch

CONFIG_PHASE1 = {
    "epochs": 5,
    "batch_size": 128,
    "lr": 0.001,
    "optimizer": "adam",
}
CONFIG_PHASE2 = {
    "epochs": 20,
    "batch_size": 32,
    "lr": 0.0002,
    "optimizer": "adam",
}


def run(config):
    print(config["batch_size"], torch.optim.Adam)


for phase in (CONFIG_PHASE1, CONFIG_PHASE2):
    run(phase)
