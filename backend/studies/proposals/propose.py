"""The proposal: for each option that was chosen, the cheapest design that meets demand."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from math import ceil
from typing import TYPE_CHECKING, Any, cast

from capmodels.errors import ParamsError
from capmodels.numbers import Currency, span
from capmodels.plans.document.assumptions import Assumptions
from capmodels.plans.document.gpu_kinds import are_alike
from capmodels.plans.document.spreads import design_spreads, shared_spreads
from capmodels.plans.document.study import RANGES_MOST
from capmodels.plans.document.workload import Growth
from capmodels.providers import PROVIDERS, Provider
from capmodels.registry import get_model
from capmodels.spec import Context
from capmodels.told import listed
from capmodels.units import MONTHS_PER_YEAR
from catalogue.fields import is_price
from catalogue.models import Entry
from catalogue.places import spot_of
from catalogue.selectors import entries_named
from studies.checking import params_of
from studies.documents import LETTERS, PLAN, design_document, rented_from
from studies.proposals import ahead, alike, engineered, stored
from studies.proposals import owned as own
from studies.proposals.options import OPTIONS
from studies.proposals.place import here_of, level_of, place_of
from studies.proposals.rented import SLUGS, rented

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from capmodels.plans.comparison import DesignResult
    from capmodels.spec import JSONDict
    from studies.proposals.draft import Draft
    from studies.proposals.owned import Servers

TERMS = (0, 12, 36)
# Tried for a design; the cheapest under the plan's own costs is proposed.
_OWNED_SHARES = (0.3, 0.45, 0.6, 0.75, 0.9, 0.99)
IN_WORDS = {0: "on demand", 12: "1-year plan", 36: "3-year plan"}


@dataclass(frozen=True, slots=True)
class Option:
    """What was chosen: a provider with a term, own servers, arrays in them, or rented peaks."""

    option: str
    term_months: int = 36
    region: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A design that may be proposed."""

    title: str
    kind: str
    spec: JSONDict
    origins: JSONDict
    # What people run of it.
    runs: Mapping[str, int] = field(default_factory=dict)

    def lettered(self, letter: str) -> JSONDict:
        """Return it as a study holds designs."""
        head = {"letter": letter, "title": self.title, "kind": self.kind}
        return {**head, "spec": self.spec, "provenance": self.origins}


