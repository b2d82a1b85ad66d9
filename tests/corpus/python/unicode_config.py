# Größe der Stapel
größe = 3
batch_size = 29  # ← hier
名前 = "実験"
lr = 1e-4
