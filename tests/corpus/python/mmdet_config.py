_base_ = [
    '../_base_/models/faster-rcnn_r50_fpn.py',
    '../_base_/datasets/coco_detection.py',
]
train_dataloader = dict(
    batch_size=2,
    num_workers=2,
    persistent_workers=True,
    sampler=dict(type='DefaultSampler', shuffle=True),
    dataset=dict(type='CocoDataset', data_root='data/coco/', pipeline=[dict(type='LoadImageFromFile'), dict(type='Resize', scale=(1333, 800), keep_ratio=True)]))
val_dataloader = dict(batch_size=1, num_workers=2)
optim_wrapper = dict(
    type='OptimWrapper',
    optimizer=dict(type='SGD', lr=0.02, momentum=0.9, weight_decay=0.0001),
    accumulative_counts=2)
param_scheduler = [dict(type='LinearLR', start_factor=0.001, by_epoch=False, begin=0, end=500)]
auto_scale_lr = dict(base_batch_size=16)
