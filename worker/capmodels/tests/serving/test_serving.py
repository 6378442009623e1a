"""Serving: what holds of every model on every accelerator, closed form against simulation."""

from __future__ import annotations

import json
from typing import Any

import pytest

from capmodels.errors import ModelError, ParamsError
from capmodels.registry import get_model
from capmodels.serving.accelerators import ACCELERATORS
from capmodels.serving.open_models import OPEN_MODELS
from capmodels.spec import Context, evaluate, upgrade

CAPACITY, SIZE, SIMULATE = (
    get_model(f"serving.{name}") for name in ("capacity", "size", "simulate")
)


def asked(
    model: str, accelerator: str, precision: str, tensor: int, load: dict[str, Any]
) -> dict[str, Any]:
    return {
        "replica": {
            "model": {"kind": "open", "name": model},
            "accelerator": {"kind": "listed", "name": accelerator},
            "precision": precision,
            "layout": {"tensor_count": tensor},
        },
        "load": load,
    }


def at(model: str, accelerator: str, precision: str, tensor: int, in_flight: float) -> Any:
    load = {"kind": "in_flight", "in_flight_count": in_flight}
    return evaluate(CAPACITY, asked(model, accelerator, precision, tensor, load))


@pytest.mark.decisive
@pytest.mark.parametrize("accelerator", sorted(ACCELERATORS))
@pytest.mark.parametrize("model", ["Llama-3.1-8B", "gpt-oss-120b", "Llama-3.1-405B"])
def test_more_in_flight_is_more_throughput_and_longer_per_token(
    model: str, accelerator: str
) -> None:
    try:
        found = [at(model, accelerator, "bf16", 8, count) for count in (1.0, 4.0, 16.0, 64.0)]
    except ModelError:
        # It does not fit, or nothing of its kind was measured.
        return
    rates = [one.requests_per_s.value for one in found]
    times = [one.tpot_ms.value for one in found]
    assert rates == sorted(rates)
    assert times == sorted(times)
    for count, one in zip((1.0, 4.0, 16.0, 64.0), found, strict=True):
        if one.most_requests_count >= count:
            # Little: what is in flight is rate by time.
            in_flight = one.requests_per_s.value * one.end_to_end_ms.value / 1e3
            assert in_flight == pytest.approx(count, rel=0.01)
        for band in (one.tpot_ms, one.ttft_ms, one.requests_per_s):
            assert 0 < band.low <= band.value <= band.high


@pytest.mark.parametrize("model", ["Llama-3.1-70B", "Mixtral-8x7B", "Qwen3-32B"])
@pytest.mark.parametrize("accelerator", ["NVIDIA H100 SXM", "NVIDIA B200 SXM", "AMD MI300X"])
def test_fewer_bits_are_never_slower_where_the_accelerator_has_them(
    model: str, accelerator: str
) -> None:
    has = {"bf16", "fp8"} | ({"fp4"} if ACCELERATORS[accelerator].fp4_tflop_per_s else set())
    times = [
        at(model, accelerator, precision, 4, 16.0).tpot_ms.value
        for precision in ("bf16", "fp8", "fp4")
        if precision in has
    ]
    assert times == sorted(times, reverse=True)


@pytest.mark.parametrize("accelerator", ["NVIDIA H100 SXM", "NVIDIA H200 SXM", "NVIDIA B200 SXM"])
def test_stricter_limits_are_never_more_output(accelerator: str) -> None:
    def rate(ttft_ms: float, tpot_ms: float) -> float:
        load = {"kind": "limits", "ttft_ms": ttft_ms, "tpot_ms": tpot_ms}
        document = asked("Llama-3.1-70B", accelerator, "fp8", 4, load)
        found = evaluate(CAPACITY, document)
        assert found.ttft_at_percentile_ms.value <= ttft_ms * (1 + 1e-6)
        assert found.tpot_at_percentile_ms.value <= tpot_ms * (1 + 1e-6)
        assert found.requests_per_s.value <= found.capacity_per_s.value * (1 + 1e-9)
        return float(found.requests_per_s.value)

    server, interactive = rate(2000.0, 200.0), rate(450.0, 40.0)
    assert interactive <= server


