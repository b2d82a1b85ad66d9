learning_rate = 6e-4
decay_lr = True
block_size = 256
n_layer = 12
n_head = 12
exec(open("configurator.py").read())


def get_lr(step):
    return learning_rate / (1 + step)


def step(optimizer, number):
    lr = get_lr(number) if decay_lr else learning_rate
    for param_group in optimizer.param_groups:
        param_group["lr"] = lr
