import fire


def train(base_model: str = "", data_path: str = "yahma/alpaca-cleaned",
          # training hyperparams
          batch_size: int = 128,
          micro_batch_size: int = 4,
          num_epochs: int = 3,
          learning_rate: float = 3e-4,
          cutoff_len: int = 256,
          val_set_size: int = 2000,
          resume_from_checkpoint: str = None,  # either training checkpoint or final adapter
          ):
    gradient_accumulation_steps = batch_size // micro_batch_size
    print(f"batch_size: {batch_size}\nmicro_batch_size: {micro_batch_size}")


if __name__ == "__main__":
    fire.Fire(train)
