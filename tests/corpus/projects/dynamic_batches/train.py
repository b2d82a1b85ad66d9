import sys

from hyperpyyaml import load_hyperpyyaml

with open(sys.argv[1]) as text:
    hparams = load_hyperpyyaml(text)
