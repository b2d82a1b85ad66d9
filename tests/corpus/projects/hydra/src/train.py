import hydra


@hydra.main(version_base="1.3", config_path="../configs", config_name="train.yaml")
def main(cfg):
    print(cfg.data.batch_size)


if __name__ == "__main__":
    main()
