"""Rule 18: real against nominal. Prices that rise with inflation on one side only.

A weighted cost of capital is nominal: what lenders and owners ask has inflation in it. Beside
prices that all stand still, money later is discounted for a rise that it does not have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import percent
from capmodels.plans.check.rule import Change, Found, Rule, clouds, clusters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec

# What rises with prices in general, by who pays it; computers have a trend of their own.
EVERYONES = {"staff": "wages"}
OWNERS = {"space": "space and network", "electricity": "electricity", "software": "software"}


def find(study: StudySpec) -> Iterator[Found]:
    """Prices that stand still while others of the same kind, or the discount rate, rise."""
    changes = study.assumptions.price_changes
    told = EVERYONES | (OWNERS if clusters(study) else {})
    rates = {name: getattr(changes, f"{name}_fraction_per_year") for name in told}
    rising = [name for name, rate in rates.items() if rate > 0]
    if not (clusters(study) or clouds(study)):
        return
    if not rising:
        yield from _all_still(study, told)
        return
    inflation = study.assumptions.inflation_fraction_per_year
    for name, rate in rates.items():
        if rate == 0 and inflation > 0:
            pointer = f"/assumptions/price_changes/{name}_fraction_per_year"
            yield Found(
                pointer,
                f"{told[rising[0]].capitalize()} rise by {percent(rates[rising[0]])} a year, "
                f"{told[name]} stay as they are: one is nominal, the other real. Fix: "
                f"{percent(inflation)} a year, as prices in general.",
                (Change(pointer, inflation),),
            )


def _all_still(study: StudySpec, told: dict[str, str]) -> Iterator[Found]:
    """A nominal rate beside prices that all stand still."""
    assumptions = study.assumptions
    inflation = assumptions.inflation_fraction_per_year
    rate = assumptions.nominal_discount_fraction_per_year
    if assumptions.ranked_by != "present_value" or rate <= 0 or inflation <= 0:
        return
    group = "/assumptions/price_changes"
    names = list(told.values())
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    yield Found(
        group,
        f"The discount rate of {percent(rate)} a year is nominal, with inflation in it; {listed} "
        f"stay as they are, which is real. Fix: {percent(inflation)} a year for each, "
        "as prices in general.",
        tuple(Change(f"{group}/{name}_fraction_per_year", inflation) for name in told),
    )


RULE = Rule(18, "Real or nominal", find)
