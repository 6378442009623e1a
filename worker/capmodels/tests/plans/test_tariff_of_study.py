"""A study's electricity under a utility's tariff, against the tariff's own model to the cent."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest

from capmodels.errors import ParamsError
from capmodels.plans.answer.trials_kernel import Evaluator
from capmodels.plans.costing.scene import Scene
from capmodels.plans.costing.tariffs import mean_price
from capmodels.plans.document.assumptions import Assumptions
from capmodels.plans.document.pointers import leaf_at, may_vary, substitute
from capmodels.plans.document.tariffed import TariffElectricity
from capmodels.tests.asking import ask
from capmodels.tests.cost.test_tariff import tariff as random_tariff
from capmodels.tests.plans.documents import (
    JSONDict,
    answer,
    cause_usd,
    column,
    demand,
    in_hindsight,
    owned,
    plain,
    study_of,
)
from capmodels.tests.plans.test_drawn_inputs import totals

LINEAR = {"kind": "linear", "idle_w": 100, "peak_w": 300}
DAY = [0.2, 0.4, 0.9, 1.2, 1.6, 1.7] * 4
SHAPES = (None, DAY, [value + day / 2 for day in range(7) for value in DAY])
PUE = 1.4


def electricity_of(seed: int, year: int) -> JSONDict:
    found = random_tariff(random.Random(seed), year, "period")
    del found["load"]
    found["flat_demand"].pop("earlier_peaks_kw", None)
    return {"kind": "tariff", "name": f"Drawn {seed}", **found}


def study(electricity: JSONDict, shape: list[float] | None, **assumptions: Any) -> JSONDict:
    work = demand(busy_cores_count=8000)
    if shape is not None:
        work["shape"] = {"kind": "hourly", "values_ratio": shape}
    design = owned(group={"power": LINEAR, "count": 2000})
    return plain([design], work, electricity=electricity, pue=PUE, **assumptions)


def billed(electricity: JSONDict, shape: list[float] | None) -> Any:
    """The bill of the same load, hour by hour, by the model of tariffs."""
    values = shape or [1.0] * 24
    mean = math.fsum(values) / len(values)
    # 8,000 busy cores on 2,000 nodes of ten.
    power = [2000 * (100 + 200 * 0.4 * value / mean) / 1000 * PUE for value in values]
    asked = {name: value for name, value in electricity.items() if name not in {"kind", "name"}}
    return ask("cost.tariff", **asked, load={"kind": "power", "hourly_power_kw": power})


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.decisive
def test_a_study_pays_what_the_tariff_s_own_model_bills(seed: int) -> None:
    electricity, shape = electricity_of(seed, (2024, 2026)[seed % 2]), SHAPES[seed % 3]
    found = column(answer(study(electricity, shape)), "A")
    bill = billed(electricity, shape)
    paid = cause_usd(found, "energy") + cause_usd(found, "cooling")
    assert paid == pytest.approx(bill.total_usd, abs=0.01)
    assert cause_usd(found, "cooling") == pytest.approx(paid * (1 - 1 / PUE), abs=0.01)


def test_months_of_a_year_that_is_cut_and_the_ratchet_of_the_year_before() -> None:
    electricity = electricity_of(2, 2026)
    bill = billed(electricity, DAY)
    said = study(electricity, DAY, horizon_months=5, starts_on="2026-09-01")
    found = column(answer(said), "A")
    months = [bill.months[at % 12].total_usd for at in range(8, 13)]
    paid = cause_usd(found, "energy") + cause_usd(found, "cooling")
    assert paid == pytest.approx(math.fsum(months), abs=0.01)


def test_draws_pay_what_points_do() -> None:
    """Level of the bill and busy cores drawn: each draw is the study with these numbers."""
    drawn = in_hindsight(study_of(study(electricity_of(1, 2026), DAY, horizon_months=30)))
    for pointer in ("/assumptions/electricity/scale_ratio", "/workload/busy_cores_count"):
        leaf = leaf_at(drawn, pointer)
        assert leaf is not None
        draws = [float(leaf.value) * 0.7, float(leaf.value) * 1.1]
        _scene, books = Evaluator(drawn, Scene(drawn).curves).books({leaf.path: np.array(draws)}, 2)
        alone = [totals(substitute(drawn, {leaf.path: value}))["A"] for value in draws]
        assert alone[0] < alone[1]
        assert np.array(books["A"].cash()).sum(axis=0) == pytest.approx(alone, rel=1e-9)


def test_the_mean_price_of_a_tariff_is_that_of_a_steady_load() -> None:
    electricity = electricity_of(3, 2026) | {"least_usd_per_month": 0.0}
    asked = {name: value for name, value in electricity.items() if name not in {"kind", "name"}}
    one = ask("cost.tariff", **asked, load={"kind": "power", "hourly_power_kw": [1.0] * 24})
    found = mean_price(Assumptions.model_validate({"electricity": electricity}).electricity)
    assert found == pytest.approx(one.mean_usd_per_kwh)


def test_tiers_that_the_whole_month_fills_are_refused_at_their_place() -> None:
    electricity = electricity_of(1, 2026)
    electricity["energy"]["tiers_fill_with"] = "month"
    electricity["energy"]["periods"][0]["tiers"] = [
        {"up_to_kwh": 10.0, "rate_usd_per_kwh": 0.1}, {"rate_usd_per_kwh": 0.2}
    ]  # fmt: skip
    with pytest.raises(ParamsError) as refused:
        study_of(study(electricity, None))
    assert [fault.pointer for fault in refused.value.faults] == [
        "/assumptions/electricity/energy/tiers_fill_with"
    ]


def test_the_end_of_a_tier_has_no_range_and_its_price_has() -> None:
    """A band is a part of the form of the calculation: draws of its end would cut it anew."""
    tiers = [{"up_to_kw": 300.0, "rate_usd_per_kw_month": 9.0}, {"rate_usd_per_kw_month": 12.0}]
    energy = [{"up_to_kwh": 50_000.0, "rate_usd_per_kwh": 0.10}, {"rate_usd_per_kwh": 0.08}]
    electricity = {
        "kind": "tariff",
        "name": "Two tiers",
        "energy": {"periods": [{"tiers": energy}, {"tiers": energy}]},
        "flat_demand": {"periods": [{"tiers": tiers}]},
    }
    drawn = in_hindsight(study_of(study(electricity, DAY)))
    base = "/assumptions/electricity"
    for place, end in (("energy", "up_to_kwh"), ("flat_demand", "up_to_kw")):
        leaf = leaf_at(drawn, f"{base}/{place}/periods/0/tiers/0/{end}")
        assert leaf is None or not may_vary(leaf)
    leaf = leaf_at(drawn, f"{base}/flat_demand/periods/0/tiers/0/rate_usd_per_kw_month")
    assert leaf is not None
    assert may_vary(leaf)
    draws = np.array([6.0, 11.0])
    _scene, books = Evaluator(drawn, Scene(drawn).curves).books({leaf.path: draws}, 2)
    alone = [totals(substitute(drawn, {leaf.path: value}))["A"] for value in draws]
    assert np.array(books["A"].cash()).sum(axis=0) == pytest.approx(alone, rel=1e-9)


def test_power_is_not_charged_until_it_is_entered_and_the_form_says_so() -> None:
    entered = {"kind": "tariff", "name": "By hand", "energy": {}}
    bare = TariffElectricity.model_validate(entered)
    opened = TariffElectricity.model_validate(entered | {"flat_demand": {}})
    assert bare.flat_demand == opened.flat_demand
    assert not opened.flat_demand.periods
    charged = {"periods": [{"tiers": [{"rate_usd_per_kw_month": 9.0}]}]}
    typed = TariffElectricity.model_validate(entered | {"flat_demand": charged})
    assert set(typed.flat_demand.ratchet_fraction) == {0.0}
