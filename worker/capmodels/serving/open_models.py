"""Open models' shapes, from their published configurations."""

from __future__ import annotations

from capmodels.serving.architectures import Architecture

_PUBLISHED = "config.json on the model's page, as of 2026-08"
_RECALLED = "config.json on the model's page, from memory"


def _dense(
    name: str, shape: str, *, tied: bool = False, matrices: int = 3, recalled: bool = False
) -> Architecture:
    """A dense model: layers, width, heads, KV heads, head size, FFN width, vocabulary."""
    layers, hidden, heads, kv_heads, head, ffn, vocabulary = map(int, shape.split())
    return Architecture(
        name=name,
        layers_count=layers,
        hidden_count=hidden,
        heads_count=heads,
        kv_heads_count=kv_heads,
        head_size_count=head,
        ffn_count=ffn,
        vocabulary_count=vocabulary,
        tied=tied,
        mlp_matrices_count=matrices,
        source=_RECALLED if recalled else _PUBLISHED,
    )


def _experts(name: str, shape: str, experts: str, **more: int | bool) -> Architecture:
    """A model of experts: as a dense one; experts, per token, width, shared width, MoE layers."""
    count, used, width, shared, layers = map(int, experts.split())
    return _dense(name, shape).model_copy(
        update={
            "experts_count": count,
            "experts_per_token_count": used,
            "expert_ffn_count": width,
            "shared_ffn_count": shared,
            "moe_layers_count": layers,
            **more,
        }
    )


def _latent(name: str, shape: str, experts: str, ranks: str) -> Architecture:
    """A model of experts with latent attention: ranks of KV and queries; rotary, plain, value."""
    kv, query, rope, nope, value = map(int, ranks.split())
    return _experts(
        name,
        shape,
        experts,
        kv_lora_count=kv,
        q_lora_count=query,
        rope_count=rope,
        nope_count=nope,
        value_count=value,
    )


_DEEPSEEK = "61 7168 128 128 128 18432 129280", "256 8 2048 2048 58", "512 1536 64 128 128"
_KIMI = "61 7168 64 64 128 18432 163840", "384 8 2048 2048 60", "512 1536 64 128 128"

OPEN_MODELS: dict[str, Architecture] = {
    one.name: one
    for one in (
        _dense("Llama-3.1-8B", "32 4096 32 8 128 14336 128256"),
        _dense("Llama-3.1-70B", "80 8192 64 8 128 28672 128256"),
        _dense("Llama-3.3-70B", "80 8192 64 8 128 28672 128256"),
        _dense("Llama-3.1-405B", "126 16384 128 8 128 53248 128256"),
        _dense("Llama-3.2-1B", "16 2048 32 8 64 8192 128256", tied=True, recalled=True),
        _dense("Llama-3.2-3B", "28 3072 24 8 128 8192 128256", tied=True, recalled=True),
        _dense("Llama-2-7B", "32 4096 32 32 128 11008 32000", recalled=True),
        _dense("Llama-2-70B", "80 8192 64 8 128 28672 32000", recalled=True),
        _dense("Mistral-7B-v0.3", "32 4096 32 8 128 14336 32768", recalled=True),
        _dense("GPT-J-6B", "28 4096 16 16 256 16384 50400", matrices=2, recalled=True),
        _dense("Qwen2.5-7B", "28 3584 28 4 128 18944 152064", recalled=True),
        _dense("Qwen2.5-72B", "80 8192 64 8 128 29568 152064", recalled=True),
        _dense("Qwen3-0.6B", "28 1024 16 8 128 3072 151936", tied=True),
        _dense("Qwen3-1.7B", "28 2048 16 8 128 6144 151936", tied=True),
        _dense("Qwen3-8B", "36 4096 32 8 128 12288 151936"),
        _dense("Qwen3-32B", "64 5120 64 8 128 25600 151936"),
        _experts("Mixtral-8x7B", "32 4096 32 8 128 14336 32000", "8 2 14336 0 32"),
        _experts("Mixtral-8x22B", "56 6144 48 8 128 16384 32000", "8 2 16384 0 56"),
        _experts("Qwen3-30B-A3B", "48 2048 32 4 128 6144 151936", "128 8 768 0 48"),
        _experts("Qwen3-235B-A22B", "94 4096 64 4 128 12288 151936", "128 8 1536 0 94"),
        _experts("Qwen3-Coder-480B-A35B", "62 6144 96 8 128 8192 151936", "160 8 2560 0 62"),
        _experts(
            "Qwen3.5-122B-A10B",
            "48 3072 32 2 256 0 248320",
            "256 8 1024 1024 48",
            linear_layers_count=36,
        ),
        _experts(
            "Qwen3.5-397B-A17B",
            "60 4096 32 2 256 0 248320",
            "512 10 1024 1024 60",
            linear_layers_count=45,
        ),
        _experts("MiniMax-M2.5", "62 3072 48 8 128 1536 200064", "256 8 1536 0 62"),
        _experts(
            "Llama-4-Scout",
            "48 5120 40 8 128 16384 202048",
            "16 1 8192 8192 48",
            window_count=8192,
            windowed_layers_count=36,
        ),
        _experts(
            "Llama-4-Maverick",
            "48 5120 40 8 128 16384 202048",
            "128 1 8192 8192 24",
            window_count=8192,
            windowed_layers_count=36,
        ),
        _experts(
            "gpt-oss-20b",
            "24 2880 64 8 64 2880 201088",
            "32 4 2880 0 24",
            window_count=128,
            windowed_layers_count=12,
            experts_native_fp4=True,
        ),
        _experts(
            "gpt-oss-120b",
            "36 2880 64 8 64 2880 201088",
            "128 4 2880 0 36",
            window_count=128,
            windowed_layers_count=18,
            experts_native_fp4=True,
        ),
        _latent("DeepSeek-R1", *_DEEPSEEK),
        _latent("DeepSeek-V3.2", *_DEEPSEEK),
        _latent("Kimi-K2", *_KIMI),
        _latent("Kimi-K2.5", *_KIMI),
        _latent(
            "GLM-5",
            "78 6144 64 64 256 12288 154880",
            "256 8 2048 2048 75",
            "512 2048 64 192 256",
        ),
    )
}
