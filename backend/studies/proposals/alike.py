"""What makes proposed designs comparable: delivery, prices of one time, ranges on all sides.

All are what the like-for-like check would offer as a fix, with source and range; what only the
planner knows stays a finding of it.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from capmodels.network.outside import (
    MBIT_PER_S_PER_TB_MONTH,
    OutsideParams,
    months_to_move,
    outside,
)
from capmodels.numbers import day as written
from capmodels.numbers import percent
from capmodels.plans.check.rules.dates import DAYS_MOST, DAYS_PER_YEAR
from capmodels.plans.check.rules.ranges import find as unequal_ranges
from capmodels.plans.check.typical import LEAD_TIME, READS, WRITES
from capmodels.plans.document.study import StudySpec
from capmodels.registry import get_model
from capmodels.spec import validate
from studies.documents import PLAN
from studies.proposals.owned import WARRANTY_MONTHS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from capmodels.plans.check.typical import Typical
    from capmodels.spec import JSONDict
    from catalogue.models import Entry

_INDEX = "index-"
_CHANGE = "change_fraction_per_year"
# Components whose change of price a year the catalogue holds.
INDEXES = tuple(
    f"{_INDEX}{name}"
    for name in ("instances", "cpu", "dram", "ssd", "hdd", "gpu", "server", "chassis", "network")
)


def settled(assumptions: JSONDict) -> JSONDict:
    """Assumptions that say what carries the work until machines are there.

    What is proposed has another place paid for meanwhile: the work is moved, or begins there.
    """
    return {"until_delivery": "bridged", **assumptions}


def delivered(
    designs: Sequence[JSONDict], *, today: str | None = None, beside: Sequence[JSONDict] = ()
) -> None:
    """Have machines work once they are delivered, and what carries the work paid until then.

    That is what runs today, where it is known (``today``, its letter); else the cloud that a mix
    rents of, or the first one, of those ``beside`` them too; without any, nobody pays for waiting.
    """
    everyone = (*beside, *designs)
    first = next((one["letter"] for one in everyone if one["kind"] == "cloud"), None)
    for design in designs:
        if design["kind"] not in {"owned_cluster", "hybrid"} or _stands(design["spec"]):
            continue
        spec, origins = design["spec"], design["provenance"]
        if design["kind"] == "owned_cluster":
            spec["lead_time_months"] = round(LEAD_TIME.value)
            origins["/lead_time_months"] = _origin(LEAD_TIME)
        place = today or spec.get("rented_letter") or first
        if place is not None:
            move = {"parallel_letter": place, "parallel_months": LEAD_TIME.value}
            spec["migration"] = {**spec.get("migration", {}), **move}
            # How much longer it may take is in the range of its overrun.
            held = _origin(LEAD_TIME)
            known = {key: held[key] for key in ("quality", "source", "as_of")}
            origins["/migration/parallel_months"] = known


def moved(designs: Sequence[JSONDict], workload: Mapping[str, Any]) -> None:
    """Size the line of each move that the lines for the traffic are too slow for, and price it.

    Its price for the months in which both run is that of the data moved out.
    """

    def amount(name: str) -> float:
        value = workload.get(name)
        return float(value) if isinstance(value, int | float) else 0.0

    data_tb = sum(map(amount, _STORED))
    sent = max(amount("egress_tb_per_month"), amount("ingress_tb_per_month"))
    for design in designs:
        spec, origins = design["spec"], design["provenance"]
        move = spec.get("migration") or {}
        months = float(move.get("parallel_months") or 0.0)
        if not (move.get("parallel_letter") and months and data_tb):
            continue
        usual = outside(OutsideParams(mean_gbit_per_s=sent * MBIT_PER_S_PER_TB_MONTH / 1000.0))
        if months_to_move(data_tb, usual.port_gbit_per_s * usual.ports_count) <= months:
            continue
        mean = data_tb * MBIT_PER_S_PER_TB_MONTH / 1000.0 / months
        line = outside(OutsideParams(mean_gbit_per_s=mean, peak_ratio=1.0, providers_count=1))
        usd = line.total_usd_per_month * months / (1000.0 * data_tb)
        told = (
            f"A line of {line.port_gbit_per_s * line.ports_count:g} Gbit/s for {months:g} months; "
            "what the place that is left asks for egress is not in it"
        )
        move["line_gbit_per_s"] = line.port_gbit_per_s * line.ports_count
        move["exit_tb"], move["exit_usd_per_gb"] = data_tb, float(f"{usd:.3g}")
        spec["migration"] = move
        origin = {"quality": "assumed", "source": told, "low": 0.5 * usd, "high": 1.5 * usd}
        origins["/migration/exit_usd_per_gb"] = origin
        origins["/migration/exit_tb"] = {"quality": "derived", "source": "What is stored"}


_STORED = ("block_tb", "object_tb", "archive_tb")


def _stands(spec: Mapping[str, Any]) -> bool:
    """Whether nothing of a design's machines has to be bought: they are there already."""
    groups = spec.get("node_groups", ())
    return bool(groups) and all(group["price"].get("unit_price_usd") == 0 for group in groups)


