"""Shapes of models: parameter counts of published files, and what any config.json gives."""

from __future__ import annotations

import json

import pytest

from capmodels.errors import ModelError
from capmodels.serving.accelerators import ACCELERATORS
from capmodels.serving.architectures import of_config
from capmodels.serving.open_models import OPEN_MODELS

LLAMA_8B = {
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "num_attention_heads": 32,
    "num_hidden_layers": 32,
    "num_key_value_heads": 8,
    "vocab_size": 128256,
    "tie_word_embeddings": False,
}
DEEPSEEK = {
    "hidden_size": 7168,
    "intermediate_size": 18432,
    "moe_intermediate_size": 2048,
    "n_routed_experts": 256,
    "n_shared_experts": 1,
    "num_experts_per_tok": 8,
    "first_k_dense_replace": 3,
    "num_attention_heads": 128,
    "num_key_value_heads": 128,
    "num_hidden_layers": 61,
    "kv_lora_rank": 512,
    "q_lora_rank": 1536,
    "qk_rope_head_dim": 64,
    "qk_nope_head_dim": 128,
    "v_head_dim": 128,
    "vocab_size": 129280,
}
GPT_OSS = {
    "hidden_size": 2880,
    "intermediate_size": 2880,
    "num_local_experts": 128,
    "num_experts_per_tok": 4,
    "num_attention_heads": 64,
    "num_key_value_heads": 8,
    "head_dim": 64,
    "num_hidden_layers": 36,
    "sliding_window": 128,
    "layer_types": ["sliding_attention", "full_attention"] * 18,
    "vocab_size": 201088,
    "quantization_config": {"quant_method": "mxfp4"},
}


@pytest.mark.decisive
@pytest.mark.parametrize(
    ("document", "name"),
    [(LLAMA_8B, "Llama-3.1-8B"), (DEEPSEEK, "DeepSeek-R1"), (GPT_OSS, "gpt-oss-120b")],
)
def test_a_published_file_gives_the_shape_of_the_list(
    document: dict[str, object], name: str
) -> None:
    found, listed = of_config(json.dumps(document), name), OPEN_MODELS[name]
    assert found.weights == listed.weights
    assert found.active_weights == listed.active_weights
    for context in (1.0, 100.0, 5000.0):
        assert found.kv_elements(context) == listed.kv_elements(context)
    assert found.weight_bytes("fp4") == listed.weight_bytes("fp4")


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "7", '{"hidden_size": 1}', '{"hidden_size": "x"}', "{", "null"]
)
def test_a_text_that_is_no_configuration_is_refused_in_words(text: str) -> None:
    with pytest.raises(ModelError, match=r"\.$"):
        of_config(text)


def test_there_are_as_many_as_a_planner_expects() -> None:
    assert len(ACCELERATORS) >= 30
    assert len(OPEN_MODELS) >= 25
    assert {one.name for one in ACCELERATORS.values() if not one.speed_known} >= {
        "Intel Gaudi 3", "Google TPU v6e", "AWS Trainium2", "AWS Inferentia2",
    }  # fmt: skip
    assert all(one.source and one.as_of for one in ACCELERATORS.values())
    assert all(one.source for one in OPEN_MODELS.values())
