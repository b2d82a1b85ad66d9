#!/bin/bash
torchrun --nproc_per_node 8 --nnodes 1 \
    train.py \
    --per_device_train_batch_size 4 \
    --gradient_accumulation_steps 8 \
    --learning_rate 2e-5 \
    --bf16 True \
    --output_dir "out/run 1" 2>&1 | tee log.txt
