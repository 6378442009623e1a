"""Rule 19: free tiers, credits and introductory prices, which end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import percent
from capmodels.plans.check.rule import Change, Found, Rule, clouds, demand_of
from capmodels.plans.words import money

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec

# Less than this share of what is sent is no reason to prefer a provider.
FREE_SHARE = 0.01


def find(study: StudySpec) -> Iterator[Found]:
    """Credits, and free egress that is a part of what is sent worth telling."""
    work = demand_of(study)
    for design in clouds(study):
        at = f"/designs/{design.letter}"
        if design.credits.usd > 0:
            credits = money(design.credits.usd, study.assumptions.currency)
            yield Found(
                f"{at}/credits/usd",
                f"{design.letter} pays its first {design.credits.months} months with credits of "
                f"{credits}, which are given once. Fix: the price without them.",
                (Change(f"{at}/credits/usd", 0.0),),
            )
        if work is None or work.egress_tb_per_month <= 0:
            continue
        size = design.transfer.gb_per_tb or design.storage.gb_per_tb
        share = design.transfer.free_gb_per_month / (work.egress_tb_per_month * size)
        if share > FREE_SHARE:
            yield Found(
                f"{at}/transfer/free_gb_per_month",
                f"{percent(min(share, 1.0))} of what {design.letter} sends is free, a promise that "
                "may be changed. Fix: the price of the first band.",
                (Change(f"{at}/transfer/free_gb_per_month", 0.0),),
            )


RULE = Rule(19, "Prices that last", find)
