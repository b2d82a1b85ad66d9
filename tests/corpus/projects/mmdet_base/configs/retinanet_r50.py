_base_ = ['./_base_/coco_detection.py', './_base_/schedule_1x.py']
model = dict(type='RetinaNet', backbone=dict(type='ResNet', depth=50))
