from importlib.resources import files

import hydra


@hydra.main(version_base="1.3", config_path=str(files("voice").joinpath("configs")), config_name=None)
def main(cfg):
    print(cfg)


if __name__ == "__main__":
    main()
