"""The models of the published runs, as their repositories build them. Only their shapes matter: nothing is downloaded.
transformers' and torchvision's code is that of the environment at hand, not that of the measurements."""
import torch
import torchvision

CONFIGS = {
    "EleutherAI/gpt-neo-125M": ("gpt_neo", dict(hidden_size=768, num_layers=12, num_heads=12, attention_types=[[["global", "local"], 6]],
                                                max_position_embeddings=2048, vocab_size=50257, window_size=256)),
    "T5-small": ("t5", dict(d_model=512, d_ff=2048, d_kv=64, num_layers=6, num_heads=8, vocab_size=32128, decoder_start_token_id=0)),
    "t5-base": ("t5", dict(d_model=768, d_ff=3072, d_kv=64, num_layers=12, num_heads=12, vocab_size=32128, decoder_start_token_id=0)),
    "cerebras/Cerebras-GPT-111M": ("gpt2", dict(n_embd=768, n_layer=10, n_head=12, n_positions=2048, n_inner=3072, vocab_size=50257,
                                                activation_function="gelu")),
    "facebook/opt-125m": ("opt", dict(hidden_size=768, num_hidden_layers=12, num_attention_heads=12, ffn_dim=3072, vocab_size=50272,
                                      word_embed_proj_dim=768)),
    "facebook/opt-350m": ("opt", dict(hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, ffn_dim=4096, vocab_size=50272,
                                      word_embed_proj_dim=512, do_layer_norm_before=False)),
    "distilbert/distilgpt2": ("gpt2", dict(n_embd=768, n_layer=6, n_head=12, n_positions=1024, vocab_size=50257)),
    "openai-community/gpt2": ("gpt2", dict(n_embd=768, n_layer=12, n_head=12, n_positions=1024, vocab_size=50257)),
    "Qwen/Qwen3-4B": ("qwen3", dict(hidden_size=2560, num_hidden_layers=36, num_attention_heads=32, num_key_value_heads=8, head_dim=128,
                                    intermediate_size=9728, vocab_size=151936, tie_word_embeddings=True, max_position_embeddings=40960)),
    "meta-llama/Llama-3.2-3B-Instruct": ("llama", dict(hidden_size=3072, num_hidden_layers=28, num_attention_heads=24,
                                                       num_key_value_heads=8, head_dim=128, intermediate_size=8192, vocab_size=128256,
                                                       tie_word_embeddings=True, max_position_embeddings=131072)),
    "deepseek-ai/DeepSeek-R1-Distill-Qwen-1.5B": ("qwen2", dict(hidden_size=1536, num_hidden_layers=28, num_attention_heads=12,
                                                                num_key_value_heads=2, intermediate_size=8960, vocab_size=151936,
                                                                tie_word_embeddings=False, max_position_embeddings=131072)),
}


def transformer(name, **more):
    from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForSeq2SeqLM
    kind, fields = CONFIGS[name]
    config = AutoConfig.for_model(kind, **dict(fields, **more))
    if kind == "t5":     # the T5 of those days had no other attention
        config._attn_implementation = "eager"
    return (AutoModelForSeq2SeqLM if kind == "t5" else AutoModelForCausalLM).from_config(config, dtype=torch.float32)


def image(name):
    """A name of xmem.csv."""
    from torchvision.models import mnasnet, mobilenetv3
    name = name.replace("torchvision.", "")
    if name.startswith("MNASNet"):
        return mnasnet.MNASNet(alpha=1.0, num_classes=10)
    if name.startswith("MobileNetV3"):
        size = "large" if "large" in name else "small"
        settings, _ = mobilenetv3._mobilenet_v3_conf("mobilenet_v3_" + size)
        return mobilenetv3.MobileNetV3(settings, 1280 if size == "large" else 1024, num_classes=10)
    return getattr(torchvision.models, name)()


def optimizer(name, parameters):
    if name == "Adafactor":
        from transformers import Adafactor
        return Adafactor(parameters, relative_step=False, lr=1e-3)
    return getattr(torch.optim, name)(parameters, lr=1e-3)
