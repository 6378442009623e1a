"""What each cause of cost came to in a design."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capmodels.amounts import fsum
from capmodels.plans.causes import BY_KEY, CAUSES
from capmodels.plans.comparison import CauseAmount

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from capmodels.plans.causes import Key, Side
    from capmodels.plans.costing.book import CauseBook, Discount
    from capmodels.plans.costing.scene import Scene
    from capmodels.series import Series
    from capmodels.spec import JSONDict


@dataclass(frozen=True, slots=True)
class CauseFlow:
    """Payments of a cause by month, and their present values."""

    cash: Series
    present: Series


def cause_flows(book: CauseBook, discount: Discount) -> dict[Key, CauseFlow]:
    """Payments of every cause by month, as they are and at present value."""
    return {
        key: CauseFlow(account.cash(), account.present(discount))
        for key, account in book.causes.items()
    }


def formula_id(cause: str, side: Side, scene: Scene) -> str:
    """Id of the formula of a cause."""
    if cause == "instances" and scene.demand is None:
        return "instances_by_use"
    return BY_KEY[cause, side].formula.id


def cause_amounts(flows: dict[Key, CauseFlow], scene: Scene) -> list[JSONDict]:
    """Every cause of a design, in its fixed order."""
    return [
        {
            "cause": cause.id,
            "side": cause.side,
            "label": cause.label,
            "amount_usd": fsum(flow.cash),
            "npv_usd": fsum(flow.present),
            "ranked_usd": fsum(flow.present if scene.by_value else flow.cash),
            "formula": formula_id(*cause.key, scene),
        }
        for cause in CAUSES
        if (flow := flows.get(cause.key)) is not None
    ]


def causes_with_draws(
    entered: Sequence[CauseAmount],
    drawn_usd: Mapping[Key, tuple[float, float, float]],
    scene: Scene,
) -> tuple[CauseAmount, ...]:
    """The causes with their mean, P10 and P90 over the trials, in their fixed order.

    A cause that costs something in a trial only, such as what is rented where owned machines
    fall short, is one of them.
    """
    told = {(item.cause, item.side): item for item in entered}
    return tuple(
        (told.get(key) or _unentered(key, scene)).model_copy(
            update={"ranked_usd": mean, "p10_usd": low, "p90_usd": high}
        )
        for key in BY_KEY
        if key in told or any(drawn_usd.get(key, ()))
        for mean, low, high in [drawn_usd.get(key, (0.0, 0.0, 0.0))]
    )


def _unentered(key: Key, scene: Scene) -> CauseAmount:
    return CauseAmount(
        cause=key[0],
        side=key[1],
        label=BY_KEY[key].label,
        amount_usd=0.0,
        npv_usd=0.0,
        ranked_usd=0.0,
        formula=formula_id(*key, scene),
    )
