from torch.utils.data import DataLoader


def loaders(dataset, batch_size):
    return DataLoader(dataset, batch_size=batch_size, shuffle=True, num_workers=8, pin_memory=True)
