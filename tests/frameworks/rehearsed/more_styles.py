"""More training loops, of the kinds that need other ranks, other threads or values that only a GPU knows: more_styles.py NAME."""
import functools
import queue
import sys
import threading

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence
from torch.utils.data import DataLoader, TensorDataset

WIDTH, BLOCKS = 1024, 6


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, value):
        return value + self.down(torch.relu(self.up(value)))


def train(model, rows=64):
    optimizer = torch.optim.AdamW(model.parameters())
    for (value,) in DataLoader(TensorDataset(torch.randn(rows, 8, WIDTH)), batch_size=4):
        model(value.cuda()).float().pow(2).mean().backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()


def alone():
    train(nn.Sequential(*[Block() for _ in range(BLOCKS)]).cuda())


def stepped_in_backward():
    """An optimizer for each parameter, which steps as soon as its gradient is there."""
    model = nn.Sequential(*[Block() for _ in range(BLOCKS)]).cuda()
    optimizers = {param: torch.optim.AdamW([param], foreach=False) for param in model.parameters()}

    def step(param):
        optimizers[param].step()
        optimizers[param].zero_grad()
    for param in model.parameters():
        param.register_post_accumulate_grad_hook(step)
    for (value,) in DataLoader(TensorDataset(torch.randn(64, 8, WIDTH)), batch_size=4):
        model(value.cuda()).pow(2).mean().backward()


def accumulated(times="3"):
    """Micro-steps without a loader; validations in between."""
    model = nn.Sequential(*[Block() for _ in range(BLOCKS)]).cuda()
    optimizer = torch.optim.AdamW(model.parameters())
    while True:
        model.eval()
        with torch.no_grad():
            for _ in range(20):
                model(torch.randn(8, WIDTH).cuda())
        model.train()
        for _ in range(int(times)):
            (model(torch.randn(8, WIDTH).cuda()).pow(2).mean() / int(times)).backward()
        optimizer.step()
        optimizer.zero_grad()


def own_update():
    """No optimizer of torch's."""
    model = nn.Sequential(*[Block() for _ in range(BLOCKS)]).cuda()
    while True:
        model.zero_grad()
        model(torch.randn(8, WIDTH).cuda()).pow(2).mean().backward()
        for param in model.parameters():
            param.data.add_(param.grad, alpha=-0.1)


def older_types():
    Tensor = torch.cuda.FloatTensor
    model = nn.Linear(16, 16).cuda()
    optimizer = torch.optim.Adam(model.parameters())
    for (rows,) in DataLoader(TensorDataset(torch.randn(64, 16)), batch_size=4):
        rows = rows.type(Tensor)
        assert isinstance(rows, Tensor) and rows.type() == "torch.cuda.FloatTensor"
        mixed = (Tensor(torch.rand(4, 1).numpy()) * rows).requires_grad_(True)
        slope = torch.autograd.grad(model(mixed), mixed, Tensor(4, 16).fill_(1.0), create_graph=True)[0]
        (slope.norm(2, dim=1) - 1).pow(2).mean().backward()
        optimizer.step()
        optimizer.zero_grad()


def experts():
    """Of eight experts a token passes two: together they see each token twice."""
    gate, all_of_them = nn.Linear(WIDTH, 8).cuda(), nn.ModuleList(nn.Linear(WIDTH, WIDTH) for _ in range(8)).cuda()
    optimizer = torch.optim.SGD([*gate.parameters(), *all_of_them.parameters()], lr=0.1)
    for (rows,) in DataLoader(TensorDataset(torch.randn(64, WIDTH)), batch_size=16):
        rows = rows.cuda()
        weights, chosen = gate(rows).softmax(-1).topk(2)
        made = torch.zeros_like(rows)
        seen = 0
        for expert, mask in zip(all_of_them, nn.functional.one_hot(chosen, 8).permute(2, 1, 0)):
            place, token = torch.where(mask)
            seen += len(token)
            made.index_add_(0, token, expert(rows[token]) * weights[token, place, None])
        assert seen == 2 * len(rows), seen
        made.pow(2).mean().backward()
        optimizer.step()
        optimizer.zero_grad()


def sampled_often():
    """More questions in a step than any loop that waits would ask."""
    model = nn.Linear(8, 4).cuda()
    optimizer = torch.optim.Adam(model.parameters())
    while True:
        for _ in range(700):
            with torch.no_grad():
                torch.distributions.Normal(model(torch.randn(2, 8).cuda()), torch.ones(4).cuda() * model.bias.exp()).sample()
        model(torch.randn(2, 8).cuda()).sum().backward()
        optimizer.step()
        optimizer.zero_grad()


def synchronized_norms():
    import torch.distributed as dist
    dist.init_process_group("nccl")
    model = nn.SyncBatchNorm.convert_sync_batchnorm(nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8)))
    model = nn.parallel.DistributedDataParallel(model.cuda())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for (images,) in DataLoader(TensorDataset(torch.randn(64, 3, 16, 16)), batch_size=4):
        model(images.cuda()).mean().backward()
        optimizer.step()
        optimizer.zero_grad()


