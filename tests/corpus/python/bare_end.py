lr = 1e-3
batch_size = 27