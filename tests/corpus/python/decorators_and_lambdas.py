@register("big", batch_size=50)
def big(batch_size: int = 60, *, lr=1e-3, **kwargs):
    fn = lambda batch_size=70: batch_size
    return [b for b in (batch_size, fn())]


@dataclass
class C:
    schedule: Callable = lambda step, warmup_steps=80: step / warmup_steps
