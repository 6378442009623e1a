"""Random valid studies, as a planner's browser sends them: the same seed, the same study."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any, cast

from capmodels.errors import ParamsError
from capmodels.plans.document.quantities import quantities_of
from capmodels.plans.document.spreads import movable
from capmodels.plans.document.study import DESIGNS_MAX, RANGES_MOST, StudySpec
from capmodels.registry import get_model
from capmodels.spec import params_schema, validate
from capmodels.testing.documents import Drawer
from capmodels.testing.fits import (
    fit_arrays,
    fit_cloud,
    fit_hybrid,
    fit_migration,
    fit_owned,
    fit_parts,
)
from capmodels.testing.sent import as_sent
from capmodels.testing.texts import random_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from capmodels.errors import Fault
    from capmodels.plans.document.pointers import Leaf
    from capmodels.spec import JSONDict

PLAN = "plans.compare"
DEFINITIONS = {
    "owned_cluster": "OwnedCluster",
    "cloud": "Cloud",
    "hybrid": "Hybrid",
    "disk_array": "DiskArray",
}
LETTERS = "ABCDEFGH"
ROUNDS = 60
# Names that people give to quantities, which inputs share or have of their own.
# A model of one's own, as its config.json says its shape: that of a Llama of 8 billion weights.
OWN_MODEL = (
    '{"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": '
    '32, "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 128256}'
)
OWN_NAMES = ("price of power", "wages", "Löhne 2026", "=1+1", "x" * 120)
NAMED_SHARE = 0.2
CORRELATIONS_MOST = 6
# Studies without alternatives, and inputs that are tried as such in each of the others.
SETTLED_SHARE, CHOICES_TRIED = 0.6, 3
# Of a study that starts in December 2026.
FIRST_FISCAL_YEAR = 2027


@dataclass(frozen=True, slots=True)
class Flavour:
    """What a random study is like."""

    kinds: tuple[str, ...]
    fullness: float
    scale: float
    workload: str
    baseline: bool
    short: str
    ranges_count: int
    draws_count: int


def random_flavour(rng: Random) -> Flavour:
    """Return what a study is like: how many designs, how full, whether any falls short."""
    count = rng.choice((1, 2, 2, 3, 4, 5, 6, DESIGNS_MAX))
    short = rng.choice(("none", "none", "none", "one", "all"))
    may_be = ("owned_cluster", "cloud", "hybrid", "disk_array")
    only_owned = ("owned_cluster", "disk_array")
    return Flavour(
        kinds=tuple(rng.choice(only_owned if short == "all" else may_be) for _ in range(count)),
        fullness=rng.choice((0.0, 0.2, 0.5, 0.9)),
        scale=rng.choice((1.0, 1.0, 1.0, 1e-3, 1e3)),
        workload=rng.choice(("demand", "demand", "demand", "utilization")),
        baseline=rng.random() < 0.4,
        short=short,
        ranges_count=rng.choice((0, 3, 12, RANGES_MOST)),
        draws_count=rng.choice((0, 200)),
    )


def random_study(seed: int) -> JSONDict:
    """Return a valid study in the shape that the API takes and a study's file holds.

    >>> random_study(1) == random_study(1)
    True
    """
    rng = Random(seed)
    while (document := _valid(_draft(rng, random_flavour(rng)))) is None:
        pass
    return as_sent(document, rng)


@cache
def _schema() -> JSONDict:
    return params_schema(get_model(PLAN))


def _draft(rng: Random, flavour: Flavour) -> tuple[JSONDict, Flavour, Random]:
    drawer = Drawer(_schema(), rng, fullness=flavour.fullness, scale=flavour.scale)
    by_demand = flavour.workload == "demand"
    workload = drawer.named("DemandWorkload" if by_demand else "UtilizationWorkload")
    if by_demand:
        _narrow(workload, flavour, drawer)
    designs = [
        drawer.named(DEFINITIONS[kind], letter=letter, kind=kind)
        for letter, kind in zip(LETTERS, flavour.kinds, strict=False)
    ]
    study: JSONDict = {
        "designs": designs,
        "workload": workload | {"kind": flavour.workload},
        "assumptions": _assumptions(drawer),
        "baseline": drawer.named("Baseline") if flavour.baseline else None,
        "ranges": [],
        "draws_count": flavour.draws_count,
        "seed": rng.randint(0, 99),
    }
    fit_parts(study)
    _fit_designs(study, flavour, drawer)
    return study, flavour, rng


def _narrow(workload: JSONDict, flavour: Flavour, drawer: Drawer) -> None:
    """Leave out of most work what only some designs carry, so that many carry all of it."""
    rare = (
        ("gpu_peak_count", 0.7), ("streams", 0.8), ("service", 0.7), ("object_tb", 0.4),
        ("archive_tb", 0.7),
    )  # fmt: skip
    for name, share in rare:
        if drawer.chance(share):
            workload.pop(name, None)
    if "gpu_peak_count" not in workload:
        workload.pop("gpu_mean_count", None)
    if not workload.get("streams"):
        workload.pop("trainings", None)
    for job in workload.get("trainings", ()):
        job["train_tokens"] = None if job.get("run_flop") else job.get("train_tokens") or 1e9
    for stream in workload.get("streams", ()):
        if stream.pop("config_json", None):
            stream["config_json"] = OWN_MODEL
    if workload.get("streams"):
        # They count the GPUs.
        workload |= {"gpu_peak_count": 0.0, "gpu_mean_count": None}
    if set(flavour.kinds) == {"disk_array"} and drawer.chance(0.8):
        workload |= {"busy_cores_count": 0.0, "ram_gib": 0.0, "object_tb": 0.0}
        workload["archive_tb"] = 0.0
        workload["service"] = None


def _assumptions(drawer: Drawer) -> JSONDict:
    # Correlations are of ranges, which come last.
    assumptions = drawer.named("Assumptions", correlations=[], choices=[])
    if "hours_per_year" in assumptions:
        assumptions["hours_per_year"] = drawer.rng.choice((8760.0, 8784.0))
    currency = assumptions.get("currency")
    if currency is not None:
        currency["as_of"] = "2026-07-01"
        if currency.get("code", "USD") == "USD":
            currency["per_usd"] = 1.0
    if drawer.chance(0.5):
        assumptions["horizon_months"] = drawer.rng.choice((1, 7, 12, 30, 36, 61, 120))
    assumptions["starts_on"] = "2026-12-01"
    for at, budget in enumerate(assumptions.get("books", {}).get("budgets", ())):
        budget["year"] = FIRST_FISCAL_YEAR + at
    return assumptions


def _fit_designs(study: JSONDict, flavour: Flavour, drawer: Drawer) -> None:
    """Make designs fit the work and each other; leave out hybrids that lead nowhere."""
    workload = study["workload"]
    kept = [design for design in study["designs"] if _fits(design, study, drawer)]
    if not kept:
        kept = [drawer.named("Cloud", letter="A", kind="cloud")]
        fit_parts(kept[0])
        fit_cloud(kept[0], workload, drawer)
    study["designs"] = kept
    for design in kept:
        fit_migration(design, study, drawer)
    bought = [design for design in kept if design["kind"] in {"owned_cluster", "disk_array"}]
    for design in bought[: {"none": 0, "one": 1}.get(flavour.short)]:
        _starve(design, workload)


def _fits(design: JSONDict, study: JSONDict, drawer: Drawer) -> bool:
    workload = study["workload"]
    by_demand = workload["kind"] == "demand"
    if design["kind"] == "hybrid":
        return by_demand and fit_hybrid(design, study["designs"], drawer)
    if design["kind"] == "owned_cluster":
        fit_owned(design, workload, drawer)
    elif design["kind"] == "cloud":
        fit_cloud(design, workload, drawer)
    else:
        fit_arrays(design, drawer, by_demand=by_demand)
    return True


def _starve(design: JSONDict, workload: JSONDict) -> None:
    """Let a design fall short: a node of each group, an array, under more work."""
    if workload["kind"] == "demand":
        workload["busy_cores_count"] = max(workload["busy_cores_count"], 2000.0)
        workload["block_tb"] = max(workload.get("block_tb", 0.0), 5000.0)
    for group in design.get("node_groups", ()):
        group["count"] = 1
    if design.get("array"):
        design["array"]["count"] = 1


def _valid(drafted: tuple[JSONDict, Flavour, Random]) -> JSONDict | None:
    """Return the draft without what is at fault, and with ranges; None if nothing is left."""
    study, flavour, rng = drafted
    tried: dict[str, int] = {}
    for _ in range(ROUNDS):
        try:
            spec = validate(get_model(PLAN), study)
        except ParamsError as error:
            if not all(_taken_out(study, fault, tried) for fault in error.faults[:1]):
                return None
        else:
            leaves = list(leaves_of(cast("StudySpec", spec)))
            study["ranges"] = list(_ranges(leaves, flavour.ranges_count, rng))
            study["assumptions"]["correlations"] = list(_correlations(study, rng))
            study["assumptions"]["choices"] = _choices(study, leaves, Random(rng.random()))
            return study
    return None


def _taken_out(study: JSONDict, fault: Fault, tried: dict[str, int]) -> bool:
    """Take out what is at fault, one level further up each time that it comes back."""
    level = tried.get(fault.pointer, 0)
    tried[fault.pointer] = level + 1
    path = fault.pointer.split("/")[1:]
    path = path[: len(path) - level]
    if len(path) < 2 or (path[0] == "designs" and len(path) < 3):
        return False
    here: Any = study
    for part in path[:-1]:
        here = here[int(part)] if isinstance(here, list) else here.get(part, {})
    if isinstance(here, list):
        if int(path[-1]) < len(here):
            del here[int(path[-1])]
    elif isinstance(here, dict):
        here.pop(path[-1], None)
    return True


def leaves_of(study: StudySpec) -> Iterator[Leaf]:
    """Numbers of a study's work, assumptions and designs that may have a range."""
    parts = {"workload": study.workload, "assumptions": study.assumptions}
    for name, part in parts.items():
        yield from movable([type(part)], part.model_dump(mode="json"), (name,))
    for design in study.designs:
        held = design.model_dump(mode="json")
        yield from movable([type(design)], held, ("designs", design.letter))


