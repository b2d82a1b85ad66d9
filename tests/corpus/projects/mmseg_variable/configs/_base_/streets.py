crop_size = (512, 1024)
train_dataloader = dict(
    batch_size=2, num_workers=2, dataset=dict(type='StreetsDataset', data_root='data/streets'))
val_dataloader = dict(batch_size=1, num_workers=4, dataset=dict(type='StreetsDataset', test_mode=True))
test_dataloader = val_dataloader
