"""A study and its pack of assumptions: which numbers follow it, and what following would change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from capmodels.plans.document.assumptions import Assumptions
from capmodels.plans.document.cloud import Cloud
from capmodels.plans.document.workload import Growth
from catalogue.packs import FIELDS, pack_get
from catalogue.services import origin_of
from common.errors import Invalid, NotFound
from studies.documents import document_get
from studies.refilling import Refill, StudyRefill

if TYPE_CHECKING:
    from catalogue.models import Entry
    from catalogue.packs import PackField
    from studies.models import Study

JSONDict = dict[str, Any]
Document = tuple[str, JSONDict, JSONDict]


def pack_shown(study: Study, slug: str) -> JSONDict:
    """Return a pack's numbers beside a study's, each with how it stands to the pack.

    ``slug`` may be of a pack that the study does not follow; empty for the one that it does.

    Raises
    ------
    NotFound
        When there is no such pack.
    """
    wanted = slug or study.pack
    entry = _pack(wanted) if wanted else None
    if entry is None:
        if slug:
            raise NotFound(slug)
        is_gone = bool(study.pack)
        return {**_head(study), "title": "", "latest_version": 0, "is_gone": is_gone, "numbers": []}
    return {
        **_head(study),
        "entry": entry.slug,
        "title": entry.title,
        "latest_version": entry.revision,
        "is_gone": False,
        "numbers": [_shown(entry, *place) for place in _places(study, entry)],
    }


def _head(study: Study) -> JSONDict:
    return {"followed": study.pack, "version": study.pack_version, "entry": study.pack}


def _shown(entry: Entry, field: PackField, held: Document) -> JSONDict:
    prefix, document, origins = held
    value = entry.values[field.name]
    now = _value(prefix, document, field)
    return {
        "place": prefix + field.pointer,
        "letter": prefix.removeprefix("/designs/") if field.kind else "",
        "name": field.name,
        "title": field.title,
        "unit": field.unit,
        "value": now,
        "pack_value": value["value"],
        "source": value["source"],
        "as_of": value["as_of"],
        "quality": value["quality"],
        "standing": _state(entry, field, origins, now),
    }


def _state(entry: Entry, field: PackField, origins: JSONDict, now: Any) -> str:
    is_same = now == entry.values[field.name]["value"]
    if _follows(origins.get(field.pointer), entry.slug):
        return "followed" if is_same else "newer"
    return "same" if is_same else "differs"


def _follows(origin: Any, slug: str) -> bool:
    return isinstance(origin, dict) and origin.get("entry") == slug


def left_places(study: Study, entry: Entry) -> list[str]:
    """Return the places of a study that has left this pack, knowingly; none of another pack."""
    if study.pack != entry.slug:
        return []
    return [
        prefix + field.pointer
        for field, (prefix, document, origins) in _places(study, entry)
        if _state(entry, field, origins, _value(prefix, document, field)) == "differs"
    ]


def pack_refilled(study: Study, entry: Entry, left: list[str]) -> StudyRefill:
    """Return a study with a pack's numbers in all their places but those that are left.

    Raises
    ------
    Invalid
        When a place is left that the pack has none of.
    """
    places = list(_places(study, entry))
    known = {prefix + field.pointer for field, (prefix, *_) in places}
    if unknown := [place for place in left if place not in known]:
        raise Invalid.at("/left", f"The pack says nothing of {unknown[0]}.", "not_a_place")
    refills = {
        prefix: Refill(document, without_pack(origins, study.pack))
        for prefix, document, origins in _documents(study)
    }
    for field, (prefix, document, _origins) in places:
        if prefix + field.pointer not in left:
            _take(refills[prefix], entry, field, _value(prefix, document, field))
    return StudyRefill(
        refills["/workload"],
        refills["/assumptions"],
        {design.letter: refills[f"/designs/{design.letter}"] for design in study.designs.all()},
    )


def _take(refill: Refill, entry: Entry, field: PackField, before: Any) -> None:
    value = entry.values[field.name]
    path = field.pointer.split("/")[1:]
    if path[0] == "electricity" and "electricity" not in refill.value:
        refill.value = {**refill.value, "electricity": {"kind": "flat"}}
    refill.value = _put(refill.value, path, value["value"])
    refill.origins[field.pointer] = {**origin_of(entry, value), "field": field.name}
    if before != value["value"]:
        refill.changes.append(
            {"pointer": field.pointer, "before": before, "after": value["value"],
             "entry": entry.slug, "as_of": value["as_of"]}
        )  # fmt: skip


def _put(document: Any, path: list[str], value: Any) -> JSONDict:
    name, *rest = path
    held = document.get(name) if isinstance(document.get(name), Mapping) else {}
    return {**document, name: _put(held, rest, value) if rest else value}


def without_pack(origins: JSONDict, slug: str) -> JSONDict:
    """Return origins of which none follows a pack; its numbers keep source and date."""
    return {
        pointer: _typed(origin) if slug and _follows(origin, slug) else origin
        for pointer, origin in origins.items()
    }


def _typed(origin: JSONDict) -> JSONDict:
    return {name: value for name, value in origin.items() if name not in ("entry", "field")}


def _places(study: Study, entry: Entry) -> Iterator[tuple[PackField, Document]]:
    """Yield each number of a pack with each document of a study that has a place for it."""
    kinds = {f"/designs/{design.letter}": design.kind for design in study.designs.all()}
    for field in FIELDS:
        if field.name not in entry.values:
            continue
        for held in _documents(study):
            prefix, document, _origins = held
            of_part = prefix.split("/")[1] == field.part
            if of_part and kinds.get(prefix, "") == field.kind and _has(document, field):
                yield field, held


def _has(document: JSONDict, field: PackField) -> bool:
    """Say whether a document has the place: electricity by the hour has no one price."""
    head = field.pointer.split("/")[1]
    if head == "growth":
        return document.get("kind") == "demand"
    held = document.get(head)
    kind = held.get("kind", "flat") if isinstance(held, Mapping) else "flat"
    return head != "electricity" or kind == "flat"


def _documents(study: Study) -> Iterator[Document]:
    yield "/workload", study.workload, study.workload_provenance
    yield "/assumptions", study.assumptions, study.assumptions_provenance
    for design in study.designs.all():
        yield f"/designs/{design.letter}", design.spec, design.provenance


def _value(prefix: str, document: JSONDict, field: PackField) -> Any:
    """What a study has at a place, entered or by default."""
    value = document_get(document, field.pointer)
    return document_get(_defaults(field.part), field.pointer) if value is None else value


@cache
def _defaults(part: str) -> JSONDict:
    if part == "assumptions":
        return Assumptions().model_dump(mode="json")
    if part == "workload":
        return {"growth": Growth().model_dump(mode="json")}
    name = "negotiated_discount_fraction"
    return {name: Cloud.model_fields[name].default}


def _pack(slug: str) -> Entry | None:
    try:
        return pack_get(slug)
    except NotFound:
        return None
