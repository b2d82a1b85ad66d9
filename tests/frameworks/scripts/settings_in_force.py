"""What projects' settings are for the library that reads them: settings_in_force.py READER. Gets [[FOLDER, [WORD…]]…] on stdin (the words are
what the run is started with, behind its script) and prints a list of {"key.of.it": value, …}, or {"error": text}."""
import contextlib
import json
import math
import os
import runpy
import sys
import types


def flat(value, path=""):
    if isinstance(value, dict):
        return {key: each for name, part in value.items() for key, each in flat(part, f"{path}.{name}" if path else str(name)).items()}
    return {path: value}


def pyyaml(words):
    import yaml
    return yaml.safe_load(open(words[-1], encoding="utf-8"))


def json_file(words):
    return json.load(open(words[-1], encoding="utf-8"))


def json5_file(words):
    import json5
    return json5.load(open(words[-1], encoding="utf-8"))


def toml_file(words):
    import tomllib
    return tomllib.load(open(words[-1], "rb"))


def omegaconf(words):
    """A file, and overrides behind it."""
    from omegaconf import OmegaConf
    file = next(word for word in words if word.endswith((".yaml", ".yml")))
    overrides = [word for word in words if "=" in word and not word.startswith("-")]
    return OmegaConf.to_container(OmegaConf.merge(OmegaConf.load(file), OmegaConf.from_dotlist(overrides)), resolve=True)


def hydra(words):
    from hydra import compose, initialize_config_dir
    from omegaconf import OmegaConf
    with initialize_config_dir(version_base="1.3", config_dir=os.path.abspath("configs")):
        return OmegaConf.to_container(compose(config_name="train", overrides=[word for word in words if "=" in word]), resolve=True)


def mmengine(words):
    from mmengine.config import Config, DictAction
    import argparse
    parser = argparse.ArgumentParser()
    parser.add_argument("config")
    parser.add_argument("--cfg-options", nargs="+", action=DictAction, default={})
    parser.add_argument("--amp", action="store_true")
    options = parser.parse_args(words)
    config = Config.fromfile(options.config)
    config.merge_from_dict(options.cfg_options)
    if options.amp:  # as mmdetection's tools/train.py
        config.optim_wrapper.type = "AmpOptimWrapper"
    return config.to_dict()


def hyperpyyaml(words):
    import yaml
    from hyperpyyaml import resolve_references
    overrides = {"data_folder": "/data"}
    overrides.update({name[2:]: value for name, value in zip(words[1::2], words[2::2])})
    text = resolve_references(open(words[0], encoding="utf-8"), overrides, overrides_must_match=False)

    class Loader(yaml.SafeLoader):  # objects are not made, only their arguments are wanted
        pass

    Loader.add_multi_constructor("!", lambda loader, tag, node: loader.construct_mapping(node, deep=True)
                                 if isinstance(node, yaml.MappingNode) else None)
    return yaml.load(text, Loader)


def hf_parser(words):
    from dataclasses import dataclass
    from transformers import HfArgumentParser, TrainingArguments

    @dataclass
    class Arguments(TrainingArguments):
        def __post_init__(self):  # looks whether this machine can do it
            pass

    parser = HfArgumentParser((Arguments,))
    if words[-1].endswith(".json"):
        (arguments,) = parser.parse_json_file(words[-1], allow_extra_keys=True)
    elif words[-1].endswith((".yaml", ".yml")):
        (arguments,) = parser.parse_yaml_file(words[-1], allow_extra_keys=True)
    else:
        arguments = parser.parse_args_into_dataclasses(args=words, return_remaining_strings=True)[0]
    return {name: getattr(arguments, name) for name in vars(arguments) if isinstance(getattr(arguments, name), (int, float, str, bool, type(None)))}


def lightning_cli(words):
    """The project's own classes stand in for those that its configuration names."""
    from lightning.pytorch import LightningDataModule, LightningModule
    from lightning.pytorch.cli import LightningArgumentParser
    from lightning.pytorch import Trainer

    class Images(LightningDataModule):
        def __init__(self, root: str, batch_size: int = 1, num_workers: int = 0):
            super().__init__()

    class Classifier(LightningModule):
        def __init__(self, width: int = 1):
            super().__init__()

    for module, made in (("data", Images), ("net", Classifier)):
        made.__module__, made.__qualname__ = module, made.__name__
        sys.modules[module] = types.ModuleType(module)
        setattr(sys.modules[module], made.__name__, made)
    parser = LightningArgumentParser()
    parser.add_argument("--config", action="config")
    parser.add_argument("--seed_everything", type=int)
    parser.add_lightning_class_args(Trainer, "trainer")
    parser.add_lightning_class_args(LightningModule, "model", subclass_mode=True)
    parser.add_lightning_class_args(LightningDataModule, "data", subclass_mode=True)
    from torch.optim import Optimizer
    parser.add_optimizer_args((Optimizer,))
    return json.loads(parser.dump(parser.parse_args(words[1:]), format="json"))


def detectron2(words):
    """fvcore's reader, which detectron2's is; options behind the file come last."""
    from fvcore.common.config import CfgNode
    config = CfgNode(CfgNode.load_yaml_with_base(words[words.index("--config-file") + 1]))
    pairs = [word for word in words[words.index("--config-file") + 2:]]
    while pairs and pairs[0].startswith("-"):
        pairs = pairs[2:]
    for name, value in zip(pairs[::2], pairs[1::2]):
        part = config
        *folders, last = name.split(".")
        for folder in folders:
            part = part.setdefault(folder, CfgNode())
        part[last] = CfgNode._decode_cfg_value(value)
    return json.loads(json.dumps(config))


def python_file(words):
    """What a Python configuration leaves behind when it is run."""
    found = runpy.run_path(words[-1])
    return {name: value for name, value in found.items() if isinstance(value, (int, float, str, bool, dict)) and not name.startswith("__")}


def in_force(reader, folder, words):
    os.chdir(folder)
    try:
        found = flat(globals()[reader](words))
    except (Exception, SystemExit) as problem:
        return {"error": repr(problem)}
    return {key: value for key, value in found.items() if not (isinstance(value, float) and not math.isfinite(value))}


def main():
    with contextlib.redirect_stdout(sys.stderr):
        answers = [in_force(sys.argv[1], folder, words) for folder, words in json.load(sys.stdin)]
    print(json.dumps(answers, default=str))


if __name__ == "__main__":
    main()
