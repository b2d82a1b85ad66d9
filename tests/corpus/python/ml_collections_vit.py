import ml_collections


def get_config():
    """Returns the default configuration."""
    config = ml_collections.ConfigDict()
    config.dataset = 'imagenet2012'
    config.batch = 512
    config.batch_eval = 512
    config.total_steps = 300_000
    config.warmup_steps = 10_000
    config.accum_steps = 8
    config.base_lr = 0.03
    config.optim = ml_collections.ConfigDict({'dtype': 'bfloat16', 'name': 'adamw'})
    return config