class Proposer:
    """Makes designs for one workload under one set of assumptions."""

    def __init__(self, workload: JSONDict, assumptions: JSONDict) -> None:
        """Read the catalogue once; raise ParamsError where the workload cannot be."""
        self.workload, self.assumptions = workload, assumptions
        named = [slug for provider in PROVIDERS.values() for slug in provider.slugs]
        self.entries: dict[str, Entry] = entries_named(
            [*named, *SLUGS, *stored.SLUGS, *own.OTHERS, *alike.INDEXES]
        )
        self._machines = own.Machines()
        self.notes: list[str] = []
        # The kind of GPU that the work asks for, where it asks for one and needs any.
        self._gpu = str(workload.get("gpu") or "") if workload.get("gpu_peak_count") else ""
        self._has_server = not self._gpu or self._machines.fit_gpu(self._gpu)
        self.entries |= self._machines.entries

    def _without_gpu(self, title: str) -> bool:
        """Whether own servers cannot have the GPUs asked for; it is said then."""
        if not self._has_server:
            what = f"the catalogue holds no server with {self._gpu}"
            self.notes.append(f"{title}: {what}; another kind of GPU is not the same work.")
        return not self._has_server

    def quoted(self, slug: str) -> Candidate | None:
        """Own servers in colocation, as a server of the own catalogue was offered."""
        self.entries |= entries_named([slug])
        draft = own.quoted(slug, self.workload, self._machines, self.entries)
        if draft is None:
            self.notes.append(f"{self.entries[slug].title}: its cores or its price are not known.")
            return None
        return self.complete("Own servers as offered", draft)

    def owned(self) -> Candidate | None:
        """Own servers in colocation: of the catalogue's servers, those that cost least."""
        if self._without_gpu("Own servers"):
            return None
        if not self._servers:
            self.notes.append("Own servers: the workload needs nothing that a server provides.")
            return None
        return self._owned(self._servers)

    @cached_property
    def _servers(self) -> Servers:
        """Servers of the catalogue, with drives, that carry the work at the least cost.

        Of each role in turn those that cost least, about, are costed whole, beside what is chosen
        for the others.
        """
        chosen = own.servers_for(self.workload, self._machines)
        for place in range(len(chosen)):
            tried = own.tried_for(place, chosen, self._at_end, self._machines)
            chosen = tried[self.cheapest([self._owned(servers) for servers in tried])]
        return chosen

    def _owned(self, servers: Servers) -> Candidate:
        draft = own.owned(servers, self.entries)
        return self.complete(OPTIONS["owned"].design_title, draft)

    def complete(self, title: str, draft: Draft, stores: Servers | None = None) -> Candidate:
        """Add what the machines need beside them, by how many of them the plan finds."""
        bare = _candidate(title, "owned_cluster", draft)
        (columns,) = columns_of([bare], self.workload, self.assumptions)
        standing = own.standing_of(draft, columns, stores or [])
        paid = Currency.stated(self.assumptions.get("currency"))
        runs = engineered.complete(draft, standing, self.workload, self._egress_growth, paid)
        engineered.staffed(draft, runs)
        return Candidate(title, "owned_cluster", draft.spec, draft.origins, runs)

    def _growth(self, name: str) -> float:
        """A kind of demand at the end of the study over that of today."""
        growth = self.workload.get("growth")
        rate = growth.get(name) if isinstance(growth, dict) else None
        default = Assumptions.model_fields["horizon_months"].default
        months = self.assumptions.get("horizon_months", default)
        return float((1.0 + float(rate or 0.0)) ** (float(months) / MONTHS_PER_YEAR))

    @cached_property
    def _egress_growth(self) -> float:
        """Egress at the end of the study over that of today, which lines are sized for."""
        return max(self._growth("transfer_fraction_per_year"), 1.0)

    @cached_property
    def _at_end(self) -> JSONDict:
        """The work with its demands at the end of the study, or today's where those are more."""
        grown = {
            demand: self.workload[demand] * max(self._growth(name), 1.0)
            for name, demands in DEMANDS_OF_GROWTH.items()
            for demand in demands
            if _is_number(self.workload.get(demand))
        }
        return {**self.workload, **grown}

    def stored(self, option: str) -> Candidate | None:
        """Own servers with the data on arrays: of those tried, the one that costs least."""
        title = OPTIONS[option].design_title
        carries = stored.carried_by(self.workload)
        if carries is None:
            self.notes.append(f"{title}: the workload keeps no objects and no blocks.")
            return None
        if self._without_gpu(title):
            return None
        candidates = [
            self.complete(
                title,
                stored.stored(store, self._servers, self.entries, carries),
                [(store.server, carries, store.bays)],
            )
            for store in stored.stores_of(option, carries, self._at_end, self._machines)
        ]
        return candidates[self.cheapest(candidates)]

    def cloud(self, name: str, term_months: int, region: str = "") -> Candidate | None:
        """A provider: the family that costs least, committed as far as costs least."""
        provider = PROVIDERS[name]
        place = place_of(name, provider, region)
        gpus = self._gpus(provider)
        lacking = self._lacking(provider)
        if gpus is None:
            lacking = f"instances with {self._gpu or 'GPUs'}"
        if gpus is None or lacking:
            self.notes.append(f"{provider.title}: the catalogue holds no {lacking}.")
            return None
        where = "" if place.is_home else f" {place.region}"
        title = f"{provider.title}{where}, {IN_WORDS[term_months]}"
        if place.note:
            self.notes += [place.note, *place.lacking(provider.title, gpus, self.entries)]
        entries = {**self.entries, **place.entries}
        candidates = [
            _candidate(title, "cloud", rented(name, (slug, *gpus), term_months, entries, place))
            for slug in place.rentable(provider.instances, provider.older_instances)
        ]
        best = self._staffed(candidates[self.cheapest(candidates)], gpus)
        return best if not term_months else self._committed(best)

    def _staffed(self, candidate: Candidate, gpus: tuple[str, ...]) -> Candidate:
        """Add the people who run the instances that the plan finds, and the provider's bills."""
        (columns,) = columns_of([candidate], self.workload, self.assumptions)
        counts = {group.name: ceil(group.count) for group in columns.sizing[-1].groups}
        with_gpus = {self.entries[slug].title for slug in gpus}
        runs = {
            "instances_count": sum(n for name, n in counts.items() if name not in with_gpus),
            "gpu_instances_count": sum(n for name, n in counts.items() if name in with_gpus),
            "providers_count": 1,
        }
        fte, origin = engineered.people_for(runs)
        spec = {**candidate.spec, "staff_fte": fte}
        origins = {**candidate.origins, "/staff_fte": origin}
        return Candidate(candidate.title, "cloud", spec, origins, runs)

    def _lacking(self, provider: Provider) -> str:
        """What the work needs and the catalogue holds no price of."""
        for amount, slug, what in (
            ("block_tb", provider.block, "price of block storage"),
            ("object_tb", provider.objects, "price of object storage"),
            ("archive_tb", provider.archive, "price of an archive"),
            ("egress_tb_per_month", provider.egress, "price of egress"),
        ):
            entry = self.entries.get(slug)
            held = entry.values if entry else {}
            if self.workload.get(amount) and not any(is_price(name) for name in held):
                return what
        return ""

    def _gpus(self, provider: Provider) -> tuple[str, ...] | None:
        if not self.workload.get("gpu_peak_count"):
            return ()
        of_kind = (
            slug
            for slug in provider.gpu_instances
            if not self._gpu or are_alike(self._gpu, str(self.entries[slug].values["gpu"]["value"]))
        )
        return tuple(islice(of_kind, 1)) or None

    def _committed(self, candidate: Candidate) -> Candidate:
        """Left open, a level is the one that costs least under the demand as planned."""
        commitment = {**candidate.spec["commitments"][0], "base_quantile_fraction": None}
        spec = {**candidate.spec, "commitments": [commitment]}
        return Candidate(candidate.title, "cloud", spec, candidate.origins, candidate.runs)

    def hybrid(self, held: Sequence[Candidate]) -> Candidate | None:
        """Own up to a quantile of the demand, the rest rented of the first provider."""
        title = OPTIONS["hybrid"].design_title
        places = {candidate.kind: place for place, candidate in reversed([*enumerate(held)])}
        if "owned_cluster" not in places or "cloud" not in places:
            self.notes.append(f"{title}: needs own servers and a provider beside it.")
            return None
        halves = [held[places["owned_cluster"]], held[places["cloud"]]]
        letters = [LETTERS[places["owned_cluster"]], LETTERS[places["cloud"]]]
        found = []
        for share in _OWNED_SHARES:
            spec = {
                "owned_letter": letters[0],
                "rented_letter": letters[1],
                "own_quantile_fraction": share,
            }
            bare = Candidate(title, "hybrid", spec, {})
            mixed = columns_of([*held, bare], self.workload, self.assumptions)
            runs = _runs_of(mixed[-1], [(half, mixed[held.index(half)]) for half in halves])
            fte, origin = engineered.people_for(runs)
            origins = {"/staff_fte": origin}
            found.append(Candidate(title, "hybrid", {**spec, "staff_fte": fte}, origins, runs))
        return found[self.cheapest(found, beside=held)]

    def cheapest(self, candidates: Sequence[Candidate], beside: Sequence[Candidate] = ()) -> int:
        """Place of the candidate of least present value among those that meet demand."""
        if len(candidates) == 1 and not beside:
            return 0
        costs: list[tuple[bool, float]] = []
        for candidate in candidates:
            columns = columns_of([*beside, candidate], self.workload, self.assumptions)
            costs.append((not columns[-1].carries_load, columns[-1].npv_usd))
        return min(range(len(costs)), key=costs.__getitem__)


