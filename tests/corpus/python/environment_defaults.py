import os

BATCH_SIZE = int(os.environ.get("BATCH_SIZE", "32"))
NUM_WORKERS = int(os.getenv("NUM_WORKERS", 4))
LR = float(os.environ["LR"]) if "LR" in os.environ else 1e-3
PIN_MEMORY = os.getenv("PIN", "1") == "1"
AMP = False
