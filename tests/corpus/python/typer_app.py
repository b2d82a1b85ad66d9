import typer

app = typer.Typer()


@app.command()
def train(
    data: str,
    batch_size: int = typer.Option(32, "--batch-size", "-b", help="samples"),
    num_workers: int = 4,
    lr: float = 1e-3,
    *,
    pin_memory: bool = True,
) -> None:
    run(data, batch_size=batch_size, num_workers=num_workers)
