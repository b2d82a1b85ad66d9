DS="--deepspeed ds.json"
deepspeed --num_gpus=2 pretrain.py --micro-batch-size=4 --global-batch-size=64 --train-iters=5000 --lr=1.5e-4 $DS > train.log 2>&1 &
wait
