from detectron2 import model_zoo

dataloader = model_zoo.get_config("common/data/coco.py").dataloader
model = model_zoo.get_config("common/models/mask_rcnn_vitdet.py").model
optimizer = model_zoo.get_config("common/optim.py").AdamW
train = model_zoo.get_config("common/train.py").train

train.amp.enabled = True
train.ddp.fp16_compression = True
train.max_iter = 184375

dataloader.train.total_batch_size = 64
dataloader.train.num_workers = 8
dataloader.test.num_workers = 2
optimizer.lr = 1e-4
