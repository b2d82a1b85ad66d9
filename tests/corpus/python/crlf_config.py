# saved by an editor on Windows
batch_size = 10
config = {
    "num_workers": 2,
    "lr": 1e-3,
}
