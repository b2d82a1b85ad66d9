"""Language models as nanoGPT, transformers and torchtitan train them: prints each loss to the last bit, and at the end the FLOPs of one
step by nanoGPT's or torchtitan's own formula."""
import argparse
import json
import struct

import torch
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("model")
parser.add_argument("--steps", type=int, default=40)
parser.add_argument("--accumulate", type=int, default=1)
parser.add_argument("--checkpoint", action="store_true")
parser.add_argument("--compile", action="store_true")
options = parser.parse_args()
torch.manual_seed(7)
torch.set_num_threads(1)
VOCABULARY, BATCH = 512, 4


class Block(torch.nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.one, self.two = torch.nn.LayerNorm(width), torch.nn.LayerNorm(width)
        self.attend = torch.nn.Linear(width, 3 * width)
        self.project = torch.nn.Linear(width, width)
        self.mlp = torch.nn.Sequential(torch.nn.Linear(width, 4 * width), torch.nn.GELU(), torch.nn.Linear(4 * width, width))

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = (part.view(b, t, self.heads, c // self.heads).transpose(1, 2) for part in self.attend(self.one(x)).split(c, dim=2))
        y = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.project(y.transpose(1, 2).reshape(b, t, c))
        return x + self.mlp(self.two(x))


class Gpt(torch.nn.Module):
    """As nanoGPT has it: positions learnt, the first and the last weights shared."""

    def __init__(self, layers, heads, width, length):
        super().__init__()
        self.words, self.places = torch.nn.Embedding(VOCABULARY, width), torch.nn.Embedding(length, width)
        self.blocks = torch.nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.last = torch.nn.LayerNorm(width)
        self.out = torch.nn.Linear(width, VOCABULARY, bias=False)
        self.out.weight = self.words.weight

    def forward(self, x):
        x = self.words(x) + self.places(torch.arange(x.shape[1]))
        for block in self.blocks:
            if options.checkpoint:
                x = torch.utils.checkpoint.checkpoint(block, x, use_reentrant=False)
            else:
                x = block(x)
        return self.out(self.last(x))


def count(module):
    return sum(parameter.numel() for parameter in module.parameters())


def made(name):
    """(model, FLOPs of a token by the project's formula, length)"""
    if name.startswith("nanogpt"):
        layers, heads, width, length = (3, 4, 192, 64) if name == "nanogpt" else (2, 4, 256, 128)
        model = Gpt(layers, heads, width, length)
        return model, 6 * (count(model) - model.places.weight.numel()) + 12 * layers * width * length, length
    import transformers
    layers, heads, width, length = 2, 4, 192, 96
    common = dict(vocab_size=VOCABULARY, hidden_size=width, num_hidden_layers=layers, num_attention_heads=heads)
    kinds = {"gpt2": lambda: transformers.GPT2Config(vocab_size=VOCABULARY, n_embd=width, n_layer=layers, n_head=heads, n_positions=length),
             "llama": lambda: transformers.LlamaConfig(intermediate_size=512, num_key_value_heads=2, **common),
             "qwen2": lambda: transformers.Qwen2Config(intermediate_size=512, num_key_value_heads=4, **common),
             "neox": lambda: transformers.GPTNeoXConfig(intermediate_size=768, **common)}
    model = transformers.AutoModelForCausalLM.from_config(kinds[name](), attn_implementation="sdpa")
    embedding = model.get_input_embeddings().weight
    tied = model.get_output_embeddings().weight is embedding
    parameters = count(model) - (0 if tied else embedding.numel())  # torchtitan counts no look-ups, and shared weights once
    if name == "gpt2":
        parameters -= model.transformer.wpe.weight.numel()
    return model, 6 * parameters + 12 * layers * width * length, length


model, per_token, length = made(options.model)
run = torch.compile(model) if options.compile else model
data = TensorDataset(torch.randint(0, VOCABULARY, (BATCH * options.steps * options.accumulate, length + 1)))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for number, (tokens,) in enumerate(DataLoader(data, batch_size=BATCH), 1):
    out = run(tokens[:, :-1])
    loss = torch.nn.functional.cross_entropy((out if torch.is_tensor(out) else out.logits).flatten(0, 1), tokens[:, 1:].flatten())
    (loss / options.accumulate).backward()
    if number % options.accumulate == 0:
        optimizer.step()
        optimizer.zero_grad()
    print("loss", struct.pack("<f", loss.item()).hex())
print("formula", json.dumps(dict(flops=per_token * BATCH * length * options.accumulate)))
