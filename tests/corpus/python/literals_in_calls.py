loader = DataLoader(dataset, batch_size=8, shuffle=True, num_workers=2, pin_memory=False)
val_loader = DataLoader(val, batch_size=16, num_workers=1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
trainer = Trainer(max_epochs=3, accumulate_grad_batches=4, precision="bf16-mixed", benchmark=True)
args = TrainingArguments(
    output_dir="out", per_device_train_batch_size=4, gradient_accumulation_steps=8,
    learning_rate=2e-4, fp16=True,
    dataloader_num_workers=2)