def _origin(usual: Typical) -> JSONDict:
    told = {"source": usual.source[0].upper() + usual.source[1:], "as_of": usual.as_of}
    return {"quality": "assumed", **told, "low": usual.low, "high": usual.high}


def complete(designs: Sequence[JSONDict], workload: JSONDict, horizon_months: int) -> None:
    """Price requests of objects where the work makes any, and replace machines that wear out."""
    use = workload.get("object_use") or {}
    for design in designs:
        spec, origins = design["spec"], design["provenance"]
        if design["kind"] == "cloud":
            for name, usual in (("writes", WRITES), ("reads", READS)):
                if use.get(f"{name}_millions_per_month"):
                    spec["storage"][f"usd_per_million_{name}"] = usual.value
                    origins[f"/storage/usd_per_million_{name}"] = _origin(usual)
        elif design["kind"] == "owned_cluster" and horizon_months > WARRANTY_MONTHS:
            spec["refresh_months"] = WARRANTY_MONTHS
            why = {"quality": "assumed", "source": "Replaced as the warranty ends"}
            origins["/refresh_months"] = why


def of_one_time(
    designs: Sequence[JSONDict], entries: Mapping[str, Entry], beside: Sequence[JSONDict] = ()
) -> None:
    """Carry prices much older than the newest to its day, by the catalogue's index of each kind.

    The newest may be of a design ``beside`` them, which stays as it is.
    """
    groups = [found for design in designs for found in _dated(design)]
    others = [found for design in beside for found in _dated(design)]
    # Switches of a newer day do not make machines older.
    dated = (*others, *groups)
    machines = (group["price_as_of"] for _, at, group, _ in dated if "/equipment/" not in at)
    newest = max(machines, default="")
    if not newest:
        return
    for design, at, group, component in groups:
        index = entries.get(f"{_INDEX}{component}")
        day = date.fromisoformat(group["price_as_of"])
        days = (date.fromisoformat(newest) - day).days
        if index is None or days <= DAYS_MOST:
            continue
        since = (day, days / DAYS_PER_YEAR)
        if component == "instances":
            _carry(group, "usd_per_h", design["provenance"].get(f"{at}/usd_per_h"), index, since)
        elif at.startswith("/equipment"):
            origin = design["provenance"].get(f"{at}/unit_price_usd")
            _carry(group, "unit_price_usd", origin, index, since)
        else:
            group["index_ratio"] = _ratios(index, since[1])["value"]
            design["provenance"][f"{at}/index_ratio"] = _indexed(index, since)
        group["price_as_of"] = newest


