batch_size \
    = 16
lr = (
    1e-3
)
SETTINGS = {
    "batch_size":
        24,
    "num_workers": (3),
    **OTHER,
}
x = 1; batch_size_eval = 2; num_workers = 5
if DEBUG: max_steps = 10
