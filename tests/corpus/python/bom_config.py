batch_size = 31
num_workers = 3
