"""What a reader has to know of the inputs: ranges stretched, prices and factors of elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.answer.factors import factors_of
from capmodels.plans.document.pointers import leaf_at
from capmodels.plans.words import horizon_words, label_of, money
from capmodels.told import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.plans.comparison import DesignResult
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.document.array_spec import ArraySpec
    from capmodels.plans.document.assumptions import Carbon
    from capmodels.plans.document.choices import Choice
    from capmodels.plans.document.question import Design
    from capmodels.plans.document.study import StudySpec


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


def owed_beyond(
    columns: Sequence[DesignResult], scene: Scene, choices: Sequence[Choice]
) -> list[str]:
    """Say which designs have promised payments for the time after the horizon.

    ``choices`` are those of the study: the work may end in some simulations alone.
    """
    owing = [one for one in columns if one.owed_after_horizon_usd > 0]
    if not owing:
        return []
    currency = scene.assumptions.currency
    amounts = listed(
        [f"{money(one.owed_after_horizon_usd, currency)} of {one.letter}" for one in owing]
    )
    of_end = (one for one in choices if one.pointer == "/assumptions/end")
    ends = {scene.assumptions.end, *(other.value for one in of_end for other in one.others)}
    if ends == {"work_continues"}:
        how = "not charged, as the work continues"
    elif ends == {"work_stops"}:
        how = "charged, as the work stops"
    else:
        how = "charged in the simulations in which the work stops, not in the others"
    return [
        f"Leases, commitments or colocation terms run beyond the horizon of "
        f"{horizon_words(scene.months)}: {amounts} would still be owed then; {how}."
    ]


# Prices that stand in for those of a region are off by one unknown, named so with the region.
PRICE_LEVEL = "Price level of "


def borrowed_prices(study: StudySpec) -> list[str]:
    """Say of which designs prices are of another region than where they stand."""
    found: dict[tuple[str, str], list[str]] = {}
    for item in study.ranges:
        region = (item.quantity or "").removeprefix(PRICE_LEVEL)
        if region != (item.quantity or "") and item.pointer.startswith("/designs/"):
            _, _, letter, group, *_ = item.pointer.split("/")
            kinds = found.setdefault((letter, region), [])
            kinds.append(group)
    return [
        f"The catalogue holds no prices of {listed(list(dict.fromkeys(kinds)))} in {region} for "
        f"{letter}: those of another region stand in, each with a range where regions differ. "
        "Enter those of your own contract."
        for (letter, region), kinds in found.items()
    ]


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


def arrays_of(design: Design) -> list[ArraySpec]:
    """Return every kind of arrays of a design, the hottest first."""
    array, tiering = getattr(design, "array", None), getattr(design, "tiering", None)
    colder = () if tiering is None else tiering.colder
    return [item for item in (array, *(tier.array for tier in colder)) if item is not None]


def _bare_embodied(study: StudySpec) -> list[str]:
    """Say of which designs the factors of making the hardware have no year or no basis."""
    bare = {}
    for design in study.designs:
        groups = getattr(design, "node_groups", ())
        energy = getattr(design, "energy", None)
        told = [item.what for item in factors_of(groups, arrays_of(design), energy) if item.is_bare]
        if told:
            bare[design.letter] = " and ".join(told)
    if not bare:
        return []
    places = "; ".join(f"{letter}: {what}" for letter, what in bare.items())
    return [
        "Factors of embodied carbon have no year or no basis, so nobody can check them "
        f"({places}). Enter both beside them."
    ]
