"""The proposal: for each option that was chosen, the cheapest design that meets demand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from capmodels.errors import ParamsError
from capmodels.numbers import span
from capmodels.plans.document.spreads import design_spreads, shared_spreads
from capmodels.plans.document.workload import Growth
from capmodels.registry import get_model
from capmodels.told import listed
from catalogue.places import spot_of
from studies.checking import params_of
from studies.documents import LETTERS, PLAN, design_document, rented_from
from studies.proposals import ahead, alike, stored
from studies.proposals.place import here_of, level_of
from studies.proposals.proposer import made_alike
from studies.proposals.search import Explorer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from capmodels.spec import JSONDict
    from studies.proposals.proposer import Candidate


@dataclass(frozen=True, slots=True)
class Option:
    """What was chosen: a provider with a term, own servers, arrays in them, or rented peaks."""

    option: str
    term_months: int = 36
    region: str = ""


# Prices of hardware are one unknown, drawn once for a design as the ratio of its part prices.
_HARDWARE = re.compile(
    r"/(price/parts/\d+/|drives/unit_price_usd|gpus/unit_price_usd|equipment/\d+/unit_price_usd"
    r"|array/drive_price_usd|array/enclosure/unit_price_usd)"
)
# How far growth may be from what was entered, where nobody says: points a year.
_GROWTH_SPREAD = 0.1


def _with_growth(workload: JSONDict, origins: JSONDict) -> tuple[JSONDict, list[str]]:
    """Return the origins of the work with a range of each growth entered, and what is not entered.

    A growth of 0 is entered as any other is. Where a kind of demand that the work has is left
    without growth, its range is the plan's own, and a note says which.
    """
    growth = workload.get("growth")
    entered = growth if isinstance(growth, dict) else {}
    found = dict(origins)
    for name, value in entered.items():
        pointer = f"/growth/{name}"
        origin = found.get(pointer, {"quality": "typed"})
        if _is_number(value) and origin.get("quality") == "typed" and "low" not in origin:
            # Work that all but ends falls no faster than by the half of what is left.
            spread = min(_GROWTH_SPREAD, (value + 1.0) / 2.0)
            found[pointer] = {
                "quality": "typed",
                "source": "As entered, ten points a year either way",
                "low": value - spread,
                "high": value + spread,
            }
    blank = [
        name
        for name, demands in DEMANDS_OF_GROWTH.items()
        if name not in entered and any(_is_there(workload.get(demand)) for demand in demands)
    ]
    return found, [_blank_growth(blank)] if blank else []


def _typed(entered: object, at: str = "") -> JSONDict:
    """Return the origins of the numbers of a document that somebody entered.

    What is entered is exact, also where it happens to be the plan's own default.
    """
    if isinstance(entered, dict):
        inner = (_typed(value, f"{at}/{name}") for name, value in entered.items())
        return {pointer: origin for found in inner for pointer, origin in found.items()}
    return {at: {"quality": "typed", "source": "Typed in"}} if _is_number(entered) else {}


def _is_there(demand: object) -> bool:
    """Whether there is any of a demand: a number above 0, or a list of some."""
    return (
        demand > 0 if isinstance(demand, int | float) else isinstance(demand, list) and demand != []
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


# The growth of each kind of demand, and the demands that it moves.
DEMANDS_OF_GROWTH = {
    "cores_fraction_per_year": ("busy_cores_count",),
    "ram_fraction_per_year": ("ram_gib",),
    "block_fraction_per_year": ("block_tb", "block_io_per_s", "block_throughput_mb_per_s"),
    "object_fraction_per_year": ("object_tb",),
    "archive_fraction_per_year": ("archive_tb", "archive_read_tb_per_month"),
    "transfer_fraction_per_year": (
        "egress_tb_per_month",
        "ingress_tb_per_month",
        "cross_zone_tb_per_month",
    ),
    "gpus_fraction_per_year": ("gpu_peak_count", "streams", "trainings"),
}


def _blank_growth(names: Sequence[str]) -> str:
    """Which growth nobody entered, and what stands for it."""
    fields = Growth.model_fields
    titles = [str(fields[name].title).split(",")[0] for name in names]
    first, *rest = titles
    what = listed([first, *(title if title[1].isupper() else title.lower() for title in rest)])
    source = cast("JSONDict", fields[names[0]].json_schema_extra)["default_source"]
    drawn = span(source["low"], source["high"], "fraction")
    return f"{what}: no growth is entered. None is planned, and {drawn} a year is drawn."


def propose(
    *,
    workload: JSONDict,
    workload_provenance: JSONDict,
    assumptions: JSONDict,
    options: Sequence[Option],
    currency: str = "",
    baseline: JSONDict | None = None,
) -> JSONDict:
    """Return a study's documents: a design for each option, and the ranges of all of it.

    Raises
    ------
    ParamsError
        With every fault of the workload, the assumptions and the baseline.
    """
    regions = [option.region for option in options]
    spots = [spot_of(region, f"/options/{at}/region") for at, region in enumerate(regions)]
    typed = _typed(assumptions)
    assumptions, assumed, said = here_of(assumptions, regions, currency)
    assumed |= typed
    assumptions = alike.settled(assumptions)
    proposer = Explorer(workload, assumptions)
    workload_provenance, blank = _with_growth(workload, workload_provenance)
    held: list[Candidate] = []
    # A hybrid is made of the designs before it.
    for option in sorted(options, key=lambda one: one.option == "hybrid"):
        found = candidate_of(option, proposer, held)
        if found is not None:
            held.append(found)
    designs = [item.lettered(letter) for item, letter in zip(held, LETTERS, strict=False)]
    heads = [(design["letter"], design["kind"]) for design in designs]
    for design in designs:
        design["spec"] = rented_from(design["kind"], design["spec"], heads)
    made_alike(designs, proposer, today="T" if baseline else None)
    ranges = [
        *shared_spreads("assumptions", assumptions, assumed),
        *shared_spreads("workload", workload, workload_provenance),
    ]
    for design in designs:
        ranges += spreads_of(design)
    today = {} if baseline is None else {"baseline": baseline}
    whole = {"workload": workload, "assumptions": assumptions, "ranges": ranges, **today}
    documents = [design_document(design) for design in designs]
    check_entered({**whole, "designs": documents})
    ranges += alike.equally_sure({**whole, "designs": documents}, designs)
    bought = ahead.buy_ahead(designs, {**whole, "ranges": ranges})
    return {
        "workload": workload,
        "workload_provenance": workload_provenance,
        "assumptions": assumptions,
        "assumptions_provenance": assumed,
        **today,
        "designs": designs,
        "ranges": ranges,
        "notes": [*proposer.notes, *bought, *said, *blank],
        "place": next((spot.title for spot in spots if spot), ""),
    }


def check_entered(document: JSONDict) -> None:
    """Refuse faults of what was entered: not every option has the plan read all of it.

    Raises
    ------
    ParamsError
        With the faults of what was entered; those of designs are none of them.
    """
    try:
        params_of(get_model(PLAN), document)
    except ParamsError as exc:
        entered = ("/workload", "/assumptions", "/baseline")
        faults = [fault for fault in exc.faults if fault.pointer.startswith(entered)]
        if faults:
            raise ParamsError(faults) from exc


def spreads_of(design: JSONDict) -> list[JSONDict]:
    """Ranges of a proposed design's inputs, by their origins."""
    return [
        entry | _of_level(design, entry["pointer"])
        for entry in design_spreads(design_document(design), design["provenance"])
        if not _HARDWARE.search(entry["pointer"])
    ]


