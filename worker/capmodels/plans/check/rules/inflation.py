"""Rule 18: real against nominal. Prices that rise with inflation on one side only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.check.rule import Change, Found, Rule, clouds, clusters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec

# What rises with prices in general, by who pays it; computers have a trend of their own.
EVERYONES = {"staff": "wages"}
OWNERS = {"space": "space and network", "electricity": "electricity", "software": "software"}


def find(study: StudySpec) -> Iterator[Found]:
    """Prices that stand still while others of the same kind rise."""
    changes = study.assumptions.price_changes
    told = EVERYONES | (OWNERS if clusters(study) else {})
    rates = {name: getattr(changes, f"{name}_fraction_per_year") for name in told}
    rising = [name for name, rate in rates.items() if rate > 0]
    if not rising or not (clusters(study) or clouds(study)):
        return
    inflation = study.assumptions.inflation_fraction_per_year
    for name, rate in rates.items():
        if rate == 0 and inflation > 0:
            pointer = f"/assumptions/price_changes/{name}_fraction_per_year"
            yield Found(
                pointer,
                f"{told[rising[0]].capitalize()} rise by {rates[rising[0]]:.1%} a year, "
                f"{told[name]} stay as they are: one is nominal, the other real. Fix: "
                f"{inflation:.1%} a year, as prices in general.",
                (Change(pointer, inflation),),
            )


RULE = Rule(18, "Real or nominal", find)
