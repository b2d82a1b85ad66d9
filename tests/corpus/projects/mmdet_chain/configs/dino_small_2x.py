_base_ = './dino_small_1x.py'
train_cfg = dict(max_epochs=24)
