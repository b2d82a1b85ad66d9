BATCH_SIZE=16
NUM_WORKERS="4"
LR='3e-4'
DATA=${DATA:-/data}
for seed in 1 2 3; do
  python -m pkg.train --batch-size "$BATCH_SIZE" --num-workers $NUM_WORKERS --lr $LR --seed $seed --data "$DATA"
done
