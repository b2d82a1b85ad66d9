_base_ = './dino_4xb4.py'
model = dict(num_queries=300)
