_base_ = ['./_base_/coco_detection.py', './_base_/schedule_1x.py']
model = dict(type='DINO', num_queries=900)
train_dataloader = dict(batch_size=4, num_workers=4)
optim_wrapper = dict(
    _delete_=True,
    type='OptimWrapper',
    optimizer=dict(type='AdamW', lr=0.0001, weight_decay=0.0001),
    clip_grad=dict(max_norm=0.1, norm_type=2))
