class Base:
    batch_size = 32
    lr = 1e-3
    num_workers: int = 4

    def __init__(self, batch_size=None, workers=2):
        if batch_size is not None:
            self.batch_size = batch_size
        self.workers = workers


class Small(Base):
    batch_size = 8
    lr = 2 * Base.lr


class Large(Base):
    batch_size = 256
    num_workers = 16
