import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--config_file", "-c", type=str)
parser.add_argument("--output_dir")
parser.add_argument("--data")
print(parser.parse_args())
