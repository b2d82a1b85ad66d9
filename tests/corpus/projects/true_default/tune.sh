python tune.py \
    --per_device_train_batch_size 1 \
    --gradient_checkpointing \
    --learning_rate 0.0002
