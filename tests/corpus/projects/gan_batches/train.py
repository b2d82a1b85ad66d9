import click


@click.command()
@click.option("--gpus", help="Number of GPUs to use", type=int)
@click.option("--batch", help="Total batch size", type=int)
@click.option("--batch-gpu", help="Limit batch size per GPU", type=int)
@click.option("--glr", help="G learning rate", type=float)
@click.option("--dlr", help="D learning rate", type=float, default=0.002)
def main(**kwargs):
    opts = dict(kwargs)
    print(opts["batch"], opts["batch_gpu"])


if __name__ == "__main__":
    main()
