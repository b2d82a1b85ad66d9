from trl import SFTConfig, SFTTrainer, TrlParser

if __name__ == "__main__":
    (config,) = TrlParser((SFTConfig,)).parse_args_and_config()
    SFTTrainer(args=config).train()
