#!/bin/bash
export CUDA_DEVICE_MAX_CONNECTIONS=1
GPUS_PER_NODE=8
MICRO_BATCH=2
GLOBAL_BATCH=256

torchrun --nproc_per_node $GPUS_PER_NODE pretrain_gpt.py \
    --num-layers 24 \
    --hidden-size 1024 \
    --num-attention-heads 16 \
    --seq-length 1024 \
    --micro-batch-size $MICRO_BATCH \
    --global-batch-size $GLOBAL_BATCH \
    --lr 1.5e-4 \
    --num-workers 2 \
    --bf16
