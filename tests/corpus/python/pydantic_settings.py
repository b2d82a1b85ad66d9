from pydantic import BaseModel, Field
from pydantic_settings import BaseSettings


class Loader(BaseModel):
    batch_size: int = Field(32, ge=1, le=4096, description="samples in a step")
    num_workers: int = Field(default=4, ge=0)


class Settings(BaseSettings):
    loader: Loader = Loader()
    lr: float = 3e-4
    amp: bool = False

    class Config:
        env_prefix = "TRAIN_"
