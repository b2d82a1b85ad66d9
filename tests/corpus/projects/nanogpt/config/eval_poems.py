batch_size = 8
eval_iters = 500
eval_only = True
