import hydra
import lightning.pytorch as pl


@hydra.main(version_base="1.3", config_path="../configs", config_name="train.yaml")
def main(cfg):
    trainer: pl.Trainer = hydra.utils.instantiate(cfg.trainer)
    trainer.fit(hydra.utils.instantiate(cfg.model))


if __name__ == "__main__":
    main()
