"""Configurations: debug and phase 1."""
# TODO: batch sizes are far too small for the GPU
CONFIG_DEBUG = {
    "model": "collective",
    "batch_size": 32,  # tiny
    "lr": 1e-3,
    "num_workers": 2,
    "epochs": 1,
}

CONFIG_PHASE1 = {
    **CONFIG_DEBUG,
    "batch_size": 128,
    "epochs": 30,
}


def get(name):
    return {"debug": CONFIG_DEBUG, "phase1": CONFIG_PHASE1}[name]
