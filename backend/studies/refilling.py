"""A document with the catalogue's values of now where it took older ones."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from capmodels.numbers import whole_of
from capmodels.plans.document.spreads import design_spreads, shared_spreads
from catalogue.services import origin_of
from catalogue.versions import entries_as_of, is_dated
from studies.documents import DESIGN_KEYS, design_document, document_get, document_set
from studies.ranges import with_room

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from capmodels.spec import JSONDict
    from catalogue.models import Entry
    from studies.models import Study

_PRICE = re.compile(r"(^|_)usd(_|$)")
_DATES = ("price_as_of", "as_of")


@dataclass(slots=True)
class Refill:
    """What becomes of a document; ``lost`` are places whose entry has no such value any more."""

    value: JSONDict
    origins: JSONDict
    changes: list[JSONDict] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class StudyRefill:
    """What becomes of a study: its workload, its assumptions, each design by its letter."""

    workload: Refill
    assumptions: Refill
    designs: Mapping[str, Refill]

    def changes(self) -> list[JSONDict]:
        """Return every value that would change, with the letter of its design."""
        parts = {"/workload": self.workload, "/assumptions": self.assumptions}
        found = [
            {"letter": "", "part": name, **change}
            for name, part in parts.items()
            for change in part.changes
        ]
        for letter, part in self.designs.items():
            found += [{"letter": letter, "part": "", **change} for change in part.changes]
        return found

    def lost_count(self) -> int:
        """Count the places whose entry is gone."""
        return sum(
            len(part.lost) for part in (self.workload, self.assumptions, *self.designs.values())
        )


def refilled_document(document: JSONDict, refill: StudyRefill) -> JSONDict:
    """Return a study's document with the values of a refill, ranges as they were."""
    designs = [
        {**design, **refill.designs[design["letter"]].value} for design in document["designs"]
    ]
    heads = {"workload": refill.workload.value, "assumptions": refill.assumptions.value}
    return {**document, **heads, "designs": designs}


def refilled_ranges(study: Study, refill: StudyRefill) -> list[Any]:
    """Return a study's ranges: those of changed values are what their new sources say."""
    fresh = [
        *shared_spreads("workload", refill.workload.value, refill.workload.origins),
        *shared_spreads("assumptions", refill.assumptions.value, refill.assumptions.origins),
    ]
    changed = {f"/workload{change['pointer']}" for change in refill.workload.changes}
    changed |= {f"/assumptions{change['pointer']}" for change in refill.assumptions.changes}
    for design in study.designs.all():
        part = refill.designs[design.letter]
        heads = {key: getattr(design, key) for key in DESIGN_KEYS}
        fresh += design_spreads(design_document({**heads, "spec": part.value}), part.origins)
        changed |= {f"/designs/{design.letter}{change['pointer']}" for change in part.changes}
    kept = [one for one in study.ranges if not _is_at(one, changed)]
    kept += [one for one in fresh if one["pointer"] in changed]
    return with_room(kept, len(study.ranges))


def _is_at(entry: Any, pointers: set[str]) -> bool:
    # A draft's ranges may be anything.
    return isinstance(entry, dict) and entry.get("pointer") in pointers


def slugs_of(studies: Iterable[Study]) -> set[str]:
    """Return the entries that any part of some studies was filled from."""
    found: set[str] = set()
    for study in studies:
        maps = [study.workload_provenance, study.assumptions_provenance]
        maps += [design.provenance for design in study.designs.all()]
        found |= {str(o["entry"]) for one in maps for o in one.values() if _entry(o)}
    return found


def study_refilled(
    study: Study, entries: Mapping[str, Entry], wanted: Callable[[str], bool] | None = None
) -> StudyRefill:
    """Return a study with the values of entries where it took theirs."""
    return StudyRefill(
        refilled(study.workload, study.workload_provenance, entries, wanted),
        refilled(study.assumptions, study.assumptions_provenance, entries, wanted),
        {
            design.letter: refilled(design.spec, design.provenance, entries, wanted)
            for design in study.designs.all()
        },
    )


def study_as_of(study: Study, day: str) -> StudyRefill:
    """Return a study with the prices of a day where it took those of the catalogue.

    A price of which none is known of that day stays as it is, and is lost.
    """
    return study_refilled(study, entries_as_of(slugs_of([study]), day), wanted=is_dated)


def refilled(
    document: JSONDict,
    provenance: JSONDict,
    entries: Mapping[str, Entry],
    wanted: Callable[[str], bool] | None = None,
) -> Refill:
    """Put the values of entries where a document took theirs; what was typed stays.

    With ``wanted``, only those of the fields that it says yes to.
    """
    found = Refill(document, dict(provenance))
    for pointer, origin in provenance.items():
        if not _entry(origin):
            continue
        entry = entries.get(str(origin["entry"]))
        name, _, place = str(origin.get("field") or pointer.rpartition("/")[2]).partition("/")
        if wanted is not None and not wanted(name):
            continue
        value = entry.values.get(name) if entry else None
        before = document_get(document, pointer)
        times = 1.0 if origin.get("times") is None else origin["times"]
        after = _scaled(_at(value["value"], place), times) if value else None
        if entry is None or value is None or not _alike(before, after):
            found.lost.append(pointer)
            continue
        kept = {name: origin[name] for name in ("note", "field", "times") if name in origin}
        spread = {name: _scaled(value[name], times) for name in ("low", "high")}
        found.origins[pointer] = {**origin_of(entry, value), **spread, **kept}
        if before != after:
            found.value = document_set(found.value, pointer, after)
            found.value = _dated(found.value, pointer, value["as_of"])
            found.changes.append(
                {"pointer": pointer, "before": before, "after": after, "entry": entry.slug,
                 "as_of": value["as_of"]}
            )  # fmt: skip
    return found


def _entry(origin: Any) -> bool:
    return isinstance(origin, dict) and bool(origin.get("entry"))


def _at(value: Any, place: str) -> Any:
    """A value of an entry, or the one at a place among several."""
    if not place:
        return value
    at = whole_of(place)
    known = isinstance(value, list) and at is not None and at < len(value)
    return value[at] if known else None


def _scaled(value: Any, times: float) -> Any:
    """A value that so many of are taken at once, as of two lines to the internet."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return value * times if number and times != 1.0 else value


def _alike(before: Any, after: Any) -> bool:
    """Say whether a value can take the other's place: number for number, text for text."""
    numbers = all(
        isinstance(one, int | float) and not isinstance(one, bool) for one in (before, after)
    )
    return numbers or (after is not None and type(before) is type(after))


def _dated(document: JSONDict, pointer: str, day: str | None) -> JSONDict:
    """The date of a price stands beside it: it moves with the price."""
    group, _, name = pointer.rpartition("/")
    held = document_get(document, group)
    if day is None or not _PRICE.search(name) or not isinstance(held, dict):
        return document
    dates = [key for key in _DATES if isinstance(held.get(key), str)]
    return document_set(document, f"{group}/{dates[0]}", day) if dates else document
