"""Answers of random valid studies hold what every answer has to."""

from __future__ import annotations

from collections import defaultdict
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.errors import ParamsError
from capmodels.plans.compare import SPEC, compare
from capmodels.plans.document.array_spec import ArraySpec
from capmodels.plans.document.pointers import facts_of, leaf_at, may_vary
from capmodels.spec import params_schema, validate
from capmodels.testing.answers import broken
from capmodels.testing.documents import USUAL, Drawer
from capmodels.testing.sent import document_of
from capmodels.testing.studies import leaves_of, random_study
from capmodels.tests.plans.arrays import DESKTOP, array, stored
from capmodels.tests.plans.documents import answer, cloud, demand, owned, plain, study_of
from capmodels.tests.plans.random_studies import seeds_to

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.spec import JSONDict

QUICK_SEEDS = seeds_to(20)
DEEP_SEEDS = range(20, 300)

# Definitions of the schema, by which object holds their fields.
NAMES: dict[int, str] = {}


def broken_by(seed: int) -> list[str]:
    comparison = compare(validate(SPEC, document_of(random_study(seed))))
    return broken(comparison.model_dump(mode="json"))


@pytest.mark.parametrize("seed", QUICK_SEEDS)
def test_the_answer_of_a_random_study_holds(seed: int) -> None:
    assert broken_by(seed) == []


@pytest.mark.deep
def test_the_answers_of_many_random_studies_hold() -> None:
    assert {seed: found for seed in DEEP_SEEDS if (found := broken_by(seed))} == {}


@pytest.mark.decisive
def test_the_same_seed_gives_the_same_study() -> None:
    assert random_study(3) == random_study(3)
    assert random_study(3) != random_study(4)


@pytest.mark.deep
def test_random_studies_enter_every_field_and_every_choice() -> None:
    """What the generator never makes is never tried."""
    schema = params_schema(SPEC)
    NAMES.update({id(part["properties"]): name for name, part in schema["$defs"].items()})
    NAMES[id(schema["properties"])] = "study"
    seen: dict[str, set[Any]] = defaultdict(set)
    missing = set(_places(schema))
    for seed in range(3000):
        if not missing:
            break
        _see(document_of(random_study(seed)), schema, Drawer(schema, Random(0)), "", seen)
        missing -= {f"{at}={v}" for at, vs in seen.items() for v in vs}
    assert not missing, "\n".join(sorted(missing))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("studies_count", "kinds_count"), [(3, 50), pytest.param(40, 200, marks=pytest.mark.deep)]
)
def test_every_kind_of_number_that_may_have_a_range_takes_draws(
    studies_count: int, kinds_count: int
) -> None:
    """A field is typed as one number; that each of them may be draws is seen by drawing it."""
    seen: dict[tuple[str, ...], list[str]] = {}
    for seed in range(studies_count):
        document = document_of(random_study(seed)) | {"ranges": [], "draws_count": 8}
        document["assumptions"] |= {"correlations": [], "choices": []}
        for leaf in leaves_of(study_of(document)):
            kind = tuple(part for part in leaf.path if isinstance(part, str) and len(part) > 1)
            ends = (leaf.value * 0.9, leaf.value * 1.1 or 1.0)
            low, high = (end if leaf.allows(end) else leaf.value for end in ends)
            if kind not in seen and low < high:
                drawn = [{"pointer": leaf.pointer, "low": low, "high": high}]
                found = answer({**document, "ranges": drawn})
                seen[kind] = broken(found.model_dump(mode="json"))
    assert len(seen) > kinds_count
    assert {kind: faults for kind, faults in seen.items() if faults} == {}


def _see(value: Any, schema: JSONDict, drawer: Drawer, at: str, seen: dict[str, set[Any]]) -> None:
    """Note every field that is entered, by its definition, and every choice that is made."""
    schema = drawer.resolved(schema)
    tag = value.get("kind") if isinstance(value, dict) else None
    schema = next((m for m in _members(schema, drawer) if _is_of(m, value, tag)), schema)
    # An alternative of a part is any object: it is of another part's schema.
    if isinstance(value, dict) and "properties" in schema:
        for name, inner in value.items():
            place = f"{NAMES[id(schema['properties'])]}.{name}"
            seen[place].add("null" if inner is None else "entered")
            if isinstance(inner, str | bool):
                seen[place].add(inner)
            _see(inner, schema["properties"][name], drawer, place, seen)
    elif isinstance(value, list):
        for inner in value:
            _see(inner, schema["items"], drawer, at, seen)


