"""Prices of a design that are of another region than the design: said at their fields.

A price from the catalogue names its entry, and the entry its region. Where the design stands
in another region, the field says so; no price is changed here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capmodels.errors import Fault
from catalogue.fields import is_price
from catalogue.models import Entry
from catalogue.regions import KIND, field_of, region_named
from studies.documents import document_get

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from capmodels.spec import JSONDict
    from studies.models import Design

CODE = "other_region"
# Kinds of entries whose price is that of a provider's region.
REGIONAL = ("instance", "storage", "transfer", "network_service", "managed_node", KIND)


def is_borrowed(field: str, value: Any, there: str, here: str) -> bool:
    """Whether a value is a price of another region than where it is paid.

    What is free in one region is free in all; what is of no region, as a text or a ratio, is of
    every one.
    """
    return is_price(field) and value != 0 and there not in {"", here}


def region_cautions(designs: Iterable[Design]) -> dict[str, list[Fault]]:
    """Return what each design, by letter, says of prices that are not of its region."""
    placed = [design for design in designs if _text(design.spec, "region")]
    slugs = {slug for design in placed for _, slug in _taken(design.provenance)}
    if not slugs:
        return {design.letter: [] for design in placed}
    known = Entry.objects.filter(slug__in=slugs, kind__in=REGIONAL).order_by("workspace")
    regions = dict(known.values_list("slug", "region"))
    return {design.letter: _of(design.spec, design.provenance, regions) for design in placed}


def _of(spec: JSONDict, provenance: JSONDict, regions: dict[str, str]) -> list[Fault]:
    here, provider = _text(spec, "region"), _text(spec, "provider")
    elsewhere = [
        (pointer, slug, there)
        for pointer, slug in _taken(provenance)
        if (there := regions.get(slug, ""))
        and is_borrowed(pointer.rpartition("/")[2], document_get(spec, pointer), there, here)
    ]
    if not elsewhere:
        return []
    region = region_named(provider, here)
    found = [
        Fault(pointer, CODE, _sentence(slug, there, here, region))
        for pointer, slug, there in elsewhere
    ]
    others = ", ".join(sorted({there for _, _, there in elsewhere}))
    count = f"{len(found)} prices are" if len(found) > 1 else "One price is"
    known = "" if region else f" The catalogue holds no region {here} of this provider."
    return [Fault("/region", CODE, f"{count} of another region ({others}).{known}"), *found]


def _sentence(slug: str, there: str, here: str, region: Entry | None) -> str:
    if region is not None and field_of(slug) in region.values:
        return f"This price is of {there}. Choose the region again to take that of {here}."
    return f"This price is of {there}. The catalogue holds none for {here}; enter it."


def _taken(provenance: JSONDict) -> Iterator[tuple[str, str]]:
    """Places of what was taken from the catalogue, each with its entry."""
    for pointer, origin in provenance.items():
        if isinstance(origin, dict) and origin.get("entry"):
            yield pointer, str(origin["entry"])


def _text(spec: JSONDict, name: str) -> str:
    value: Any = spec.get(name)
    return value.strip() if isinstance(value, str) else ""
