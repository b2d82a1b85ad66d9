# Gin style bindings kept in Python
train.batch_size = 96
train.num_workers = 8
AdamW.lr = 3e-4
make_dataset.shuffle = True
