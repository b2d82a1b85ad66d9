import click


@click.command()
@click.option("--batch-size", "-b", default=64, show_default=True, type=int)
@click.option("--num-workers", default=4)
@click.option("--fp16/--no-fp16", default=False)
def main(batch_size, num_workers, fp16):
    run(batch_size=batch_size, lr=1e-4)


def run(batch_size: int = 64, *, lr: float = 1e-3, name: str = "x", **kw) -> None:
    ...
