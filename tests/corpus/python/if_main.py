import sys
if "--fast" in sys.argv:
    batch_size = 64
else:
    batch_size = 8

async def train(loader, lr=0.1):
    async for batch in loader:
        await step(batch, lr=lr)

try:
    num_workers = 4
except Exception: num_workers = 0
