dataset_type = 'CocoDataset'
data_root = 'data/coco/'
train_dataloader = dict(
    batch_size=2,
    num_workers=2,
    persistent_workers=True,
    sampler=dict(type='DefaultSampler', shuffle=True),
    dataset=dict(type=dataset_type, data_root=data_root))
val_dataloader = dict(
    batch_size=1,
    num_workers=2,
    dataset=dict(type=dataset_type, data_root=data_root, test_mode=True))
