"""Inference streams in a study: GPUs of each kind by the model of serving, and APIs per token."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from pydantic import ValidationError

from capmodels.errors import ParamsError
from capmodels.plans.check.registry import RULES
from capmodels.serving.choices import Lengths, open_model
from capmodels.serving.size import ways_of
from capmodels.serving.size_params import SizeParams
from capmodels.tests.plans.documents import (
    JSONDict,
    answer,
    cause_usd,
    cloud,
    column,
    demand,
    owned,
    plain,
    study_of,
)

STREAM = {"name": "chat", "model": "Llama-3.1-70B", "users_count": 20_000}
PRICE = {"model": "Llama-3.1-70B", "input_usd_per_m": 0.6, "output_usd_per_m": 0.8}
VM = {"name": "vm", "usd_per_h": 1.0, "vcpu_count": 10}


def work(**change: Any) -> JSONDict:
    return demand(streams=[{**STREAM, **change}])


def with_gpus(letter: str, gpu: str | None, count: float = 8) -> JSONDict:
    item = {"name": "gpu", "usd_per_h": 50.0, "vcpu_count": 96, "gpus_count": count, "gpu": gpu}
    return {**cloud(letter), "instances": [VM, item]}


def by_api(letter: str, **price: Any) -> JSONDict:
    return {**cloud(letter), "instances": [VM], "token_prices": [{**PRICE, **price}]}


def nodes(letter: str, gpu: str) -> JSONDict:
    design = owned(letter)
    group = {
        "name": "gpu",
        "role": "gpu",
        "gpus_per_node_count": 8,
        "gpu": gpu,
        "price": {"kind": "typed", "unit_price_usd": 300_000},
        "power": {"kind": "constant", "power_w": 8000},
    }
    design["node_groups"].append(group)
    return design


def row_of(result: Any, row_id: str) -> Any:
    (found,) = [row for row in result.rows if row.id == row_id]
    return found


def gpus_by_hand(accelerator: str) -> float:
    """GPUs of a kind for the stream: replicas of the best way, by its rate at the planned use."""
    params = SizeParams(model=open_model("Llama-3.1-70B"), lengths=Lengths())
    ways = ways_of(params)[accelerator]
    best = max(way.requests_per_s / way.accelerators for way in ways if way.accelerators <= 8)
    return 20_000 * 12 / 3600 / best


@pytest.mark.decisive
@pytest.mark.parametrize(
    ("gpu", "accelerator"),
    [("NVIDIA H200 SXM5 141 GB", "NVIDIA H200 SXM"), ("NVIDIA B200", "NVIDIA B200 SXM")],
)
def test_nodes_are_as_many_as_the_model_of_serving_asks_for(gpu: str, accelerator: str) -> None:
    result = column(answer(plain([nodes("A", gpu)], work())), "A")
    (group,) = [one for one in result.sizing[0].groups if one.name == "gpu"]
    assert group.count == math.ceil(gpus_by_hand(accelerator) / 8)
    assert result.carries_load


def test_a_rented_design_has_the_gpus_of_its_own_kind() -> None:
    designs = [with_gpus("A", "NVIDIA H100"), with_gpus("B", "NVIDIA B200")]
    result = answer(plain(designs, work(mean_fraction=1.0)))
    hours = 8760
    for letter, accelerator in (("A", "NVIDIA H100 SXM"), ("B", "NVIDIA B200 SXM")):
        machines = math.ceil(gpus_by_hand(accelerator) / 8)
        compute = column(answer(plain([cloud("A")], demand())), "A")
        usd = cause_usd(column(result, letter), "instances") - cause_usd(compute, "instances")
        assert usd == pytest.approx(machines * 50.0 * hours)


def test_more_users_are_more_gpus_and_a_slower_engine_too() -> None:
    def count(**change: Any) -> float:
        result = column(answer(plain([nodes("A", "NVIDIA H100")], work(**change))), "A")
        (group,) = [one for one in result.sizing[0].groups if one.name == "gpu"]
        return float(group.count)

    assert count() < count(users_count=80_000)
    assert count(users_count=80_000) < count(users_count=80_000, served_ratio=0.5)
    # However few the users are, a replica is there.
    assert count(users_count=1) == 1


def test_the_t4_case_does_not_fit_and_is_too_slow_in_a_study() -> None:
    designs = [with_gpus("A", "NVIDIA H200"), with_gpus("B", "NVIDIA T4", 4)]
    result = answer(plain(designs, work()))
    t4 = column(result, "B")
    assert not t4.carries_load
    assert t4.shortfall is not None
    assert t4.shortfall.sentence.startswith(
        "NVIDIA T4 does not serve Llama-3.1-70B (chat): no such precision, does not fit, too slow."
    )
    assert result.winner == "A"
    one = work(precisions=["bf16"])
    small = column(answer(plain([with_gpus("A", "NVIDIA H200", 1)], one)), "A")
    assert small.shortfall is not None
    assert "takes more than the 1 of a machine" in small.shortfall.sentence
    unsaid = column(answer(plain([with_gpus("A", None)], work())), "A")
    assert unsaid.shortfall is not None
    assert "not entered" in unsaid.shortfall.sentence


def test_an_api_bills_tokens_and_needs_no_gpus() -> None:
    result = column(answer(plain([by_api("A")], work())), "A")
    per_year = 20_000 * 12 * 0.4 * 8760
    tokens = (1024 * 0.6 + 512 * 0.8) / 1e6
    assert cause_usd(result, "services") == pytest.approx(per_year * tokens)
    assert result.carries_load
    assert result.energy.reason == "How much energy an API takes is not known."
    cached = column(
        answer(plain([by_api("A", cached_usd_per_m=0.1, cached_fraction=0.5)], work())), "A"
    )
    tokens = (1024 * 0.35 + 512 * 0.8) / 1e6
    assert cause_usd(cached, "services") == pytest.approx(per_year * tokens)
    other = column(answer(plain([by_api("A", model="Qwen3-8B")], work())), "A")
    assert other.shortfall is not None
    assert other.shortfall.sentence == "The API has no price for Llama-3.1-70B."


def test_rows_say_what_a_million_tokens_cost_and_how_long_they_take() -> None:
    designs = [nodes("A", "NVIDIA H200"), by_api("B"), with_gpus("C", "NVIDIA B200")]
    result = answer(plain(designs, work()))
    millions = 20_000 * 12 * 0.4 * 8760 * 512 / 1e6
    cost = row_of(result, "usd_per_m_output_tokens").values
    of_energy = row_of(result, "work_per_w")
    assert (of_energy.label, of_energy.unit) == ("Output tokens per joule", "tokens/J")
    energy = of_energy.values
    for letter in "ABC":
        of = column(result, letter)
        assert cost[letter] == pytest.approx(of.ranked_usd / millions)
    kwh = column(result, "A").energy.model_dump()["kwh"]
    assert energy["A"] == pytest.approx(millions * 1e6 / (kwh * 3.6e6))
    assert energy["B"] is None
    times = row_of(result, "stream_0_tpot_ms")
    assert 0 < times.values["C"] < 40
    assert times.reasons["B"] == "How fast an API answers is not known here."
    without = answer(plain([cloud("A")], demand()))
    assert not [row for row in without.rows if "tokens" in row.id]


def test_the_error_of_the_prediction_is_a_quantity_of_the_study() -> None:
    designs = [nodes("A", "NVIDIA H100"), by_api("B"), with_gpus("C", "NVIDIA H100")]
    study = plain(designs, work(users_count=200_000))
    ratio = "/workload/streams/0/served_ratio"
    study |= {"draws_count": 200, "ranges": [{"pointer": ratio, "low": 0.6, "high": 1.4}]}
    result = answer(study)
    own, api, rented = (column(result, letter).model_dump() for letter in "ABC")
    # Own nodes are bought for what is predicted: they are too few where it was too much.
    assert 0.2 < own["met_fraction"] < 0.8
    assert api["p10_usd"] == pytest.approx(api["p90_usd"])
    assert rented["p10_usd"] < 0.8 * rented["p90_usd"]
    tokens = [{"pointer": "/workload/streams/0/prompt_tokens", "low": 500, "high": 2000}]
    with pytest.raises((ParamsError, ValidationError)):
        answer(study | {"ranges": tokens})


def test_gpus_are_typed_or_counted_by_streams_and_served_by_gpus_or_an_api() -> None:
    with pytest.raises(ParamsError, match="counted by the inference streams"):
        study_of(plain([cloud("A")], {**work(), "gpu_peak_count": 8}))
    both = {**with_gpus("A", "NVIDIA H100"), "token_prices": [PRICE]}
    with pytest.raises(ParamsError, match="in place of GPUs"):
        study_of(plain([both], work()))
    with pytest.raises(ParamsError, match="no open model"):
        study_of(plain([cloud("A")], work(model="Llama-9")))


def test_unlike_precisions_and_what_does_not_fit_are_found() -> None:
    (rule,) = [one for one in RULES if one.number == 27]

    def told(*gpus: str, **change: Any) -> list[str]:
        designs = [with_gpus(letter, gpu) for letter, gpu in zip("ABC", gpus, strict=False)]
        return [one.sentence for one in rule.find(study_of(plain(designs, work(**change))))]

    assert told("NVIDIA H100", "NVIDIA H200") == []
    (unlike,) = told("NVIDIA H100", "NVIDIA B200")
    assert unlike.startswith("NVIDIA B200 in B serve Llama-3.1-70B at FP4, those in A at FP8")
    assert told("NVIDIA H100", "NVIDIA B200", precisions=["fp8"]) == []
    (unfit,) = told("NVIDIA H100", "NVIDIA T4")
    assert unfit.startswith("Design B: NVIDIA T4 does not serve Llama-3.1-70B (chat)")


def test_rows_say_times_at_both_percentiles_headroom_carbon_and_break_even_use() -> None:
    designs = [nodes("A", "NVIDIA H200"), by_api("B"), with_gpus("C", "NVIDIA B200")]
    result = answer(plain(designs, work()))
    for name in ("ttft", "tpot"):
        half = row_of(result, f"stream_0_{name}_p50_ms").values
        late = row_of(result, f"stream_0_{name}_ms").values
        for letter in "AC":
            assert 0 < half[letter] <= late[letter]
    headroom = row_of(result, "serving_headroom_fraction").values
    # Rented GPUs follow the load at the planned use; owned ones are whole nodes.
    assert headroom["C"] == pytest.approx(0.3)
    assert headroom["A"] >= 0.3
    millions = 20_000 * 12 * 0.4 * 8760 * 512 / 1e6
    emitting = answer(plain([cloud("A"), *designs[1:]], work(), carbon={"gco2e_per_kwh": 379}))
    for row in (one for one in emitting.rows if one.id == "kgco2e_per_m_output_tokens"):
        for letter, value in row.values.items():
            known = column(emitting, letter).carbon.model_dump()["kgco2e"]
            assert value == (None if known is None else pytest.approx(known / millions))
    even = row_of(result, "even_use_B_fraction")
    share = even.values["A"]
    assert even.reasons["C"] == "What it costs follows the load, as the API's bill does."
    # At that load, and the cost of A as it is, the API's bill is as high.
    at_even = answer(plain([by_api("B")], work(mean_fraction=share)))
    assert column(at_even, "B").ranked_usd == pytest.approx(column(result, "A").ranked_usd)


def test_a_model_of_ones_own_is_served_by_its_config() -> None:
    own = {
        "model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32,
        "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336,
        "vocab_size": 128256,
    }  # fmt: skip

    def gpus(**change: Any) -> float:
        result = column(answer(plain([nodes("A", "NVIDIA H100")], work(**change))), "A")
        (group,) = [one for one in result.sizing[0].groups if one.name == "gpu"]
        return float(group.count)

    # It has the shape of Llama-3.1-8B.
    assert gpus(config_json=json.dumps(own)) == gpus(model="Llama-3.1-8B") < gpus()
    with pytest.raises(ParamsError):
        study_of(plain([cloud("A")], work(config_json="{}")))
