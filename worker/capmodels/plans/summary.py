"""A comparison in a few kB, and the parts that the rest of it has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from capmodels.plans.comparison import Verdict
from capmodels.plans.figures.compared import Compared
from capmodels.spec import Result

if TYPE_CHECKING:
    from collections.abc import Collection

    from capmodels.plans.comparison import Comparison
    from capmodels.spec import JSONDict

# The parts of a comparison by name, and the fields that each of them is; all others go with each.
PARTS: dict[str, tuple[str, ...]] = {
    "designs": ("designs",),
    "break_evens": ("break_evens", "ties", "commitments"),
    "odds": (
        *("odds", "quantities", "flips", "choices"),
        *("tornado", "tornado_center_usd", "moves_most"),
    ),
    "rows": ("rows",),
}
_LISTED = "Costs by cause, by its id. They add up to `cost_usd`."


class DesignSummary(Result):
    """What a design costs and uses over the horizon; what is null is not known."""

    letter: str
    title: str
    kind: Literal["owned_cluster", "cloud", "hybrid", "disk_array", "baseline"]
    competes: bool = Field(description="Whether it meets demand well enough to win.")
    cost_usd: float = Field(description="Cost by the `measure` that designs are ranked by.")
    p10_usd: float | None = Field(
        default=None, description="10th percentile of the cost; null without simulations."
    )
    p90_usd: float | None = Field(
        default=None, description="90th percentile of the cost; null without simulations."
    )
    cheapest_fraction: float | None = Field(
        description="Share of simulations in which it is the cheapest; null without simulations."
    )
    causes_usd: dict[str, float] = Field(description=_LISTED)
    energy_kwh: float | None = Field(description="Electricity, cooling included.")
    carbon_kgco2e: float | None = Field(description="Emissions of operation and of manufacture.")
    shortfall: str | None = Field(description="Where it does not meet demand, in a sentence.")
    warnings: tuple[str, ...] = ()


class Summary(Result):
    """The answer of the plan in short; `include` has the rest."""

    horizon_months: int
    measure: str = Field(description="What `cost_usd` is, in words, such as `Cost over 3 years`.")
    currency: str = Field(description="Code of the currency of the study; amounts here are USD.")
    per_usd: float = Field(description="Units of that currency for a US dollar.")
    winner: str | None = Field(description="Letter of the design that wins; null for none.")
    runner_up: str | None = Field(description="Letter of the design after it; null for none.")
    verdict: Verdict
    draws_count: int = Field(description="Number of simulations; 0 for costs as entered.")
    designs: tuple[DesignSummary, ...]
    causes: dict[str, str] = Field(description="Names of the causes in `causes_usd`, by id.")
    warnings: tuple[str, ...]


_DESIGN = ("letter", "title", "kind", "competes", "p10_usd", "p90_usd", "warnings")
_WHOLE = ("horizon_months", "measure", "ranked_by", "currency", "winner", "runner_up")
# What a summary reads of a comparison; the rest, which is most of it, need not be written out.
_READ: JSONDict = {
    **dict.fromkeys((*_WHOLE, "verdict", "warnings"), True),
    "odds": {"draws_count", "wins"},
    "designs": {
        "__all__": {
            **dict.fromkeys((*_DESIGN, "ranked_usd", "shortfall"), True),
            "causes": {"__all__": {"cause", "label", "ranked_usd"}},
            "energy": {"kwh"},
            "carbon": {"kgco2e"},
        }
    },
}


def summary(answer: JSONDict | Comparison) -> Summary:
    """Return a comparison in short, also of one that an older version stored."""
    document = answer.model_dump(include=_READ) if isinstance(answer, Result) else answer
    of = Compared(document)
    said, odds = document["verdict"], document["odds"] or {"draws_count": 0, "wins": {}}
    designs = (
        DesignSummary(
            **{key: one[key] for key in _DESIGN if key in one},
            cost_usd=one["ranked_usd"],
            cheapest_fraction=odds["wins"].get(one["letter"]),
            causes_usd={cause["cause"]: cause["ranked_usd"] for cause in one["causes"]},
            energy_kwh=one["energy"]["kwh"],
            carbon_kgco2e=one["carbon"]["kgco2e"],
            shortfall=(one.get("shortfall") or {}).get("sentence"),
        )
        for one in of.designs
    )
    return Summary(
        **{key: document[key] for key in ("horizon_months", "winner", "runner_up")},
        verdict=Verdict(**{key: said[key] for key in Verdict.model_fields if key in said}),
        measure=of.measure,
        currency=of.currency.code,
        per_usd=of.currency.per_usd,
        draws_count=odds["draws_count"],
        designs=tuple(designs),
        causes={one["cause"]: one["label"] for design in of.designs for one in design["causes"]},
        warnings=document.get("warnings", ()),
    )


def fields_left_out(parts: Collection[str]) -> set[str]:
    """Return the fields of a comparison that belong to other parts than the named ones."""
    return {field for name, fields in PARTS.items() if name not in parts for field in fields}
