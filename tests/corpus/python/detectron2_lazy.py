from omegaconf import OmegaConf

from ..common.optim import SGD as optimizer
from ..common.train import train

train.amp.enabled = True
train.max_iter = 184375
optimizer.lr = 0.1
dataloader = OmegaConf.create()
dataloader.train = L(build_detection_train_loader)(
    dataset=L(get_detection_dataset_dicts)(names="coco_2017_train"),
    total_batch_size=16,
    num_workers=4,
)
dataloader.test = L(build_detection_test_loader)(num_workers=4)
