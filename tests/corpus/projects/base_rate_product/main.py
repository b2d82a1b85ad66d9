import sys

from omegaconf import OmegaConf

config = OmegaConf.load(sys.argv[2])
bs, base_lr = config.data.params.batch_size, config.model.base_learning_rate
ngpu = 1


class Model:
    learning_rate = 0.0


model = Model()
model.learning_rate = ngpu * bs * base_lr
