"""What arrays of several tiers are like one by one, and together. Points only."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

from capmodels.amounts import fsum
from capmodels.plans.costing.array_cost import data_tb
from capmodels.plans.costing.array_figures import array_figures, tb_years
from capmodels.storage.cluster.responses import PERCENTILES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.costing.array_cost import ArrayPlan
    from capmodels.plans.costing.owned_cost import OwnedCase
    from capmodels.plans.costing.scene import Scene
    from capmodels.spec import JSONDict

_SUMS = (
    "arrays_count",
    "drives_count",
    "raw_tb",
    "usable_tb",
    "throughput_ceiling_mb_per_s",
    "requests_per_s",
    "mean_w",
    "drives_busy_count",
    "drives_asleep_count",
    "failures_per_year",
)


def tier_figures(case: OwnedCase, scene: Scene) -> list[JSONDict]:
    """Each tier in the last year, the hottest first, as ``storage_figures.TierFigures``."""
    return [_tier(case, plan, scene) for plan in case.arrays]


def _tier(case: OwnedCase, plan: ArrayPlan, scene: Scene) -> JSONDict:
    tier = plan.tier
    if tier is None:
        raise TypeError
    stored = partial(data_tb, plan.array, scene)
    paid = (batch.paid_usd for batch in case.batches if batch.part == plan.path)
    return {
        "name": tier.name,
        "from_days": tier.from_days,
        "to_days": tier.to_days,
        "data_tb": tier.held_tb(stored, scene.months),
        "moved_in_tb_per_year": plan.moved_in_tb[-1],
        "moved_out_tb_per_year": plan.moved_out_tb[-1],
        "bought_usd": fsum(paid),
        "array": array_figures(plan, scene, case.owned.refresh_months, None, None),
    }


def all_tiers(
    plans: list[ArrayPlan],
    tiers: list[JSONDict],
    scene: Scene,
    whole: tuple[float | None, float | None],
) -> JSONDict:
    """All tiers as one store, in the shape of ``storage_figures.ArrayFigures``.

    An object is as safe as the tier it lies in, by the share of the data there; all are safe
    where no tier loses any. The store bears as many requests as its tightest tier lets through.
    """
    arrays: list[JSONDict] = [tier["array"] for tier in tiers]
    found: JSONDict = {name: fsum(array[name] for array in arrays) for name in _SUMS}
    nodes = [array["nodes_count"] for array in arrays if array["nodes_count"] is not None]
    found["nodes_count"] = fsum(nodes) if nodes else None
    grow = [(tier["name"], tier["array"]["growth"]) for tier in tiers]
    found["growth"] = " ".join(f"{name}: {told}" for name, told in grow if told) or None
    found["independent"] = any(array["independent"] for array in arrays)
    data = fsum(tier["data_tb"] for tier in tiers)
    space = fsum(tb_years(plan, scene) for plan in plans)
    names, drives = [tier["name"] for tier in tiers], found["drives_count"]
    found |= _ceiling(arrays, found["requests_per_s"])
    response, slow = _response(names, arrays, found["requests_per_s"])
    percentiles, why = _percentiles(arrays)
    worn = min(
        (one for one in zip(arrays, names, strict=True) if one[0]["wear_years"] is not None),
        key=lambda one: one[0]["wear_years"],
        default=None,
    )
    starts = (array["starts_per_drive_year"] * array["drives_count"] for array in arrays)
    found |= {
        "used_fraction": data / found["usable_tb"] if found["usable_tb"] else None,
        "response_mean_ms": response,
        **percentiles,
        "watts": {
            part: fsum(array["watts"][part] for array in arrays) for part in arrays[0]["watts"]
        },
        "starts_per_drive_year": fsum(starts) / drives if drives else 0.0,
        "wear_years": None if worn is None else worn[0]["wear_years"],
        "wears_first": None if worn is None else f"{worn[1]}: {worn[0]['wears_first']}",
        "rebuild_bound": next(
            (one["rebuild_bound"] for one in arrays if one["rebuild_bound"]), None
        ),
        **_survival(tiers, data),
    }
    (total_usd, kgco2e), reasons = whole, dict[str, str | None]()
    for name, amount, why in (
        ("usd_per_tb_year", total_usd, "Its nodes cost as well."),
        ("kgco2e_per_tb_year", kgco2e, "Its emissions are unknown."),
    ):
        found[name] = amount / space if amount is not None and space else None
        reasons[name] = why if space else "There is no array, and so no space."
    for name in ("wear_years", "loss_fraction_per_year", "object_nines_count", "rebuild_h"):
        told = (array["reasons"].get(name) for array in sorted(arrays, key=_never_fails))
        reasons[name] = next((why for why in told if why is not None), None)
    if not data:
        reasons["object_nines_count"] = "It holds no data."
    reasons["response_mean_ms"] = slow
    reasons |= dict.fromkeys(percentiles, why)
    missing = {name: why for name, why in reasons.items() if why and found[name] is None}
    return {**found, "simulations": [], "reasons": missing}


def _ceiling(arrays: list[JSONDict], requests_per_s: float) -> JSONDict:
    """Requests to all tiers that the tightest of them lets through, in today's shares. [1/s]"""
    asked = [array for array in arrays if array["requests_per_s"] > 0] or arrays[:1]

    def bears(array: JSONDict) -> float:
        share = array["requests_per_s"] / requests_per_s if requests_per_s else 1.0
        most: float = array["iops_ceiling_per_s"] / share
        return most

    tightest = min(asked, key=bears)
    return {
        "iops_ceiling_per_s": bears(tightest),
        "iops_bound_by": tightest["iops_bound_by"],
    }


