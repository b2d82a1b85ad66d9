"""LSTM, GRU and plain recurrent layers as cuDNN's: one operation with a reserve for its backward pass, not thousands of small ones."""
import torch

from .stage import stage

aten = torch.ops.aten
# Values that are kept of each unit and step for the backward pass: the gates, what is between them, the output of a layer.
KEPT = {"lstm": 6, "gru": 5, "rnn_tanh": 2, "rnn_relu": 2}
_libraries = []


class Layers(torch.autograd.Function):
    @staticmethod
    def forward(context, shape, reserved, states, source, *held):
        made = torch.empty(shape, dtype=source.dtype, device=source.device)
        after = [torch.empty_like(state) for state in held[:states]]
        reserve = torch.empty(reserved, dtype=source.dtype, device=source.device)
        context.save_for_backward(source, made, reserve, *held)
        return (made, *after)

    @staticmethod
    def backward(context, *grads):
        saved = context.saved_tensors
        return (None, None, None) + tuple(torch.empty_like(one) if needs else None
                                          for one, needs in zip((saved[0],) + saved[3:], context.needs_input_grad[3:]))


def _play(name, source, hx, params, layers, dropout, train, both, shape):
    directions = 2 if both else 1
    if torch.is_autocast_enabled("cuda"):
        kind = torch.get_autocast_dtype("cuda")
        source, hx, params = source.to(kind), [one.to(kind) for one in hx], [one.to(kind) for one in params]
    steps = source.numel() // max(1, source.shape[-1])
    kept = KEPT[name] + (1 if dropout else 0)
    reserved = steps * layers * directions * hx[-1].shape[-1] * kept if train and torch.is_grad_enabled() else 0
    stage.assume("cuDNN was taken to keep %d values of each unit and step of a recurrent layer for the backward pass" % kept)
    return Layers.apply(shape, reserved, len(hx), source, *hx, *params)


def _of_input(name, states):
    def layer(source, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first):
        hx = list(hx) if states == 2 else [hx]
        shape = tuple(source.shape[:-1]) + (hx[0].shape[-1] * (2 if bidirectional else 1),)
        return _play(name, source, hx, list(params), num_layers, dropout, train, bidirectional, shape)
    return layer


def _of_packed(name, states):
    def layer(source, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional):
        hx = list(hx) if states == 2 else [hx]
        shape = (source.shape[0], hx[0].shape[-1] * (2 if bidirectional else 1))
        return _play(name, source, hx, list(params), num_layers, dropout, train, bidirectional, shape)
    return layer


def arrive(replace):
    library = torch.library.Library("aten", "IMPL", "AutogradCUDA")
    _libraries.append(library)
    for name in KEPT:
        states = 2 if name == "lstm" else 1
        library.impl(name + ".input", _of_input(name, states))
        library.impl(name + ".data", _of_packed(name, states))
