_base_ = ['./_base_/streets.py', './_base_/schedule_40k.py']
model = dict(type='EncoderDecoder', backbone=dict(type='Pspnet', base_channels=64))