def _response(
    names: list[str], arrays: list[JSONDict], requests_per_s: float
) -> tuple[float | None, str | None]:
    """Mean over the requests of all tiers; None with the reason of a tier that has none. [ms]"""
    asked = [one for one in zip(names, arrays, strict=True) if one[1]["requests_per_s"] > 0] or [
        (names[0], arrays[0])
    ]
    for name, array in asked:
        if array["response_mean_ms"] is None:
            return None, f"{name}: {array['reasons'].get('response_mean_ms', '')}"
    if len(asked) == 1:
        return asked[0][1]["response_mean_ms"], None
    weighed = (array["response_mean_ms"] * array["requests_per_s"] for _, array in asked)
    return fsum(weighed) / requests_per_s, None


def _percentiles(arrays: list[JSONDict]) -> tuple[JSONDict, str | None]:
    """Those of the one tier that is asked; of several that answer differently none is known."""
    names = [f"response_{name}" for name in PERCENTILES]
    asked = [array for array in arrays if array["requests_per_s"] > 0] or arrays[:1]
    if len(asked) > 1:
        return dict.fromkeys(names), "Its tiers answer differently: of all together it is unknown."
    return {name: asked[0].get(name) for name in names}, asked[0]["reasons"].get(names[0])


def _never_fails(array: JSONDict) -> bool:
    return bool(array["failures_per_year"] == 0)


def _survival(tiers: list[JSONDict], data: float) -> JSONDict:
    """Loss of any data, nines of an object wherever it lies, and the longest rebuild.

    What is unknown of one tier whose drives fail is unknown of all.
    """

    def known(name: str) -> Iterator[tuple[float, Any]]:
        for tier in tiers:
            if tier["array"][name] is not None:
                yield tier["data_tb"], tier["array"][name]

    losses = [value for _, value in known("loss_fraction_per_year")]
    safe = -math.expm1(fsum(math.log1p(-min(loss, 1 - 1e-16)) for loss in losses))
    lost = fsum(tb * 10**-nines for tb, nines in known("object_nines_count"))
    nines = -math.log10(lost / data) if data and lost > 0 else None
    found = {
        "loss_fraction_per_year": safe if losses else None,
        "object_nines_count": nines,
        "rebuild_h": max((value for _, value in known("rebuild_h")), default=None),
    }
    failing = [tier["array"] for tier in tiers if not _never_fails(tier["array"])]
    unknown = {name for name in found for array in failing if array[name] is None}
    return {name: None if name in unknown else value for name, value in found.items()}
