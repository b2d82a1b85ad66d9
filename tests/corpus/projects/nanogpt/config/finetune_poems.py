out_dir = 'out-poems'
eval_interval = 250
dataset = 'poems'
init_from = 'gpt2'

# 12 sequences x 8 steps
batch_size = 12
gradient_accumulation_steps = 8
max_iters = 400

learning_rate = 6e-5
decay_lr = False
