import lightning as L
import torch


class Patches(torch.utils.data.Dataset):
    def __init__(self, folder):
        self.folder = folder


class Net(L.LightningModule):
    def __init__(self, lr):
        super().__init__()
        self.lr = lr

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=self.lr)
