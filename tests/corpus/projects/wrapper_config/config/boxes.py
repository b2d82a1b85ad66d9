lr = 0.0001
lr_backbone = 1e-05
batch_size = 2
