import click


@click.command()
@click.option("--batch-size", "-b", default=32, show_default=True, help="samples a step")
@click.option("--num-workers", type=int, default=4)
@click.option("--lr", default=1e-3)
@click.option("--amp/--no-amp", default=True)
@click.option("--resume", is_flag=True)
def main(batch_size, num_workers, lr, amp, resume):
    train(batch_size=batch_size, workers=num_workers)
