# One optimizer for all of these; lr falls to nothing over 40,000 steps.
optimizer = dict(type='SGD', lr=0.01, momentum=0.9, weight_decay=0.0005)
optim_wrapper = dict(type='OptimWrapper', optimizer=optimizer, clip_grad=None)
train_cfg = dict(type='IterBasedTrainLoop', max_iters=40000, val_interval=4000)
