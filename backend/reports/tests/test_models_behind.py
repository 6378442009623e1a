"""Which models' published checks a report shows: those whose equations its figures came of."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from capmodels.registry import get_model
from capmodels.spec import validate
from reports.models_behind import models_behind
from reports.tests.samples import document
from studies.documents import PLAN
from studies.tests import samples

if TYPE_CHECKING:
    from capmodels.spec import JSONDict


def behind(study: JSONDict) -> tuple[str, ...]:
    spec = get_model(PLAN)
    return models_behind(spec, validate(spec, study))


def of(*designs: JSONDict, **assumptions: object) -> JSONDict:
    own = [{**{k: d[k] for k in ("letter", "title", "kind")}, **d["spec"]} for d in designs]
    return {"designs": own, "workload": samples.WORKLOAD, "assumptions": assumptions}


@pytest.mark.decisive
def test_names_the_models_whose_equations_ran() -> None:
    found = behind(of(samples.OWN, samples.RENT))
    assert found[0] == PLAN
    assert "cost.equivalent_annual_cost" in found
    assert not {m for m in found if m.startswith(("storage.", "reliability.", "performance."))}


def test_names_a_model_only_where_a_design_asks_it() -> None:
    assert "cost.irr" in behind(of(samples.OWN, samples.RENT))
    assert "cost.irr" not in behind(of(samples.RENT))


@pytest.mark.parametrize(
    ("power", "model"),
    [
        ({"kind": "linear", "idle_w": 100.0, "peak_w": 400.0}, "power.server"),
        ({"kind": "family", "family": "zen4", "idle_w": 100.0, "peak_w": 400.0}, "power.curve"),
    ],
)
def test_names_the_model_of_the_power_curve(power: JSONDict, model: str) -> None:
    [group] = samples.OWN["spec"]["node_groups"]
    spec = {**samples.OWN["spec"], "node_groups": [{**group, "power": power}]}
    assert model in behind(of({**samples.OWN, "spec": spec}))
    assert model not in behind(of(samples.RENT))


def test_names_the_models_of_energy_and_of_what_making_emits() -> None:
    [group] = samples.OWN["spec"]["node_groups"]
    made = {"kgco2e": 1000.0, "life_months": 48}
    spec = {**samples.OWN["spec"], "node_groups": [{**group, "embodied": made}]}
    grid = {"carbon": {"gco2e_per_kwh": 400.0}}
    whole, without = (
        behind(of({**samples.OWN, "spec": spec}, **grid)),
        behind(of(samples.OWN, **grid)),
    )
    assert set(whole) - set(without) == {"carbon.embodied"}
    assert "cost.time_of_use" in without


def test_a_second_report_of_the_same_study_names_the_same() -> None:
    """What was worked out before is kept, and is worked out again for this."""
    assert behind(document()) == behind(document())


def test_leaves_the_tracing_as_it_was() -> None:
    before = sys.gettrace()
    behind(of(samples.RENT))
    assert sys.gettrace() is before


@pytest.mark.parametrize("model_id", behind(of(samples.OWN, samples.RENT)))
def test_every_model_that_is_named_is_registered(model_id: str) -> None:
    assert get_model(model_id).id == model_id
