"""GPUs of owned nodes as devices, against the model of a server and sums by hand."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from capmodels.plans.document.hardware import NodeGroup
from capmodels.tests.asking import ask
from capmodels.tests.plans.documents import (
    JSONDict,
    answer,
    cause_usd,
    column,
    demand,
    owned,
    plain,
)

HOURS = 8760
NODE = {"power": {"kind": "linear", "idle_w": 100, "peak_w": 300}, "count": 20}
CARDS = {"idle_w": 60, "peak_w": 400, "psu_efficiency_fraction": 1.0}
HALF = {"headroom": {"cores_target_fraction": 0.5}}
FLAT = {"electricity": {"kind": "flat", "usd_per_kwh": 0.2}}


def ours(group: JSONDict, work: JSONDict | None = None, **assumptions: Any) -> Any:
    """The column of one owned design of such nodes."""
    design = owned(group=NODE | group)
    return column(answer(plain([design], work or demand(**HALF), **FLAT, **assumptions)), "A")


def it_kwh(result: Any) -> float:
    return cause_usd(result, "energy") / 0.2


def mean_w(result: Any) -> float:
    """Of one of twenty nodes, over the year."""
    return it_kwh(result) / 20 / HOURS * 1000


def test_a_node_with_gpus_draws_what_the_model_of_a_server_says() -> None:
    load = mean_w(ours({})) / 200 - 0.5
    server = ask(
        "power.server",
        curve={"kind": "linear", "power_idle_w": 100.0, "power_max_w": 300.0},
        load={"kind": "constant", "utilization_fraction": load},
        devices=[{"power_idle_w": 60.0, "power_max_w": 400.0, "devices_count": 4}],
    )
    found = ours({"gpus_per_node_count": 4, "gpus": CARDS})
    assert mean_w(found) == pytest.approx(server.power_w)
    # Another load of their own.
    found = ours({"gpus_per_node_count": 4, "gpus": CARDS | {"use_fraction": 0.9}})
    assert mean_w(found) == pytest.approx(mean_w(ours({})) + 4 * (60 + 0.9 * 340))


def test_supplies_lose_of_the_node_and_of_its_gpus() -> None:
    cards = CARDS | {"use_fraction": 0.25, "psu_efficiency_fraction": 0.8}
    bare = mean_w(ours({}))
    found = ours({"gpus_per_node_count": 2, "gpus": cards, "psu_efficiency_fraction": 0.9})
    assert mean_w(found) == pytest.approx(bare / 0.9 + 2 * (60 + 0.25 * 340) / 0.8)


@pytest.mark.decisive
def test_watts_of_gpus_are_cooled_emit_and_are_charged_at_their_peak() -> None:
    assumptions: JSONDict = {
        "pue": 1.5,
        "carbon": {"gco2e_per_kwh": 400},
        "demand_charge_usd_per_kw_month": 10,
    }
    cards = CARDS | {"use_fraction": 0.5}
    bare = ours({}, **assumptions)
    found = ours({"gpus_per_node_count": 3, "gpus": cards}, **assumptions)
    kwh = 20 * 3 * 0.230 * HOURS
    # Ten dollars a month for a kilowatt, 12 months, the building's share on top.
    charge = 20 * 3 * 0.230 * 120
    more = cause_usd(found, "energy") - cause_usd(bare, "energy")
    assert more == pytest.approx(kwh * 0.2 + charge)
    more = cause_usd(found, "cooling") - cause_usd(bare, "cooling")
    assert more == pytest.approx((kwh * 0.2 + charge) * 0.5)
    emitted = found.carbon.operational_kgco2e - bare.carbon.operational_kgco2e
    assert emitted == pytest.approx(kwh * 1.5 * 0.4)


def test_gpus_that_carry_demand_are_as_busy_as_it_and_cost_their_price() -> None:
    work = demand(gpu_peak_count=100, gpu_mean_count=40)
    group = {"role": "gpu", "gpus_per_node_count": 8, "duty_fraction": 0.0}
    found = ours(group | {"gpus": CARDS | {"unit_price_usd": 9000}}, work)
    # 40 of 160 GPUs are in use.
    assert mean_w(found) == pytest.approx(100 + 8 * (60 + 0.25 * 340))
    bare = ours(group, work)
    priced = cause_usd(found, "hardware") - cause_usd(bare, "hardware")
    assert priced == pytest.approx(20 * 8 * 9000)


def test_the_peak_of_a_node_has_its_gpus_behind_their_supply() -> None:
    group = NodeGroup.model_validate(
        NODE
        | {"name": "n", "price": {"kind": "typed", "unit_price_usd": 0}, "adder_w": 60}
        | {"gpus_per_node_count": 2, "psu_efficiency_fraction": 0.9}
        | {"gpus": CARDS | {"psu_efficiency_fraction": 0.8}}
    )
    assert group.peak_w == pytest.approx(360 / 0.9 + 800 / 0.8)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"gpus_per_node_count": 0}, ("gpus_per_node_count",)),
        ({"power": None}, ("power",)),
        ({"gpus": CARDS | {"peak_w": 10}}, ("gpus", "peak_w")),
        ({"psu_efficiency_fraction": 0.1}, ("psu_efficiency_fraction",)),
    ],
)
def test_what_gpus_lack_is_said_where_it_is(change: JSONDict, place: tuple[str, ...]) -> None:
    group: JSONDict = {"name": "n", "price": {"kind": "typed", "unit_price_usd": 0}, **NODE}
    group |= {"gpus_per_node_count": 2, "gpus": CARDS, **change}
    with pytest.raises(ValidationError) as refused:
        NodeGroup.model_validate(group)
    assert [error["loc"] for error in refused.value.errors()] == [place]
