if (batch_size := 16) > 8:
    num_workers = 4
match mode:
    case {"batch_size": 3}:
        lr = 0.1
    case _:
        lr = 0.2
print(f"{batch_size=}", end="")
assert batch_size == 16, "batch_size must be 16"
