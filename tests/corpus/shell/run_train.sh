#!/usr/bin/env bash
# --batch-size 1 is only a comment
set -euo pipefail
cd "$(dirname "$0")"
export OMP_NUM_THREADS=4
exec python train.py --config configs/base.yaml --batch-size 8 --num-workers 2 --lr 1e-3 "$@"
