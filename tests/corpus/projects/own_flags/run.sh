#!/bin/bash
OUT=${1:-out}
deepspeed main.py \
   --model_name_or_path some/model-1b \
   --per_device_train_batch_size 8 \
   --per_device_eval_batch_size 8 \
   --learning_rate 1e-5 \
   --gradient_accumulation_steps 1 \
   --zero_stage 2 \
   --output_dir $OUT \
   &> $OUT/log