def test_what_is_asked_of_an_unmeasured_accelerator_is_refused_until_a_point_is_given() -> None:
    document = asked(
        "Llama-3.1-8B", "Google TPU v6e", "bf16", 4, {"kind": "in_flight", "in_flight_count": 8.0}
    )
    with pytest.raises(ModelError, match="unknown"):
        evaluate(CAPACITY, document)
    point = {
        "in_flight_count": 8.0,
        "prompt_tokens": 1024.0,
        "output_tokens": 512.0,
        "tpot_ms": 20.0,
        "ttft_ms": 150.0,
    }
    document["replica"]["measured"] = point
    found = evaluate(CAPACITY, document)
    assert found.nearness == "calibrated"
    assert found.tpot_ms.value == pytest.approx(20.0, rel=0.05)


def test_a_measured_point_is_met_and_moves_the_others() -> None:
    load = {"kind": "in_flight", "in_flight_count": 16.0, "starts_together": True}
    document = asked("Llama-3.1-70B", "NVIDIA H100 SXM", "fp8", 4, load)
    before = evaluate(CAPACITY, document)
    document["replica"]["measured"] = {
        "in_flight_count": 16.0, "prompt_tokens": 1024.0, "output_tokens": 512.0,
        "tpot_ms": 2 * before.tpot_ms.value,
    }  # fmt: skip
    after = evaluate(CAPACITY, document)
    assert after.tpot_ms.value == pytest.approx(2 * before.tpot_ms.value, rel=0.02)


def test_more_than_it_serves_is_refused_with_what_it_serves() -> None:
    document = asked(
        "Llama-3.1-70B", "NVIDIA H100 SXM", "fp8", 4, {"kind": "rate", "requests_per_s": 1e5}
    )
    with pytest.raises(ModelError, match="at most"):
        evaluate(CAPACITY, document)


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.3, 0.6])
def test_the_closed_form_is_near_the_simulation_at_stable_loads(share: float) -> None:
    document = asked(
        "Llama-3.1-70B",
        "NVIDIA H100 SXM",
        "fp8",
        4,
        {"kind": "limits", "ttft_ms": 1e5, "tpot_ms": 1e5},
    )
    rate = share * evaluate(CAPACITY, document).capacity_per_s.value
    document["load"] = {"kind": "rate", "requests_per_s": rate}
    ours = evaluate(CAPACITY, document)
    arrivals = {"kind": "random", "requests_per_s": rate}
    drawn = SIMULATE.run(
        SIMULATE.params.model_validate(
            {"replica": document["replica"], "arrivals": arrivals, "requests_count": 20_000}
        ),
        Context(seed=3),
    )
    assert drawn.requests_per_s == pytest.approx(rate, rel=0.03)
    for closed, mean_ms in ((ours.tpot_ms, drawn.tpot), (ours.ttft_ms, drawn.ttft)):
        assert closed.value == pytest.approx(mean_ms.mean_ms, rel=0.05)
    assert ours.tpot_at_percentile_ms.value == pytest.approx(drawn.tpot.at_percentile_ms, rel=0.15)
    assert ours.ttft_at_percentile_ms.value == pytest.approx(drawn.ttft.at_percentile_ms, rel=0.15)
    assert drawn.preemptions_count == 0