def _ratios(index: Entry, years: float) -> dict[str, float]:
    """Price some years later over the price, and the ends of its range.

    Compounded ends lean upwards; the range is as wide as between them, and the value its middle.
    """
    held = index.values[_CHANGE]
    ends = {key: held.get(key) for key in ("low", "high")}
    known = {key: end for key, end in ends.items() if end is not None}
    changes = {key: float(known.get(key, held["value"])) for key in ("value", "low", "high")}
    later = {key: (1.0 + change) ** years for key, change in changes.items()}
    half = min((later["high"] - later["low"]) / 2.0, later["value"])
    ends = {"low": later["value"] - half, "high": later["value"] + half}
    return {key: float(f"{ratio:.4g}") for key, ratio in {**later, **ends}.items()}


def _said(index: Entry, day: date) -> str:
    change = index.values[_CHANGE]["value"]
    return f"{index.title}: {percent(change)} a year since {written(day)}"


def _indexed(index: Entry, since: tuple[date, float]) -> JSONDict:
    """Where the ratio of a price of today to an earlier one is from."""
    held, ratios = index.values[_CHANGE], _ratios(index, since[1])
    ends = {key: ratios[key] for key in ("low", "high")}
    told = {key: held[key] for key in ("quality", "as_of")}
    return {**told, "source": _said(index, since[0]), **ends}


def _carry(
    group: JSONDict,
    field: str,
    origin: JSONDict | None,
    index: Entry,
    since: tuple[date, float],
) -> None:
    """Take a price for another day: it, and its range, follow the index."""
    ratios, before = _ratios(index, since[1]), float(group[field])
    group[field] = before * ratios["value"]
    if origin is None:
        return
    low, high = (float(origin.get(key, before)) * ratios[key] for key in ("low", "high"))
    half = min((high - low) / 2.0, group[field])
    origin |= {"low": group[field] - half, "high": group[field] + half}
    _note(origin, _said(index, since[0]))
    if ratios["value"] != 1.0:
        origin["times"] = float(origin.get("times", 1.0)) * ratios["value"]


def _note(origin: JSONDict, told: str) -> None:
    origin["note"] = f"{origin['note']}; {told}" if origin.get("note") else told


_Group = tuple["JSONDict", str, "JSONDict", str]


def _dated(design: JSONDict) -> Iterator[_Group]:
    """Each price of a design that has a date: where it is, what it stands in, and its kind."""
    spec: dict[str, Any] = design["spec"]
    found = [
        (f"/instances/{place}", item, "instances")
        for place, item in enumerate(spec.get("instances", ()))
    ]
    for place, group in enumerate(spec.get("node_groups", ())):
        at = f"/node_groups/{place}/price/parts"
        parts = group.get("price", {}).get("parts", ())
        found += [(f"{at}/{n}", part, part["component"]) for n, part in enumerate(parts)]
    found += [
        (f"/equipment/{place}", item, item["component"])
        for place, item in enumerate(spec.get("equipment", ()))
    ]
    for at, group, component in found:
        if group.get("price_as_of"):
            yield design, at, group, component


def equally_sure(document: JSONDict, designs: Sequence[JSONDict]) -> list[JSONDict]:
    """Return ranges for what is certain in one cloud and has a range in another.

    As wide as there, by rule 22 of the like-for-like check: means of ranges that reach farther up
    than down are above their values, on one side only otherwise.
    """
    if sum(design["kind"] == "cloud" for design in designs) < 2:
        return []
    study = validate(get_model(PLAN), document)
    assert isinstance(study, StudySpec)
    held = {design["letter"]: design["provenance"] for design in designs}
    added = []
    for found in unequal_ranges(study):
        (change,) = found.changes
        added.append(change.value)
        _, _, letter, at = found.pointer.split("/", 3)
        origin = held[letter].setdefault(f"/{at}", {"quality": "assumed", "source": "As planned"})
        origin |= {"low": change.value["low"], "high": change.value["high"]}
        _note(origin, "range as wide as in the other cloud")
    return added
