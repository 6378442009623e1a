"""A list is counted before its entries are looked at, and few of many faults are told."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import AfterValidator, Field, ValidationError

from capmodels import registry, spec
from capmodels.errors import ParamsError, PointLimitExceeded
from capmodels.list_sizes import ALL_TOLD_MAX
from capmodels.plans.document.parts import Parts
from capmodels.spec import Params
from capmodels.tests.schemas import lists

seen: list[float] = []


def _noted(value: float) -> float:
    seen.append(value)
    return value


class Part(Params):
    kind: Literal["part"] = "part"
    type: Annotated[tuple[Annotated[float, AfterValidator(_noted)], ...], Field(max_length=3)] = ()


class Other(Params):
    kind: Literal["other"] = "other"


class Whole(Params):
    parts: Annotated[
        tuple[Annotated[Part | Other, Field(discriminator="kind")], ...], Field(max_length=2)
    ] = ()
    long: Annotated[tuple[float, ...], Field(max_length=ALL_TOLD_MAX + 1)] = ()
    short: Annotated[tuple[float, ...], Field(min_length=2, max_length=ALL_TOLD_MAX)] = (1, 1)


def faults(document: dict[str, Any]) -> list[str]:
    with pytest.raises(ValidationError) as refused:
        Whole.model_validate(document)
    return [f"{fault.pointer} {fault.code}" for fault in spec.faults_of(refused.value, document)]


def test_no_entry_of_a_list_that_is_too_long_is_looked_at() -> None:
    seen.clear()
    assert faults({"parts": [{"kind": "part", "type": [1] * 4}]}) == ["/parts/0/type too_long"]
    assert faults({"parts": [{"kind": "part", "type": [1]}] * 3}) == ["/parts too_long"]
    assert not seen
    Whole.model_validate({"parts": [{"kind": "part", "type": [1, 2]}]})
    assert seen == [1, 2]


@pytest.mark.decisive
def test_the_schema_says_the_limit_as_before() -> None:
    schema = Whole.model_json_schema()["properties"]
    assert schema["parts"]["maxItems"] == 2
    assert schema["short"]["minItems"] == 2


def test_of_a_long_list_the_first_wrong_entry_is_told_of_a_short_one_fifty() -> None:
    assert faults({"long": [0, "x", "y"]}) == ["/long/1 wrong_type"]
    assert faults({"short": [*["x"] * 300]}) == [f"/short/{n} wrong_type" for n in range(50)]
    assert faults({"short": ["x"]}) == ["/short/0 wrong_type"]
    assert faults({"short": [1]}) == ["/short too_short"]


@pytest.mark.parametrize("model", registry.all_models(), ids=lambda model: model.id)
def test_every_list_of_an_input_has_a_most(model: spec.AnyModel) -> None:
    assert not [place for place, most in lists(spec.params_schema(model)) if most is None]


def test_a_model_has_to_say_how_its_time_grows() -> None:
    with pytest.raises(TypeError, match="points"):
        spec.ModelSpec(  # type: ignore[call-arg]  # what the test is about
            id="cost.none",
            version="1.0.0",
            title="None",
            summary="None",
            params=Whole,
            result=spec.Result,
            run=lambda _params, _context: spec.Result(),
        )


def test_of_far_too_many_designs_few_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[object] = []
    read_around = Parts.read_around

    def noted(self: Parts, document: object) -> tuple[object, set[str]]:
        read.append(document)
        return read_around(self, document)

    monkeypatch.setattr(Parts, "read_around", noted)
    model = registry.get_model("plans.compare")
    with pytest.raises(ParamsError) as refused:
        spec.validate(model, {"designs": [{"letter": "A", "title": "x", "kind": "cloud"}] * 5_000})
    assert "/designs" in [fault.pointer for fault in refused.value.faults]
    # Each was held against the faults of all others: twenty thousand took 15 s.
    assert len(read) < 500


@pytest.mark.parametrize("end", ["dataset_high_tb", "query_rate_high_per_s"])
def test_a_map_without_end_is_not_drawn_at_once(end: str) -> None:
    model = registry.get_model("performance.kv_node_choice")
    params = spec.validate(model, {"map": {end: 1e200}})
    with pytest.raises(PointLimitExceeded):
        spec.require_points(model, params)