def _of_level(design: JSONDict, pointer: str) -> JSONDict:
    """Prices that stand in for those of one region are drawn together: its level is one unknown."""
    at = pointer.removeprefix(f"/designs/{design['letter']}")
    level = level_of(design["provenance"].get(at, {}))
    return {} if level is None else {"quantity": level}


def candidate_of(option: Option, proposer: Explorer, held: Sequence[Candidate]) -> Candidate | None:
    """Return the design of an option beside those held; None with a note where there is none."""
    if option.option in {"owned", *stored.ARRAYS}:
        return proposer.best(option.option)
    if option.option == "hybrid":
        return proposer.hybrid(held)
    if option.option == "api":
        return proposer.by_api(held, option.region)
    if option.option == "gpu_cloud":
        return proposer.gpu_cloud(held, option.region)
    if option.option == "spot":
        return proposer.on_spot(held, option.region)
    return proposer.cloud(option.option, option.term_months, option.region)


def document_of(proposal: Mapping[str, Any]) -> JSONDict:
    """Return a proposal as the plan takes it."""
    designs = [design_document(design) for design in proposal["designs"]]
    parts = ("workload", "assumptions", "ranges", "baseline")
    shared = {name: proposal[name] for name in parts if name in proposal}
    return {"designs": designs, **shared}
