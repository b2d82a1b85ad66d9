from dataclasses import dataclass

from voices.configs.shared_configs import BaseTrainingConfig


@dataclass
class VoiceConfig(BaseTrainingConfig):
    run_name: str = "voice"
