"""Which inputs are asked about: those with a range, and those that planners argue over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capmodels.plans.answer.factors import factors_of
from capmodels.plans.document.pointers import Leaf, leaf_at, may_vary
from capmodels.plans.words import label_of

if TYPE_CHECKING:
    from capmodels.plans.document.assumptions import Carbon
    from capmodels.plans.document.study import StudySpec

# Inputs of the best two designs that are asked about even without a range.
HEADLINES = {
    "owned_cluster": (
        "/hardware_price_ratio",
        "/staff_fte",
        "/staff_usd_per_year",
        "/migration/overrun_ratio",
        "/software/usd_per_socket_year",
    ),
    "cloud": (
        "/negotiated_discount_fraction",
        "/staff_fte",
        "/commitments/0/discount_fraction",
        "/instances/0/usd_per_h",
        "/instances/0/perf_per_vcpu_ratio",
    ),
    "hybrid": ("/staff_fte", "/migration/overrun_ratio"),
    "disk_array": (
        "/array/drive_price_usd",
        "/array/enclosure/unit_price_usd",
        "/staff_fte",
        "/hardware_price_ratio",
    ),
}
SHARED_HEADLINES = (
    "/assumptions/electricity/usd_per_kwh",
    "/assumptions/staff_usd_per_fte_year",
    "/workload/growth/cores_fraction_per_year",
    "/workload/utilization_fraction",
)

# How far an input without an upper bound is moved: so many times its value or its range.
FAR = 10.0
MOST_GROWTH = 1.0
# Kept away from the end of a share that must stay below 1.
BELOW_ONE = 0.99


@dataclass(frozen=True, slots=True)
class Input:
    """An input that is moved: where it is, its value, its range and how far it is moved."""

    leaf: Leaf
    label: str
    low: float | None
    high: float | None
    far_low: float
    far_high: float

    @property
    def value(self) -> float:
        """Value in the document."""
        return float(self.leaf.value)

    @property
    def is_ranged(self) -> bool:
        """Whether the study gives it a range."""
        return self.low is not None


def ranged_inputs(study: StudySpec) -> list[Input]:
    """Inputs with a range, by pointer, so that their order does not change the draws."""
    found = []
    for item in sorted(study.ranges, key=lambda entry: entry.pointer):
        leaf = leaf_at(study, item.pointer)
        if leaf is not None:
            # A value that was moved out of its range stretches it; the answer says so.
            low, high = min(item.low, leaf.value), max(item.high, leaf.value)
            found.append(_input(study, leaf, low, high))
    return found


def stretched_ranges(study: StudySpec) -> list[str]:
    """Say which ranges do not hold the value that they are of."""
    warnings = []
    for item in study.ranges:
        leaf = leaf_at(study, item.pointer)
        if leaf is not None and not item.low <= leaf.value <= item.high:
            warnings.append(
                f"The range of {label_of(study, leaf)}, {item.low:g} to {item.high:g}, does not "
                f"hold its value {leaf.value:g}; it is stretched to it."
            )
    return warnings


def bare_factors(study: StudySpec) -> list[str]:
    """Say what factors of carbon do not say of themselves: year and zone, year and basis."""
    carbon = study.assumptions.carbon
    if carbon.gco2e_per_kwh is None:
        return []
    return [*_bare_intensity(carbon), *_bare_embodied(study)]


def _bare_intensity(carbon: Carbon) -> list[str]:
    lacking = [name for name in ("year", "zone") if getattr(carbon, name) is None]
    if not lacking:
        return []
    return [
        f"The carbon intensity of the assumptions ({carbon.gco2e_per_kwh:g} g CO2e/kWh) has no "
        f"{' and no '.join(lacking)}, so nobody can check it. Enter under Assumptions, Carbon, "
        f"of what {' and '.join(lacking)} it is."
    ]


def _bare_embodied(study: StudySpec) -> list[str]:
    """Say of which designs the factors of making the hardware have no year or no basis."""
    bare = {}
    for design in study.designs:
        groups = getattr(design, "node_groups", ())
        array, energy = getattr(design, "array", None), getattr(design, "energy", None)
        told = [item.what for item in factors_of(groups, array, energy) if item.is_bare]
        if told:
            bare[design.letter] = " and ".join(told)
    if not bare:
        return []
    places = "; ".join(f"{letter}: {what}" for letter, what in bare.items())
    return [
        "Factors of embodied carbon have no year or no basis, so nobody can check them "
        f"({places}). Enter both beside them."
    ]


def headline_inputs(study: StudySpec, letters: list[str]) -> list[Input]:
    """Inputs of some designs that are asked about though they have no range."""
    ranged = {item.pointer for item in study.ranges}
    pointers = list(SHARED_HEADLINES)
    for design in study.designs:
        if design.letter in letters:
            pointers += [f"/designs/{design.letter}{tail}" for tail in HEADLINES[design.kind]]
    found = []
    for pointer in pointers:
        leaf = None if pointer in ranged else leaf_at(study, pointer)
        if leaf is not None and may_vary(leaf) and _worth_asking(leaf):
            found.append(_input(study, leaf, None, None))
    return found


def _worth_asking(leaf: Leaf) -> bool:
    """Whether moving it says something: what is 0 and no share has no scale to move on."""
    return leaf.value != 0 or leaf.facts.unit == "fraction"


def _input(study: StudySpec, leaf: Leaf, low: float | None, high: float | None) -> Input:
    far_low, far_high = _far(leaf, low, high)
    return Input(
        leaf=leaf,
        label=label_of(study, leaf),
        low=low,
        high=high,
        far_low=far_low,
        far_high=far_high,
    )


def _far(leaf: Leaf, low: float | None, high: float | None) -> tuple[float, float]:
    """Ends to which an input is moved: the schema's bounds, or far beyond its range."""
    facts, value = leaf.facts, float(leaf.value)
    size = max(abs(value), abs(low or 0.0), abs(high or 0.0))
    if facts.unit == "fraction/yr":
        return max(facts.low or -0.5, -0.5), min(facts.high or MOST_GROWTH, MOST_GROWTH)
    least = facts.low if facts.low is not None else value - FAR * size
    most = FAR * size if facts.high is None else min(facts.high, FAR * size)
    if facts.unit == "fraction" and facts.high is not None:
        most = facts.high
    if facts.high is not None and facts.open_high and most >= facts.high:
        most = facts.high * BELOW_ONE
    if facts.open_low and least == facts.low:
        least += (value - least) / 100.0
    return min(least, low if low is not None else value), max(most, high or value)