def _ranges(leaves: Sequence[Leaf], count: int, rng: Random) -> Iterator[JSONDict]:
    drawn = rng.sample(leaves, min(count, len(leaves)))
    lives = [leaf for leaf in leaves if leaf.pointer.endswith("/salvage/life_months")]
    # Of many numbers the life of hardware is one that decides: each study with ranges has it.
    drawn += [leaf for leaf in lives[: count > 0] if leaf not in drawn]
    for leaf in drawn[:RANGES_MOST]:
        wide = max(abs(leaf.value), 0.01) * rng.choice((0.0, 0.05, 0.5))
        low, high = leaf.value - wide * rng.random(), leaf.value + wide * rng.random()
        if leaf.allows(low) and leaf.allows(high):
            named = {"quantity": rng.choice(OWN_NAMES)} if rng.random() < NAMED_SHARE else {}
            yield {"pointer": leaf.pointer, "low": low, "high": high, **named}


def _choices(study: JSONDict, leaves: Sequence[Leaf], rng: Random) -> list[JSONDict]:
    """Alternatives of some inputs, each with other values that are no fault of the study's."""
    kept: list[JSONDict] = []
    if rng.random() < SETTLED_SHARE:
        return kept
    may_be = _may_be(study, leaves, rng)
    for pointer, values in rng.sample(may_be, min(CHOICES_TRIED, len(may_be))):
        odds = rng.choice((1.0, 0.5, 0.25, 0.1)) / len(values)
        others: list[JSONDict] = [{"value": value, "odds_fraction": odds} for value in values]
        if pointer.endswith("/sites_count"):
            # Of two sites one may be lost.
            lost = "/workload/availability/survive_site_loss"
            others[-1]["along"] = [{"pointer": lost, "value": True}]
        choice: JSONDict = {"pointer": pointer, "others": others}
        if rng.random() < NAMED_SHARE:
            choice |= {"title": random_name(rng), "note": random_name(rng)}
        assumptions = study["assumptions"] | {"choices": [*kept, choice]}
        try:
            validate(get_model(PLAN), study | {"assumptions": assumptions})
        except ParamsError:
            continue
        kept.append(choice)
    return kept


