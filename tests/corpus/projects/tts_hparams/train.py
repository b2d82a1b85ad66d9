import argparse
import json

parser = argparse.ArgumentParser()
parser.add_argument('-c', '--config', type=str, default="./configs/base.json")
parser.add_argument('-m', '--model', type=str, required=True)
args = parser.parse_args()
config = json.load(open(args.config))