def _runs_of(mixed: DesignResult, halves: Sequence[tuple[Candidate, DesignResult]]) -> JSONDict:
    """What people run of a mix: of each side as much as the plan has there of its machines."""
    there = {group.name: group.count for group in mixed.sizing[-1].groups}
    runs: dict[str, int] = {}
    for half, alone in halves:
        groups = alone.sizing[-1].groups
        whole = sum(group.count for group in groups)
        part = sum(there.get(group.name, 0.0) for group in groups) / whole if whole else 0.0
        # A site and a provider are there whole.
        runs |= {
            name: count if name in {"sites_count", "providers_count"} else ceil(part * count)
            for name, count in half.runs.items()
        }
    return runs


def _candidate(title: str, kind: str, draft: Draft) -> Candidate:
    return Candidate(title, kind, draft.spec, draft.origins)


def columns_of(
    held: Sequence[Candidate],
    workload: JSONDict,
    assumptions: JSONDict,
    baseline: JSONDict | None = None,
) -> Any:
    """Return the plan's columns for some candidates, and for a baseline, without draws."""
    designs = [item.lettered(letter) for item, letter in zip(held, LETTERS, strict=False)]
    return answered(designs, workload, assumptions, baseline)


def answered(
    designs: Sequence[JSONDict],
    workload: JSONDict,
    assumptions: JSONDict,
    baseline: JSONDict | None = None,
) -> Any:
    """Return the plan's columns for some designs, and for a baseline, without draws."""
    shared = {"workload": workload, "assumptions": assumptions, "baseline": baseline}
    document = {"designs": [design_document(design) for design in designs], **shared}
    spec = get_model(PLAN)
    return spec.run(params_of(spec, document), Context(seed=1)).designs


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
        if name not in entered
        and any(_is_number(workload.get(demand)) and workload[demand] > 0 for demand in demands)
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
    "gpus_fraction_per_year": ("gpu_peak_count",),
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
) -> JSONDict:
    """Return a study's documents: a design for each option, and the ranges of all of it.

    Raises
    ------
    ParamsError
        With every fault of the workload and the assumptions.
    """
    regions = [option.region for option in options]
    spots = [spot_of(region, f"/options/{at}/region") for at, region in enumerate(regions)]
    typed = _typed(assumptions)
    assumptions, assumed, said = here_of(assumptions, regions, currency)
    assumed |= typed
    assumptions = alike.settled(assumptions)
    proposer = Proposer(workload, assumptions)
    workload_provenance, blank = _with_growth(workload, workload_provenance)
    held: list[Candidate] = []
    for option in options:
        found = candidate_of(option, proposer, held)
        if found is not None:
            held.append(found)
    designs = [item.lettered(letter) for item, letter in zip(held, LETTERS, strict=False)]
    heads = [(design["letter"], design["kind"]) for design in designs]
    for design in designs:
        design["spec"] = rented_from(design["kind"], design["spec"], heads)
    made_alike(designs, proposer)
    ranges = [
        *shared_spreads("assumptions", assumptions, assumed),
        *shared_spreads("workload", workload, workload_provenance),
    ]
    for design in designs:
        ranges += spreads_of(design)
    whole = {"workload": workload, "assumptions": assumptions, "ranges": ranges}
    documents = [design_document(design) for design in designs]
    check_entered({**whole, "designs": documents})
    ranges += alike.equally_sure({**whole, "designs": documents}, designs)
    bought = ahead.buy_ahead(designs, {**whole, "ranges": ranges[:RANGES_MOST]})
    return {
        "workload": workload,
        "workload_provenance": workload_provenance,
        "assumptions": assumptions,
        "assumptions_provenance": assumed,
        "designs": designs,
        "ranges": ranges[:RANGES_MOST],
        "notes": [*proposer.notes, *bought, *said, *blank],
        "place": next((spot.title for spot in spots if spot), ""),
    }


