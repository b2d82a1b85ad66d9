import argparse

from video.loader import make_loader
from video.options import read_options


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cfg", required=True)
    options = read_options(parser.parse_args().cfg)
    for batch in make_loader(options, "train"):
        print(batch)


if __name__ == "__main__":
    main()
