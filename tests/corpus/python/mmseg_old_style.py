norm_cfg = dict(type='SyncBN', requires_grad=True)
data = dict(
    samples_per_gpu=4,
    workers_per_gpu=4,
    train=dict(type='CityscapesDataset', data_root='data/cityscapes/'),
    val=dict(samples_per_gpu=1),
    test=dict(samples_per_gpu=1))
optimizer = dict(type='SGD', lr=1e-2, momentum=0.9, weight_decay=5e-4)
optimizer_config = dict()
lr_config = dict(policy='poly', power=0.9, min_lr=1e-4, by_epoch=False)
runner = dict(type='IterBasedRunner', max_iters=80000)
cudnn_benchmark = True
fp16 = dict(loss_scale=512.)
