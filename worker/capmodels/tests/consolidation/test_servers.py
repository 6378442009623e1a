"""How few servers: as the plan has it, in words, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from capmodels.cases import start_of
from capmodels.consolidation.servers import SPEC, paper, plan_params
from capmodels.consolidation.servers_params import ServersParams
from capmodels.spec import validate
from capmodels.tests.asking import ask, faults

MODEL = "consolidation.servers"
_BOX = {"name": "box", "servers_count": 4, "power_idle_w": 100.0, "power_full_w": 200.0}


def _load(name: str, share: float, **more: Any) -> dict[str, Any]:
    parts = {f"{part}_fraction": 0.0 for part in ("disk", "memory", "network")}
    return {"id": name, "cpu_fraction": share, **parts, **more}


def _estate(*loads: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Servers of 100 W idle and 200 W full, placed by the published rule: no kernel."""
    cpu = {"limit_fraction": 0.8, "power_fraction": 1.0}
    fixed = {"servers": [_BOX], "policy": "greedy_as_published", "cpu": cpu}
    return {"applications": list(loads), **fixed, **more}


def test_the_watts_and_the_year_are_those_worked_out_by_hand() -> None:
    loads = (_load("a", 0.3, server_count=1), _load("b", 0.4, server_count=3))
    price = {"pue": 1.5, "electricity_usd_per_kwh": 0.2, "carbon_gco2e_per_kwh": 500.0}
    said = ask(MODEL, **_estate(*loads, **price))

    # Two servers at 130 and 140 W against one at 170 W: 100 W, 8,760 h, PUE 1.5.
    assert said.today_w == pytest.approx(270.0)
    assert said.plan.power_w == pytest.approx(170.0)
    assert said.saving.kwh_per_year == pytest.approx(1314.0)
    assert said.saving.usd_per_year == pytest.approx(262.8)
    assert said.saving.kgco2e_per_year == pytest.approx(657.0)
    assert said.headline.replace("\u00a0", " ") == (
        "**These 2 servers fit on 1**, saving 1.31 MWh, $263 and 657 kg CO₂e a year with 1 move. "
        "**Switch off server 3**. CPU is fullest."
    )
    assert [[block.id for block in stack.blocks] for stack in said.before] == [["a"], [], ["b"], []]
    assert sorted(len(stack.blocks) for stack in said.after) == [0, 0, 0, 2]
    assert [table.title for table in said.tables] == ["Before and after", "Servers on", "1 move"]


def test_without_a_server_of_today_for_each_there_is_no_before() -> None:
    said = ask(MODEL, **_estate(_load("a", 0.3, server_count=1), _load("b", 0.2)))

    assert said.before == ()
    assert said.saving is None
    assert said.headline.startswith("**These applications fit on 1 server**, drawing 150")


def test_what_is_larger_than_a_server_is_named() -> None:
    said = ask(MODEL, **_estate(_load("big", 0.9)))

    assert said.headline == "**No plan.** big alone is larger than a server may be loaded."
    assert said.after == ()


def test_only_what_is_asked_for_is_planned() -> None:
    asked = plan_params(validate(SPEC, _estate(_load("a", 0.3, memory_fraction=0.1))))

    assert asked.resources == ("cpu", "memory")
    assert asked.box_fraction == (0.8, 1.0)


def test_tiers_stand_at_the_load_that_is_planned_for() -> None:
    tiers = [{"id": "a", "fixed_fraction": 0.5}]
    services = [{"name": "shop", "load_ratio": 2.0, "tiers": tiers}]
    said = ask(MODEL, **_estate(_load("a", 0.4), services=services))

    assert [block.share_ratio for stack in said.after for block in stack.blocks] == [
        (pytest.approx(0.6),)
    ]


def test_the_start_is_of_this_decade_and_the_paper_of_its_own() -> None:
    start = ServersParams.model_validate(start_of(SPEC))
    theirs = ServersParams.model_validate(paper())

    assert "9965" in start.servers[0].name
    assert "October 2024" in SPEC.start_source
    assert theirs.servers[0].power_idle_w == 150.0
    assert plan_params(theirs).box_fraction == (0.7, 0.5)
    # The bend of the catalogue's curve: 593 W at half load.
    half = 138.0 + 723.0 * (2 * 0.5 - 0.5**start.cpu.power_exponent)
    assert half == pytest.approx(593.0, rel=0.01)


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"applications": []}, "/applications"),
        ({"applications": [_load("a", 0.1), _load("a", 0.1)]}, "/applications/1/id"),
        ({"applications": [_load("a", 0.1, apart_from=["z"])]}, "/applications/0/apart_from"),
        ({"applications": [_load("a", 0.1, allowed=["blade"])]}, "/servers"),
        ({"applications": [_load("a", 0.1, server_count=5)]}, "/servers"),
        ({"services": [{"name": "s", "tiers": [{"id": "z"}]}]}, "/services/0/tiers/0/id"),
        (
            {"servers": [_BOX | {"power_full_w": 99.0}]},
            "/servers/0/power_full_w",
        ),
    ],
)
def test_refuses_what_cannot_be(changes: dict[str, Any], pointer: str) -> None:
    assert pointer in faults(MODEL, _estate(_load("a", 0.1)) | changes)
