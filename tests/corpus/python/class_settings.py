class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="TRAIN_")
    batch_size: int = Field(default=24, ge=1, description="per rank")
    num_workers: int = Field(4, ge=0)
    learning_rate: float = 2e-4
    precision: Literal["fp32", "bf16"] = "fp32"

    class Config:
        env_file = ".env"


class Debug(Settings):
    batch_size: int = 2
