from nemo.core.config import hydra_runner


@hydra_runner(config_path="conf", config_name="gpt_config")
def main(cfg):
    print(cfg)


if __name__ == "__main__":
    main()
