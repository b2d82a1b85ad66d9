CFG = {
    'train': {'batch_size': 8, 'stages': [{'batch_size': 4, 'steps': 10}, {'batch_size': 16, 'steps': 20}]},
    'opt': dict(name='adam', lr=1E-3),
    "loader": {"num_workers": 2, 'pin_memory': False, "prefetch_factor": None},
    7: 'seven', ('a', 1): 2,
}
CFG["train"]["batch_size"] = 12
CFG['loader']['num_workers'] += 1
