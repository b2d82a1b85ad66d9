auto_scale_lr = dict(base_batch_size=1024)
optim_wrapper = dict(
    type='AmpOptimWrapper', accumulative_counts=4,
    optimizer=dict(
        type='AdamW',
        lr=5e-4 * 1024 / 512,
        weight_decay=0.05))
train_dataloader = dict(batch_size=128, num_workers=5, pin_memory=True)
val_dataloader = dict(batch_size=64, num_workers=5)
train_cfg = dict(by_epoch=True, max_epochs=300, val_interval=1)
