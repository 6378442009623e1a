"""Memory modules of nodes by their data sheets, in the draw of a design."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from capmodels import registry, spec
from capmodels.errors import ParamsError
from capmodels.memory.modules import MODULES
from capmodels.plans.document.memory_draw import added_w
from capmodels.plans.document.node_parts import NodeMemory
from capmodels.plans.document.quantities import quantities_of
from capmodels.plans.document.spreads import design_spreads
from capmodels.tests.plans.documents import (
    JSONDict,
    answer,
    cause_usd,
    column,
    owned,
    plain,
    study_of,
)

NAMED: JSONDict = {"module": "ddr4_2400_udimm_16", "used_gib": 256, "in_curve": False}


def ours(memory: JSONDict) -> Any:
    """The column of a design of ten such nodes, with a price of energy."""
    design = owned(group={"ram_gib": 512, "memory": memory, "count": 10})
    flat = {"kind": "flat", "usd_per_kwh": 0.2}
    return column(answer(plain([design], electricity=flat)), "A")


def test_a_data_sheet_stands_in_for_the_module_that_is_named() -> None:
    sheet = MODULES["ddr4_3200_lrdimm_64"].model_dump()
    named = ours(NAMED | {"module": "ddr4_3200_lrdimm_64"})
    typed = ours(NAMED | {"sheet": sheet})
    assert cause_usd(typed, "energy") == cause_usd(named, "energy") > 0
    assert typed.memory == named.memory
    assert cause_usd(ours(NAMED), "energy") != cause_usd(named, "energy")


@pytest.mark.decisive
def test_standing_watts_are_current_times_voltage() -> None:
    # One rank of ten devices at 100 mA and 1 V in any state, and no traffic: 1 W a module.
    currents = dict.fromkeys(("idd0", "idd2n", "idd2p", "idd3n", "idd4r", "idd4w", "idd5b"), 100.0)
    sheet: JSONDict = {f"{name}_ma": value for name, value in (currents | {"idd6n": 100.0}).items()}
    sheet |= {"title": "even", "capacity_gib": 16, "ranks_count": 1, "supply_v": 1.0}
    sheet |= {"devices_per_rank_count": 10}
    found = ours(NAMED | {"sheet": sheet, "traffic_mb_per_s": 0, "policy": "ready"})
    # 32 modules of 16 GiB in each of ten nodes.
    assert cause_usd(found, "energy") == pytest.approx(10 * 32 * 1.0 * 8.760 * 0.2)


@pytest.mark.parametrize("policy", ["ready", "power_down", "aggregate", "remove"])
@pytest.mark.parametrize("in_curve", [True, False])
def test_draws_of_ram_are_answered_at_once_as_one_by_one(policy: Any, in_curve: bool) -> None:
    memory = NodeMemory(module="ddr4_2400_udimm_16", used_gib=300, policy=policy, in_curve=in_curve)
    # Less than is used, whole modules, and a part of one more.
    ram_gib: Any = np.array([8.0, 100.0, 299.0, 300.0, 304.0, 511.9, 512.0, 520.0, 3000.0])
    found = added_w(memory, ram_gib)
    alone = [added_w(memory, float(value)) for value in ram_gib]
    assert np.broadcast_to(found, ram_gib.shape) == pytest.approx(alone, rel=1e-12)


def test_a_sheet_without_currents_leaves_the_draw_unknown() -> None:
    sheet = {"title": "64 GB DDR5", "generation": "ddr5", "capacity_gib": 64, "ranks_count": 2}
    found = ours(NAMED | {"sheet": sheet})
    assert found.energy.basis == "unknown"
    assert "64 GB DDR5" in found.energy.reason


@pytest.mark.parametrize(
    "power",
    [
        {"kind": "constant", "power_w": 0},
        {"kind": "linear", "idle_w": 5, "peak_w": 900},
        {"kind": "fan", "idle_w": 5, "peak_w": 900},
        {
            "kind": "points",
            "points": [{"load_fraction": 0, "power_w": 5}, {"load_fraction": 1, "power_w": 900}],
        },
    ],
)
def test_a_curve_below_what_its_memory_saves_is_refused(power: JSONDict) -> None:
    """Memory that is gathered on few ranks would make energy out of nothing."""
    saving = NAMED | {"in_curve": True, "policy": "remove", "used_gib": 16}
    group = {"ram_gib": 512, "memory": saving, "count": 10, "power": power}
    with pytest.raises(ParamsError) as refused:
        answer(plain([owned(group=group)]))
    (fault,) = refused.value.faults
    assert fault.pointer == "/designs/0/node_groups/0/memory/in_curve"
    assert "say that the memory is not in the power curve" in fault.message
    group["adder_w"] = 200
    found = column(answer(plain([owned(group=group)])), "A")
    assert found.energy.kwh is not None
    assert found.energy.kwh > 0


def test_the_odds_carry_the_measured_error_of_the_memory_model() -> None:
    memory = NAMED | {"policy": "aggregate"}
    designs = [
        owned("A", group={"ram_gib": 512, "memory": memory, "count": 10}),
        owned("B", group={"name": "Others", "ram_gib": 384, "memory": memory, "count": 10}),
        owned("C", group={"ram_gib": 512, "count": 10}),
    ]
    spreads = [one for design in designs for one in design_spreads(design, {})]
    errors = [one for one in spreads if one["pointer"].endswith("/memory/measured_ratio")]
    assert [(one["low"], one["high"]) for one in errors] == [(0.94, 1.06)] * 2
    flat = {"kind": "flat", "usd_per_kwh": 0.2}
    entered = {**plain(designs, electricity=flat), "draws_count": 200, "ranges": errors}
    # Of one policy it is one unknown, whatever its servers are called.
    (error,) = quantities_of(study_of(entered))
    assert error.key == "node_groups/memory/measured_ratio/aggregate"
    a, b, c = (column(answer(entered), letter).model_dump() for letter in "ABC")
    assert c["p10_usd"] == pytest.approx(c["p90_usd"])
    assert all(one["p90_usd"] > one["p10_usd"] * 1.0001 for one in (a, b))


def test_nine_of_eleven_printed_watts_are_within_the_error() -> None:
    """Of the policies that a plan has, on workloads that nothing was fitted to."""
    instant = ["M3 high IPD", *(f"M4 {mix} IPD" for mix in "1234")]
    instant += ["M9 low PAVM+IPD", "M9 high PAVM+IPD"]
    runs = [f"M11 mixed_{mix} PAVM+IPD" for mix in "1234"]
    ratios = []
    for model_id, ids in (
        ("memory.power_policies_instant", instant),
        ("memory.power_policies", runs),
    ):
        model = registry.get_model(model_id)
        held = {check.id: check for check in model.checks}
        assert {held[one].kind for one in ids} == {"predicted"}
        rows = [spec.run_check(model, held[one]) for one in ids]
        ratios += [row["published"] / row["ours"] for row in rows]
    field: Any = NodeMemory.model_fields["measured_ratio"].json_schema_extra
    source = field["default_source"]
    within = [source["low"] <= ratio <= source["high"] for ratio in ratios]
    assert (sum(within), len(within)) == (9, 11)