def _may_be(study: JSONDict, leaves: Sequence[Leaf], rng: Random) -> list[tuple[str, list[Any]]]:
    """Inputs of a study by pointer, each with one or two other values; not all go with it."""
    at = "/assumptions/"
    found: list[tuple[str, list[Any]]] = [
        (f"{at}end", ["work_stops"]),
        (f"{at}end", ["work_continues"]),
        (f"{at}ordering_interval", ["month", "year"]),
        (f"{at}horizon_months", [rng.choice((5, 24, 47))]),
        ("/workload/availability/sites_count", [2]),
        ("/workload/availability/spare_nodes_count", [0, 2]),
    ]
    for design in study["designs"]:
        mine = f"/designs/{design['letter']}"
        if design["kind"] == "owned_cluster":
            found += [(f"{mine}/finance", [{"kind": "lease", "term_months": 30}])]
            found += [(f"{mine}/salvage/life_months", [36, 72]), (f"{mine}/refresh_months", [48])]
    found += [(one.pointer, [one.value * 1.25]) for one in rng.sample(leaves, min(4, len(leaves)))]
    return found


def _correlations(study: JSONDict, rng: Random) -> Iterator[JSONDict]:
    """Correlations of pairs of quantities; where each is of one pair, any can be."""
    spec = cast("StudySpec", validate(get_model(PLAN), study))
    keys = [quantity.key for quantity in quantities_of(spec)]
    rng.shuffle(keys)
    pairs = list(zip(keys[::2], keys[1::2], strict=False))
    for first, second in pairs[: rng.choice((0, 1, CORRELATIONS_MOST))]:
        noted = {"note": random_name(rng)} if rng.random() < NAMED_SHARE else {}
        ratio = rng.choice((-1.0, 0.0, 1.0, round(rng.uniform(-1, 1), 2)))
        yield {"first": first, "second": second, "spearman_ratio": ratio, **noted}
