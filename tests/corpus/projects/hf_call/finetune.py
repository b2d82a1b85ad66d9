from datasets import load_dataset
from transformers import AutoModelForSequenceClassification, AutoTokenizer, Trainer, TrainingArguments

MODEL = "distilbert-base-uncased"
tokenizer = AutoTokenizer.from_pretrained(MODEL)
data = load_dataset("csv", data_files="reviews.csv")["train"].map(lambda x: tokenizer(x["text"]), batched=True, batch_size=1000)

training_args = TrainingArguments(
    output_dir="out",
    per_device_train_batch_size=16,
    per_device_eval_batch_size=64,  # no gradients there
    gradient_accumulation_steps=2,
    learning_rate=3e-5,
    num_train_epochs=3,
)
trainer = Trainer(model=AutoModelForSequenceClassification.from_pretrained(MODEL), args=training_args, train_dataset=data)
trainer.train()
