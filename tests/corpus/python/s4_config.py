"""Settings of the project: debug, development and production."""
import torch

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
SEED = 42

CONFIG_DEBUG = {
    "batch_size": 32,
    "epochs": 2,
    "learning_rate": 1e-3,
    "num_workers": 0,
}

CONFIG_PROD = {
    "batch_size": 128,   # fits into 6 GB
    "epochs": 100,
    "learning_rate": 3e-4,
    "num_workers": 4,
    "pin_memory": True,
}

CONFIGS = {"debug": CONFIG_DEBUG, "prod": CONFIG_PROD}
