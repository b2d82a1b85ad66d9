import attr


@attr.s(auto_attribs=True)
class Config:
    batch_size: int = attr.ib(default=20)
    workers: int = attr.ib(2)
    lr: float = 0.01