def sharded_from_nothing():
    """Parameters that never were on the host."""
    import torch.distributed as dist
    from torch.distributed.fsdp import fully_shard
    dist.init_process_group("nccl")
    with torch.device("meta"):
        model = nn.Sequential(*[Block() for _ in range(BLOCKS)])
    for block in model:
        fully_shard(block)
    fully_shard(model).to_empty(device="cuda")
    model.set_requires_gradient_sync(True)
    train(model)


def sharded():
    import torch.distributed as dist
    from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
    dist.init_process_group("nccl")
    model = nn.Sequential(*[Block() for _ in range(BLOCKS)])
    policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16)
    for block in model:
        fully_shard(block, mp_policy=policy)
    train(fully_shard(model, mp_policy=policy))


def sharded_by_wrapping():
    import torch.distributed as dist
    from torch.distributed.fsdp import FullyShardedDataParallel
    from torch.distributed.fsdp.wrap import transformer_auto_wrap_policy
    dist.init_process_group("nccl")
    policy = functools.partial(transformer_auto_wrap_policy, transformer_layer_cls={Block})
    train(FullyShardedDataParallel(nn.Sequential(*[Block() for _ in range(BLOCKS)]), auto_wrap_policy=policy, device_id=0))


def fed_by_a_thread():
    model = nn.Linear(64, 8).cuda()
    optimizer = torch.optim.RMSprop(model.parameters())
    ready = queue.Queue(3)

    def feed():
        stream = torch.cuda.Stream()
        for (rows,) in DataLoader(TensorDataset(torch.randn(64, 64)), batch_size=4):
            with torch.cuda.stream(stream):
                rows = rows.cuda(non_blocking=True).sub_(0.5)
            rows.record_stream(torch.cuda.current_stream())
            ready.put(rows)
        ready.put(None)
    threading.Thread(target=feed, daemon=True).start()
    while (rows := ready.get()) is not None:
        model(rows).sum().backward()
        optimizer.step()
        optimizer.zero_grad()


def packed():
    embed, layer = nn.Embedding(50, 16).cuda(), nn.GRU(16, 32, batch_first=True).cuda()
    optimizer = torch.optim.Adam([*embed.parameters(), *layer.parameters()])
    texts = [torch.randint(1, 50, (length,)) for length in (3, 5, 4, 2) * 8]
    for batch in DataLoader(texts, batch_size=4, collate_fn=list):
        tokens, lengths = pad_sequence(batch, batch_first=True).cuda(), torch.tensor([len(text) for text in batch])
        made, _ = pad_packed_sequence(layer(pack_padded_sequence(embed(tokens), lengths, batch_first=True, enforce_sorted=False))[0],
                                      batch_first=True)
        made.pow(2).mean().backward()
        optimizer.step()
        optimizer.zero_grad()


def speech():
    model = nn.LSTM(201, 29, bidirectional=False).cuda()
    optimizer = torch.optim.NAdam(model.parameters())
    for (sound,) in DataLoader(TensorDataset(torch.randn(32, 8000)), batch_size=4):
        heard = torch.stft(sound.cuda(), 400, 160, window=torch.hann_window(400).cuda(), return_complex=True).abs().permute(2, 0, 1)
        scores = model(heard)[0].log_softmax(-1)
        said = torch.randint(1, 29, (4, 6))
        nn.functional.ctc_loss(scores, said.cuda(), torch.full((4,), len(scores)), torch.full((4,), 6)).backward()
        optimizer.step()
        optimizer.zero_grad()


def policy():
    """Distributions check what they are given; an environment takes the actions as numbers."""
    model = nn.Linear(8, 4).cuda()
    optimizer = torch.optim.Adam(model.parameters())
    for (seen,) in DataLoader(TensorDataset(torch.randn(64, 8)), batch_size=8):
        choice = torch.distributions.Categorical(logits=model(seen.cuda()))
        action = choice.sample()
        assert set(action.cpu().numpy()) <= {0, 1, 2, 3}
        (-choice.log_prob(action).mean() - 0.01 * choice.entropy().mean()).backward()
        optimizer.step()
        optimizer.zero_grad()


def detected():
    from torchvision.models.detection import fasterrcnn_mobilenet_v3_large_320_fpn
    model = fasterrcnn_mobilenet_v3_large_320_fpn(weights=None, weights_backbone=None, num_classes=5).cuda().train()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    boxes = torch.tensor([[10., 10., 50., 60.], [20., 5., 80., 90.]])
    for (images,) in DataLoader(TensorDataset(torch.rand(16, 3, 96, 128)), batch_size=2):
        losses = model([image.cuda() for image in images], [{"boxes": boxes.cuda(), "labels": torch.tensor([1, 2]).cuda()} for _ in images])
        loss = sum(losses.values())
        if not torch.isfinite(loss):
            raise SystemExit("the loss is not a number")
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
