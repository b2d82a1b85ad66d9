set -x

read -r -d '' training_commands <<EOF
tuner.cli.sft \
   --train.batch_size 256 \
   --train.micro_batch_size 2 \
   --adam.lr 5e-6 \
   --model.gradient_checkpointing_enable
EOF

deepspeed --module $training_commands