@pytest.mark.slow
def test_the_simulation_serves_every_request_that_fits_once() -> None:
    trace = {
        "arrival_s": [0.0] * 30 + [1.0] * 30,
        "prompt_tokens": [100 + 37 * (place % 11) for place in range(60)],
        "output_tokens": [1 + place % 50 for place in range(59)] + [10_000_000],
    }
    replica = {
        "model": {"kind": "open", "name": "Llama-3.1-8B"}, "layout": {"tensor_count": 1},
    }  # fmt: skip
    found = SIMULATE.run(
        SIMULATE.params.model_validate({"replica": replica, "trace": trace}), Context()
    )
    assert found.refused_count == 1
    with pytest.raises(ParamsError, match="60 values"):
        evaluate(SIMULATE, {"trace": {**trace, "output_tokens": [1]}})


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(OPEN_MODELS))
def test_sizing_answers_or_says_why_not_for_every_model(name: str) -> None:
    found = evaluate(SIZE, {
        "model": {"kind": "open", "name": name}, "precisions": ["bf16", "fp8", "fp4"],
        "question": {"kind": "users", "users_count": 500}, "ttft_ms": 2000.0, "tpot_ms": 100.0,
    })  # fmt: skip
    named = {plan.accelerator for plan in found.plans} | {one.accelerator for one in found.left_out}
    assert named == set(ACCELERATORS)
    for plan in found.plans:
        assert plan.accelerators_count == plan.replicas_count * plan.tensor_count * plan.data_count
        assert plan.replicas_low_count <= plan.replicas_count <= plan.replicas_high_count
        assert plan.ttft_p50_ms.value <= plan.ttft_at_percentile_ms.value <= 2000.0 * (1 + 1e-6)
        assert plan.tpot_p50_ms.value <= plan.tpot_at_percentile_ms.value <= 100.0 * (1 + 1e-6)


def test_the_t4_case_does_not_fit_and_is_too_slow() -> None:
    found = evaluate(SIZE, {})
    left = next(one for one in found.left_out if one.accelerator == "NVIDIA T4")
    assert "needs 12" in left.reason
    assert set(left.verdicts) == {"no_precision", "does_not_fit", "too_slow"}
    [row] = [row for row in found.tables[-1].rows if row.head == "NVIDIA T4"]
    assert row.cells[0] == "No such precision, does not fit, too slow"


@pytest.mark.decisive
@pytest.mark.parametrize("question", [
    {"kind": "power", "power_kw": 4000.0},
    {"kind": "racks", "racks_count": 12, "rack_kw": 40.0},
    {"kind": "budget", "usd_per_month": 200_000.0},
])  # fmt: skip
def test_what_a_site_or_a_budget_serves_is_what_so_many_users_need(
    question: dict[str, Any],
) -> None:
    inverse = evaluate(SIZE, {"question": question})
    assert inverse.plans
    for plan in inverse.plans:
        if question["kind"] == "power":
            assert plan.power_kw <= question["power_kw"]
        if question["kind"] == "racks":
            assert plan.power_kw <= 12 * 40.0 * 1.25 * (1 + 1e-9)
        if question["kind"] == "budget":
            assert plan.usd_per_h * 730 <= question["usd_per_month"] * (1 + 1e-9)
        assert plan.users_low_count <= plan.users_count <= plan.users_high_count
    best = inverse.plans[0]
    again = evaluate(SIZE, {"question": {"kind": "users", "users_count": best.users_count}})
    same = next(
        plan
        for plan in again.plans
        if (plan.accelerator, plan.precision) == (best.accelerator, best.precision)
    )
    assert same.replicas_count == best.replicas_count


def test_an_api_and_rent_meet_where_the_sentence_says() -> None:
    found = evaluate(SIZE, {})
    [row] = [row for row in found.tables[0].rows if row.head == "API per token"]
    assert row.cells[0].startswith("$2.0")
    assert "An API costs less than renting" in found.headline
    busy = evaluate(SIZE, {"mean_fraction": 0.8})
    assert busy.plans[0].usd_per_m_output < found.api.usd_per_m_output.value
    assert busy.headline.startswith("**2 × NVIDIA B200 SXM at FP4** serve 2,000 users")
    nobody = evaluate(SIZE, {"model": {"kind": "open", "name": "GPT-J-6B"}})
    assert nobody.api is None


