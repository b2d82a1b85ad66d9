from tools import HParams


def create_hparams(given=None):
    hparams = HParams(
        fp16_run=False,
        learning_rate=1e-3,
        batch_size=64)
    if given:
        hparams.parse(given)
    return hparams
