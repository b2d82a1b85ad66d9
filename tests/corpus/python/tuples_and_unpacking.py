batch_size, num_workers, lr = 8, 2, 1e-3
a = b = 3
batch_size_train = batch_size_test = 12
batch_size += 4
(width, height) = (640, 480)
BATCH = {"train": 5, "val": 6}
