from torch.utils.data import DataLoader

from .clips import Clips


def make_loader(options, split):
    section = options["TRAIN" if split == "train" else "TEST"]
    batch_size = int(section["BATCH_SIZE"] / max(1, options["NUM_GPUS"]))
    return DataLoader(Clips(split), batch_size=batch_size, num_workers=options["DATA_LOADER"]["NUM_WORKERS"])