def check_entered(document: JSONDict) -> None:
    """Refuse faults of what was entered: not every option has the plan read all of it.

    Raises
    ------
    ParamsError
        With the faults of the work and the assumptions; those of designs are none of them.
    """
    try:
        params_of(get_model(PLAN), document)
    except ParamsError as exc:
        entered = ("/workload", "/assumptions")
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


def made_alike(
    designs: Sequence[JSONDict], proposer: Proposer, *, today: str | None = None
) -> None:
    """Have designs delivered alike, at prices of one day, and complete."""
    alike.delivered(designs, today=today)
    alike.of_one_time(designs, proposer.entries)
    default = Assumptions.model_fields["horizon_months"].default
    horizon_months = proposer.assumptions.get("horizon_months", default)
    alike.complete(designs, proposer.workload, horizon_months)


def _of_level(design: JSONDict, pointer: str) -> JSONDict:
    """Prices that stand in for those of one region are drawn together: its level is one unknown."""
    at = pointer.removeprefix(f"/designs/{design['letter']}")
    level = level_of(design["provenance"].get(at, {}))
    return {} if level is None else {"quantity": level}


def candidate_of(option: Option, proposer: Proposer, held: Sequence[Candidate]) -> Candidate | None:
    """Return the design of an option beside those held; None with a note where there is none."""
    if option.option == "owned":
        return proposer.owned()
    if option.option in stored.ARRAYS:
        return proposer.stored(option.option)
    if option.option == "hybrid":
        return proposer.hybrid(held)
    return proposer.cloud(option.option, option.term_months, option.region)


def document_of(proposal: Mapping[str, Any]) -> JSONDict:
    """Return a proposal as the plan takes it."""
    designs = [design_document(design) for design in proposal["designs"]]
    shared = {name: proposal[name] for name in ("workload", "assumptions", "ranges")}
    return {"designs": designs, **shared}
