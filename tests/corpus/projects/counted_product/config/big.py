batch_size = 12
block_size = 1024
gradient_accumulation_steps = 5 * 8
