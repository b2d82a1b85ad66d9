"""Four small text encoders trained with positives and negatives: what `gputop estimate -- python3 train.py` rehearses."""
import torch
from torch import nn

BATCH, POSITIVES, NEGATIVES, TOKENS = 4, 16, 12, 128
device = "cuda" if torch.cuda.is_available() else "cpu"


def encoder():
    layer = nn.TransformerEncoderLayer(128, 4, 512, batch_first=True)
    return nn.Sequential(nn.Embedding(8000, 128), nn.TransformerEncoder(layer, 2))


model = nn.ModuleList(encoder() for _ in range(4)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
for step in range(200):
    ids = torch.randint(0, 8000, (BATCH * (1 + POSITIVES + NEGATIVES), TOKENS), device=device)
    vectors = torch.stack([part(ids).mean(1) for part in model]).mean(0).view(BATCH, -1, 128)
    scores = (vectors[:, :1] * vectors[:, 1:]).sum(-1)
    loss = nn.functional.cross_entropy(scores, torch.zeros(BATCH, dtype=torch.long, device=device))
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    print(f"step {step} loss {loss.item():.4f}", flush=True)
