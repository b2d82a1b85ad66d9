from transformers import Trainer, TrainingArguments

args = TrainingArguments(
    output_dir="out",
    per_device_train_batch_size=8,
    per_device_eval_batch_size=16,
    gradient_accumulation_steps=4,
    learning_rate=5e-5,
    fp16=False,
    dataloader_num_workers=2,
    report_to=["none"],
)
trainer = Trainer(model=model, args=args, train_dataset=ds["train"], data_collator=lambda b: {"x": b})
trainer.train()