def test_what_nothing_serves_is_said_and_not_an_error() -> None:
    found = evaluate(SIZE, {"tpot_ms": 0.001})
    assert found.plans == ()
    assert found.headline.startswith("**No accelerator of the list serves Llama-3.1-70B**")
    little = evaluate(SIZE, {"question": {"kind": "power", "power_kw": 1.0}})
    assert little.plans == ()
    assert {"too_little", "unknown"} <= {one for left in little.left_out for one in left.verdicts}


def test_latency_is_that_of_the_load_and_not_of_the_limit() -> None:
    found = evaluate(SIZE, {"question": {"kind": "rate", "requests_per_s": 100.0}})
    for plan in found.plans:
        document = asked(
            "Llama-3.1-70B", plan.accelerator, plan.precision, plan.tensor_count,
            {"kind": "rate", "requests_per_s": 100.0 / (plan.replicas_count - 1)},
        )  # fmt: skip
        document["replica"]["kv_bits_count"] = 8
        of_one = evaluate(CAPACITY, document)
        ours = plan.tpot_at_percentile_ms.value
        assert of_one.tpot_at_percentile_ms.value == pytest.approx(ours, rel=1e-6)


def test_a_document_of_shape_1_asks_the_same() -> None:
    moved = upgrade(SIZE, {"users_count": 300, "kw_limit_kw": None}, 1)
    assert moved == {"question": {"kind": "users", "users_count": 300}}
    power = upgrade(SIZE, {"users_count": 300, "kw_limit_kw": 50.0}, 1)
    assert power["question"] == {"kind": "power", "power_kw": 50.0}


def test_a_benchmarks_output_sets_the_accelerator_that_it_is_of() -> None:
    before = evaluate(SIZE, {})

    def plan_of(found: Any, accelerator: str) -> Any:
        return next(
            plan
            for plan in found.plans
            if (plan.accelerator, plan.precision) == (accelerator, "fp8")
        )

    load = {"kind": "in_flight", "in_flight_count": 16.0}
    document = asked("Llama-3.1-70B", "NVIDIA H100 SXM", "fp8", 2, load)
    document["replica"]["kv_bits_count"] = 8
    predicted = evaluate(CAPACITY, document).tpot_ms.value
    run = {
        "max_concurrency": 16, "completed": 100, "total_input_tokens": 102_400,
        "total_output_tokens": 51_200, "mean_tpot_ms": 1.5 * predicted, "mean_ttft_ms": 200.0,
    }  # fmt: skip
    other = json.dumps({**run, "mean_tpot_ms": 1.0})
    measured = {
        "accelerator": "NVIDIA H100 SXM", "precision": "fp8", "tensor_count": 2,
        "point": {"kind": "benchmark", "output_json": f"{other}\n{json.dumps(run)}\n"},
    }  # fmt: skip
    after = evaluate(SIZE, {"measured": [measured]})
    (set_to,) = after.calibrated
    assert set_to.slower_ratio == pytest.approx(1.5, rel=1e-3)
    h100, was = plan_of(after, "NVIDIA H100 SXM"), plan_of(before, "NVIDIA H100 SXM")
    assert h100.nearness == "calibrated"
    each, before_each = (
        one.replica_tokens_per_s.value / (one.tensor_count * one.data_count) for one in (h100, was)
    )
    assert each < before_each
    assert h100.accelerators_count >= was.accelerators_count
    assert plan_of(after, "NVIDIA B200 SXM") == plan_of(before, "NVIDIA B200 SXM")
    assert any("1.50 times as long per token" in note for note in after.notes)
    for text, why in (
        ("{}", "no output"),
        (json.dumps({**run, "max_concurrency": None}), "has no"),
    ):
        wrong = {**measured, "point": {"kind": "benchmark", "output_json": text}}
        with pytest.raises(ModelError, match=why):
            evaluate(SIZE, {"measured": [wrong]})