def _members(schema: JSONDict, drawer: Drawer) -> Iterator[JSONDict]:
    schema = drawer.resolved(schema)
    inner = [*schema.get("oneOf", ()), *schema.get("anyOf", ())]
    for member in inner:
        yield from _members(member, drawer)
    if not inner:
        yield schema


def _is_of(member: JSONDict, value: Any, tag: Any) -> bool:
    if isinstance(value, dict):
        kind = member.get("properties", {}).get("kind")
        known = kind or {}
        tags = {known.get("const"), known.get("default"), *known.get("enum", ())}
        return member.get("type") == "object" and (kind is None or tag in tags)
    kinds = {list: {"array"}, str: {"string"}, bool: {"boolean"}}
    return member.get("type") in kinds.get(type(value), {"number", "integer"})


# Of a drive's seeks the plan reads one curve.
UNREAD = {"TableSeek", "TwoRegimeSeek", "LogicalSeek", "ThreePointSeek"}


def _places(schema: JSONDict) -> Iterator[str]:
    for name, part in schema["$defs"].items():
        if name not in UNREAD:
            for field, inner in part["properties"].items():
                yield f"{name}.{field}=entered"
                for choice in inner.get("enum", ()):
                    yield f"{name}.{field}={choice}"


def test_usual_amounts_are_known_for_every_unit_of_the_plan() -> None:
    units = set(_units(params_schema(SPEC)))
    assert units <= set(USUAL)


