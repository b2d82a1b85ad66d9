import yaml


def read_options(path):
    with open(path) as file:
        return yaml.safe_load(file)
