#!/bin/bash
#SBATCH --job-name=train
#SBATCH --gpus=4
#SBATCH --cpus-per-task=8
module load cuda/12.1
source venv/bin/activate
srun python train.py trainer.devices=4 data.batch_size=32 data.num_workers=8 optimizer.lr=0.001
