from voices.configs.shared_configs import BaseTrainingConfig
from voices.configs.voice_config import VoiceConfig
from voices.fit import fit

config = VoiceConfig(
    run_name="voice",
    batch_size=32,
    num_loader_workers=8,
)
fit(config)
