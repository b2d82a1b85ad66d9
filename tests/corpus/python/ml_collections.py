import ml_collections


def get_config(arg=None):
  config = ml_collections.ConfigDict()
  config.seed = 0
  config.batch_size = 512
  config.optimizer = ml_collections.ConfigDict()
  config.optimizer.lr = 1e-3
  config.optimizer.warmup_steps = 10_000
  config.data = d(num_workers=8)
  return config


def d(**kw): return ml_collections.ConfigDict(initial_dictionary=kw)
