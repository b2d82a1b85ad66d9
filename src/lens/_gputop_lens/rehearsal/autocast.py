"""autocast("cuda") for ghosts. torch's own casts ask a tensor for its C++ device, which is `meta` for a ghost, so the
kernels of that key are replaced by ones with the same lists (aten/src/ATen/autocast_mode.h)."""
import torch

from .ghost import Ghost
from .stage import stage

LOWER = """_convolution _convolution.deprecated conv1d conv2d conv3d conv1d.padding conv2d.padding conv3d.padding conv_tbc
conv_transpose1d conv_transpose2d.input conv_transpose3d.input convolution prelu addmm addmv addr matmul einsum mm mv linalg_vecdot linear
addbmm baddbmm bmm chain_matmul linalg_multi_dot _thnn_fused_lstm_cell _thnn_fused_gru_cell lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell
_scaled_dot_product_flash_attention scaled_dot_product_attention""".split()
FULL = """acos asin cosh erfinv exp expm1 log log10 log2 log1p reciprocal rsqrt sinh tan pow.Tensor_Scalar pow.Tensor_Tensor pow.Scalar
softplus layer_norm native_layer_norm group_norm frobenius_norm.dim nuclear_norm nuclear_norm.dim cosine_similarity poisson_nll_loss
cosine_embedding_loss nll_loss nll_loss2d hinge_embedding_loss kl_div l1_loss smooth_l1_loss huber_loss mse_loss margin_ranking_loss
multilabel_margin_loss soft_margin_loss triplet_margin_loss multi_margin_loss binary_cross_entropy_with_logits dist pdist cdist renorm
logsumexp upsample_nearest1d _upsample_nearest_exact1d upsample_nearest2d _upsample_nearest_exact2d upsample_nearest3d
_upsample_nearest_exact3d upsample_linear1d upsample_bilinear2d _upsample_bilinear2d_aa upsample_trilinear3d upsample_bicubic2d
_upsample_bicubic2d_aa norm.Scalar norm.ScalarOpt_dim""".split()
FULL_BY_DTYPE = """prod prod.dim_int softmax.int log_softmax.int cumprod cumsum linalg_vector_norm linalg_matrix_norm
linalg_matrix_norm.str_ord sum sum.dim_IntList""".split()
WIDEST = "addcdiv addcmul atan2 bilinear cross dot vdot grid_sampler index_put tensordot scatter_add".split()

copies = {}     # id of a parameter → (parameter, its copy in the lower precision), until the outermost region ends
_library = []


def _cast(tensor, dtype):
    if not isinstance(tensor, Ghost) or not tensor.is_floating_point() or tensor.dtype in (dtype, torch.float64):
        return tensor
    if not (dtype != torch.float32 and tensor.dtype == torch.float32 and tensor.requires_grad and tensor.is_leaf and
            torch.is_autocast_cache_enabled() and tensor._base is None):
        return tensor.to(dtype)
    found = copies.get(id(tensor))
    if found is None or found[0] is not tensor:
        found = copies[id(tensor)] = (tensor, tensor.to(dtype))
    return found[1]


def _all(value, dtype):
    if isinstance(value, torch.Tensor):
        return _cast(value, dtype)
    if isinstance(value, (list, tuple)):
        return [_all(one, dtype) for one in value]
    return value


def _with_dtype(operation, chosen):
    off = torch._C.DispatchKeySet(torch._C.DispatchKey.AutocastCUDA)

    def kernel(*args, **kwargs):
        with torch._C._ExcludeDispatchKeyGuard(off):
            dtype = chosen(args, kwargs)
            if dtype is not None:
                args = [_all(one, dtype) for one in args]
                kwargs = {name: _all(value, dtype) for name, value in kwargs.items()}
            return operation(*args, **kwargs)
    return kernel


def _setting_dtype(operation):
    off = torch._C.DispatchKeySet(torch._C.DispatchKey.AutocastCUDA)

    def kernel(*args, **kwargs):
        with torch._C._ExcludeDispatchKeyGuard(off):
            first = args[0]
            takes = any(a.name == "dtype" for a in operation._schema.arguments)
            if takes and isinstance(first, Ghost) and first.dtype in (torch.float16, torch.bfloat16) and kwargs.get("dtype") is None:
                position = [a.name for a in operation._schema.arguments].index("dtype")
                if len(args) > position:
                    if args[position] is None:
                        args = tuple(args[:position]) + (torch.float32,) + tuple(args[position + 1:])
                else:
                    kwargs = dict(kwargs, dtype=torch.float32)
            return operation(*args, **kwargs)
    return kernel


def _widest(args, kwargs):
    kinds = [one.dtype for one in args if isinstance(one, Ghost) and one.is_floating_point()]
    return torch.float32 if torch.float32 in kinds and len(set(kinds)) > 1 else None


def arrive(replace):
    library = torch.library.Library("aten", "IMPL", "AutocastCUDA")
    _library.append(library)
    lower = lambda args, kwargs: torch.get_autocast_dtype("cuda")  # noqa: E731
    full = lambda args, kwargs: torch.float32  # noqa: E731
    for names, make in ((LOWER, lambda op: _with_dtype(op, lower)), (FULL, lambda op: _with_dtype(op, full)),
                        (FULL_BY_DTYPE, _setting_dtype), (WIDEST, lambda op: _with_dtype(op, _widest))):
        for name in names:
            base, _, overload = name.partition(".")
            packet = getattr(torch.ops.aten, base, None)
            operation = getattr(packet, overload or "default", None) if packet is not None else None
            if operation is None or not torch._C._dispatch_has_kernel_for_dispatch_key("aten::" + name, "AutocastCUDA"):
                continue
            try:
                library.impl(name, make(operation), allow_override=True)
            except TypeError:
                library.impl(name, make(operation))
    clear = torch.clear_autocast_cache

    def clear_autocast_cache():
        copies.clear()
        return clear()
    replace(torch, "clear_autocast_cache", clear_autocast_cache)
    leave = torch.amp.autocast_mode.autocast.__exit__

    def exit_region(self, *error):
        made = leave(self, *error)
        if not torch.is_autocast_enabled("cuda"):
            copies.clear()
        return made
    replace(torch.amp.autocast_mode.autocast, "__exit__", exit_region)