def _units(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if value.get("type") in ("number", "integer") and isinstance(value.get("unit"), str):
            yield value["unit"]
        for inner in value.values():
            yield from _units(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _units(inner)


def with_ranges(study: JSONDict, ranges: dict[str, tuple[float, float]]) -> JSONDict:
    rows = [{"pointer": p, "low": low, "high": high} for p, (low, high) in ranges.items()]
    return study | {"ranges": rows, "draws_count": 50}


def test_work_moved_down_to_nothing_has_an_answer() -> None:
    """The search for what flips a verdict moves busy cores to 0, and with them the baseline."""
    study = plain([owned(), cloud()]) | {
        "baseline": {"lines": [{"type": "m5", "count": 4.0, "usd_per_h": 0.1}]}
    }
    found = answer(with_ranges(study, {"/workload/busy_cores_count": (50.0, 200.0)}))
    assert found.odds is not None
    assert broken(found.model_dump(mode="json")) == []


def test_the_size_of_a_machine_is_not_moved_to_nothing() -> None:
    study = plain([owned(), cloud()], demand(ram_gib=500.0))
    ranges = {
        "/designs/B/instances/0/ram_gib": (32.0, 128.0),
        "/designs/A/node_groups/0/ram_gib": (32.0, 128.0),
        "/designs/A/node_groups/0/cores_per_node_count": (8.0, 12.0),
    }
    found = answer(with_ranges(study, ranges))
    assert {flip.pointer for flip in found.flips if flip.flips_at == 0.0}.isdisjoint(ranges)
    with pytest.raises(ParamsError, match="cannot be 0"):
        answer(with_ranges(study, {"/designs/B/instances/0/ram_gib": (0.0, 128.0)}))


def test_what_was_not_entered_of_a_machine_has_no_range() -> None:
    study = study_of(plain([owned(), cloud()]))
    for pointer, varies in (
        ("/designs/B/instances/0/disks_count", False),
        ("/designs/B/instances/0/ram_gib", True),
    ):
        leaf = leaf_at(study, pointer)
        assert leaf is not None
        assert may_vary(leaf) is varies


def test_the_capacity_of_a_drive_with_tracks_has_no_range() -> None:
    """Its sectors are counted; the times of draws follow the drive as it is entered."""
    zone = {"cylinders_count": 20_000, "sectors_per_track_count": 900}
    tracks = {"surfaces_count": 2, "zones": [zone]}
    drive = {**DESKTOP, "capacity_gb": 2 * 20_000 * 900 * 512 / 1e9, "geometry": tracks}
    pointer = "/designs/A/array/drive/capacity_gb"
    for known, varies in ((DESKTOP, True), (drive, False)):
        leaf = leaf_at(study_of(plain([array(drive=known)], stored())), pointer)
        assert leaf is not None
        assert may_vary(leaf) is varies


def test_a_number_of_instances_that_is_given_may_have_a_range() -> None:
    use = {
        "kind": "utilization",
        "utilization_fraction": 0.5,
        "machines": [{"name": "node", "node_count": 4, "cores_per_node_count": 10.0}],
    }
    rent = cloud(item={"equivalence": "explicit", "instances_count": 4.0})
    own = owned(group={"count": 4})
    study = plain([own, rent], use)
    count = "/designs/B/instances/0/instances_count"
    assert answer(with_ranges(study, {count: (2.0, 8.0)})).odds is not None


def test_leases_without_interest_are_drawn_too() -> None:
    """A rate of 0 is the limit of the level payment, in a draw as elsewhere."""
    lease = {"kind": "lease", "rate_fraction_per_year": 0.05, "term_months": 12}
    study = plain([owned(finance=lease), cloud()])
    rate = "/designs/A/finance/rate_fraction_per_year"
    assert answer(with_ranges(study, {rate: (0.0, 0.1)})).odds is not None


def test_of_two_bounds_the_tighter_one_holds() -> None:
    facts = facts_of(ArraySpec, "false_replacement_fraction")
    assert (facts.high, facts.open_high) == (1.0, True)
    share = "/designs/A/array/false_replacement_fraction"
    study = plain([array(), array("B", drive_price_usd=150.0)], stored())
    assert answer(with_ranges(study, {share: (0.1, 0.5)})).odds is not None


@pytest.mark.parametrize(
    ("embodied", "pointer"),
    [
        ({"kgco2e": 100.0, "low_kgco2e": 200.0}, "low_kgco2e"),
        ({"kgco2e": 100.0, "high_kgco2e": 50.0}, "high_kgco2e"),
    ],
)
def test_estimates_of_embodied_carbon_stand_in_order(embodied: JSONDict, pointer: str) -> None:
    with pytest.raises(ParamsError) as told:
        answer(plain([owned(group={"embodied": embodied})]))
    assert told.value.faults[0].pointer == f"/designs/0/node_groups/0/embodied/{pointer}"


@pytest.mark.parametrize("ends", [{"low_ratio": 1.5}, {"high_ratio": 0.5}])
def test_ratios_of_embodied_carbon_lie_around_one(ends: JSONDict) -> None:
    with pytest.raises(ParamsError, match="estimate"):
        answer(plain([array(embodied={"drive_kgco2e": 10.0, **ends})], stored()))


def test_a_hybrid_that_owns_almost_nothing_draws_no_less_than_idle() -> None:
    """The mean of a curve is 1 but for its last bits, so what is owned is never below 0."""
    shape = [0.6081, 1.049, 1.723, 1.043, 1.572, 1.41, 0.9064, 0.7636, 0.4658, 1.593, 0.884, 2.179]
    work = demand(shape={"kind": "hourly", "values_ratio": shape * 2})
    fan = {"kind": "fan", "idle_w": 100.0, "peak_w": 300.0, "exponent": 0.5}
    hybrid = {
        "letter": "C",
        "title": "Both",
        "kind": "hybrid",
        "owned_letter": "A",
        "rented_letter": "B",
        "own_quantile_fraction": 0.0,
    }
    for count in (0, 1):
        own = owned(group={"power": fan, "count": count, "spare_nodes_count": count})
        assert broken(answer(plain([own, cloud(), hybrid], work)).model_dump(mode="json")) == []


def test_no_array_has_no_cost_per_space_and_says_so() -> None:
    found = answer(plain([owned(array=array(count=0)["array"]), array("B")], stored()))
    [row] = [row for row in found.rows if row.id == "array_usd_per_tb_year"]
    assert row.values["A"] is None
    assert row.reasons["A"]
    alone = answer(plain([array(count=0), array("B")], stored()))
    [row] = [row for row in alone.rows if row.id == "array_usd_per_tb_year"]
    assert row.values["A"] is None
    assert row.reasons["A"] == "There is no array, and so no space."
