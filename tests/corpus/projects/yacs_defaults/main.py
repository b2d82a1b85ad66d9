import argparse

from config import get_config

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--cfg", required=True)
    parser.add_argument("--batch-size", type=int, help="batch size for single GPU")
    print(get_config(parser.parse_args()))
