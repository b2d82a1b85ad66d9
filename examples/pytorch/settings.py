"""Settings of the examples: a YAML file, then what the command line says."""
import argparse
import pathlib
import re


def read_settings(script):
    """{name: value} of SCRIPT.yaml beside the script, or of --config."""
    default = pathlib.Path(script).with_suffix(".yaml")
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", type=pathlib.Path, default=default)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--epochs", type=int)
    parser.add_argument("--steps", type=int, help="stop after this many batches")
    arguments = parser.parse_args()
    settings = parse(arguments.config.read_text())
    for text in arguments.set:
        name, _, value = text.partition("=")
        if name not in settings:
            parser.error("--set: no setting is called %r (there are: %s)" % (name, ", ".join(settings)))
        settings[name] = plain(value)
    if arguments.epochs is not None:
        settings["epochs"] = arguments.epochs
    settings["steps"] = arguments.steps
    return settings


def parse(text):
    try:
        import yaml
        return yaml.safe_load(text)
    except ImportError:  # flat "key: value  # comment" is all these files need
        pairs = re.findall(r"^(\w+):\s*([^#\n]*?)\s*(?:#.*)?$", text, re.M)
        return {name: plain(value) for name, value in pairs}


def plain(text):
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text.strip("\"'")
