"""Operations that torch builds differently on a GPU than on the CPU: fused dropout, attention kernels, cuDNN's norms and
recurrent layers. The dispatcher asks for them under the keys of CUDA, which ghosts have."""
import torch
import torch.nn.functional as F

from .ghost import META, Ghost, below
from .mode import Mode, handles, reforms
from .stage import stage

aten = torch.ops.aten
_libraries = []


def dropout(tensor, p, train):
    if p == 0 or not train or tensor.numel() == 0:
        return tensor
    return aten.native_dropout.default(tensor, p, train)[0]


def _flash(query, key, value, mask, p):
    widest = 256 if stage.capability[0] >= 8 else 0
    return (mask is None and query.dtype in (torch.float16, torch.bfloat16) and query.shape[-1] <= widest and
            query.dim() == 4 and query.shape[-1] == value.shape[-1] and torch.backends.cuda.flash_sdp_enabled())


def _even(tensor, multiple):
    short = -tensor.shape[-1] % multiple
    return F.pad(tensor, (0, short)) if short else tensor


def attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, *, scale=None, enable_gqa=False):
    """As at::scaled_dot_product_attention chooses on a card of this generation."""
    mask = attn_mask
    if mask is not None and mask.dtype == torch.bool:
        mask = aten.scalar_tensor.default(0.0, dtype=query.dtype, device=query.device).masked_fill(~mask, float("-inf"))
    width = query.shape[-1]
    scale = scale if scale is not None else width ** -0.5
    if _flash(query, key, value, mask, dropout_p):
        query, key, value = _even(query, 8), _even(key, 8), _even(value, 8)
        made = aten._scaled_dot_product_flash_attention.default(query, key, value, dropout_p, is_causal, False, scale=scale)[0]
        return made[..., :width]
    if query.dim() == 4 and torch.backends.cuda.mem_efficient_sdp_enabled() and query.dtype != torch.float64:
        if enable_gqa and key.shape[1] != query.shape[1]:
            key = key.repeat_interleave(query.shape[1] // key.shape[1], 1)
            value = value.repeat_interleave(query.shape[1] // value.shape[1], 1)
        if mask is not None:
            length = mask.shape[-1]
            short = -length % 16
            mask = (F.pad(mask, (0, short))[..., :length] if short else mask).expand(query.shape[0], query.shape[1], query.shape[2], key.shape[2])
        needs = torch.is_grad_enabled() and (query.requires_grad or key.requires_grad or value.requires_grad)
        return aten._scaled_dot_product_efficient_attention.default(query, key, value, mask, needs, dropout_p, is_causal, scale=scale)[0]
    return aten._scaled_dot_product_attention_math.default(query, key, value, mask, dropout_p, is_causal, scale=scale,
                                                           enable_gqa=enable_gqa)[0]


@handles(aten.scaled_dot_product_attention.default)
def inference_attention(mode, function, args, kwargs):
    """Under inference_mode, where no key of autograd is asked."""
    with Mode():
        return attention(*args, **kwargs)


def convolution(args, made):
    """cuDNN answers in channels last if the input or the weight is in it; the kernel for meta tensors does not."""
    form = torch.channels_last if made.dim() == 4 else torch.channels_last_3d if made.dim() == 5 else None
    if form is None or made.is_contiguous(memory_format=form) or not any(_is_last(one, form) for one in args[:2]):
        return made
    with below():
        return torch.empty(made.shape, dtype=made.dtype, device=META, memory_format=form)


def _is_last(tensor, shape):
    return tensor.is_contiguous(memory_format=shape) and not tensor.is_contiguous()


for one in (aten.convolution.default, aten._convolution.default):
    reforms[one] = convolution


def arrive(replace):
    choose = F.one_hot

    def one_hot(tensor, num_classes=-1):
        made = choose(tensor, num_classes)
        if isinstance(made, Ghost) and made._known is None and made.shape[-1] > 0:
            made._share = 1 / made.shape[-1]
        return made
    replace(F, "one_hot", one_hot)
    library = torch.library.Library("aten", "IMPL", "AutogradCUDA")
    _libraries.append(library)
    kernels = (("dropout", dropout), ("scaled_dot_product_attention", attention))
    for name, kernel in kernels:
        library.impl(name, kernel)
