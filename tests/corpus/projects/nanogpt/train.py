"""Trains a small character model. Every global below can be set by a config file or by --key=value."""
import os
import torch

out_dir = 'out'
eval_interval = 2000
eval_iters = 200
# data
dataset = 'owt'
gradient_accumulation_steps = 5 * 8  # simulates larger batches
batch_size = 16  # micro-batch
block_size = 1024
# model
n_layer = 12
n_head = 12
n_embd = 768
dropout = 0.0
# adamw
learning_rate = 6e-4
max_iters = 600000
weight_decay = 1e-1
decay_lr = True
min_lr = 6e-5
# system
device = 'cuda'
dtype = 'bfloat16'  # 'float32', 'bfloat16' or 'float16'
compile = True
config_keys = [k for k, v in globals().items() if not k.startswith('_') and isinstance(v, (int, float, bool, str))]
exec(open('configurator.py').read())
config = {k: globals()[k] for k in config_keys}
tokens_per_iter = gradient_accumulation_steps * batch_size * block_size
