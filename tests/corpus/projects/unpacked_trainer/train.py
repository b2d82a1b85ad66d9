"""Makes its trainer of what the configuration says."""
import yaml
from lightning.pytorch import Trainer

settings = yaml.safe_load(open("config.yaml"))
trainer = Trainer(**settings["trainer"])
