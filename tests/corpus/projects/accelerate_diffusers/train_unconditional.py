import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--dataset_name", type=str, default=None)
parser.add_argument("--train_batch_size", type=int, default=16, help="Batch size (per device) for the training dataloader.")
parser.add_argument("--eval_batch_size", type=int, default=16)
parser.add_argument("--dataloader_num_workers", type=int, default=0)
parser.add_argument("--gradient_accumulation_steps", type=int, default=1)
parser.add_argument("--learning_rate", type=float, default=1e-4)
parser.add_argument("--mixed_precision", type=str, default="no", choices=["no", "fp16", "bf16"])
args = parser.parse_args()
