hparams = dict(
    lr=1e-3,
    batch_size=40,
    optimizer=dict(name="lion", betas=(0.9, 0.99)),
)
search_space = {
    "batch_size": [16, 32, 64],
    "lr": (1e-5, 1e-2),
}
defaults = {'train': {'batch_size': 40, 'num_workers': 3}, 'val': {'batch_size': 80}}
defaults["train"]["prefetch_factor"] = 2
