"""Packs of assumptions: what an organisation holds of rates, staff, energy and growth.

A pack is an entry of the catalogue, so its values have units, sources and dates, and what it was
before is kept. Every change is a version: the entry's revision.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import F
from pydantic import BaseModel, ValidationError

from accounts.services import audit_record
from capmodels.errors import Fault
from capmodels.plans.document.assumptions import Assumptions
from capmodels.plans.document.cloud import Cloud
from capmodels.plans.document.workload import DemandWorkload
from capmodels.sentences import sentence_of
from catalogue import services
from catalogue.fields import unit_of
from catalogue.kinds import PACK
from catalogue.models import Entry
from catalogue.versions import versions_of
from common.errors import Forbidden, Invalid, existing

if TYPE_CHECKING:
    from catalogue.documents import EntryChangeInput, EntryInput, ValueInput
    from common.principal import Principal

# A text of a pack: what it is, in a sentence.
ABOUT = "about"
CLOUD = "cloud"
# What a study holds each of its parts as.
_PARTS: dict[str, type[BaseModel]] = {
    "assumptions": Assumptions,
    "workload": DemandWorkload,
    "designs": Cloud,
}


@dataclass(frozen=True, slots=True)
class PackField:
    """A number that a pack may hold, and where it stands in a study.

    ``kind`` is that of the designs which have it; empty where it is shared by all.
    """

    name: str
    title: str
    part: str
    pointer: str
    kind: str = ""

    @property
    def unit(self) -> str:
        """Its unit, which its name ends in."""
        return unit_of(self.name) or ""


def _assumption(name: str, title: str, pointer: str = "") -> PackField:
    return PackField(name, title, "assumptions", pointer or f"/{name}")


def _rise(what: str, title: str) -> PackField:
    pointer = f"/price_changes/{what}_fraction_per_year"
    return _assumption(f"{what}_price_fraction_per_year", title, pointer)


def _growth(what: str, title: str) -> PackField:
    pointer = f"/growth/{what}_fraction_per_year"
    return PackField(f"{what}_growth_fraction_per_year", title, "workload", pointer)


FIELDS = (
    _assumption("discount_fraction_per_year", "Discount rate"),
    _assumption("inflation_fraction_per_year", "Inflation"),
    _assumption("tax_rate_fraction", "Tax rate", "/tax/rate_fraction"),
    _assumption("depreciation_life_months", "Life in the books", "/depreciation/life_months"),
    _assumption("staff_usd_per_fte_year", "Cost of a person"),
    _assumption("usd_per_kwh", "Price of electricity, flat", "/electricity/usd_per_kwh"),
    _assumption("demand_charge_usd_per_kw_month", "Demand charge"),
    _assumption("pue", "PUE"),
    _assumption("carbon_usd_per_t", "Carbon price", "/carbon/usd_per_t"),
    _rise("staff", "Change of pay"),
    _rise("electricity", "Change of the price of electricity"),
    _rise("space", "Change of the price of space and network access"),
    _rise("software", "Change of the price of software"),
    _rise("server", "Change of the price of servers"),
    _rise("instances", "Change of the price of cloud instances"),
    _rise("storage", "Change of the price of cloud storage"),
    _growth("cores", "Growth of busy cores"),
    _growth("ram", "Growth of RAM"),
    _growth("block", "Growth of block storage"),
    _growth("object", "Growth of object storage"),
    _growth("archive", "Growth of archives"),
    _growth("transfer", "Growth of transfer"),
    PackField(
        *("negotiated_discount_fraction", "Negotiated cloud discount"),
        *("designs", "/negotiated_discount_fraction", CLOUD),
    ),
)
BY_NAME = {field.name: field for field in FIELDS}


def pack_list() -> list[Entry]:
    """Return the packs: the workspace's own, then those that are built in."""
    found = Entry.objects.filter(kind=PACK)
    return list(found.order_by(F("workspace").asc(nulls_last=True), "position", "title"))


def pack_get(slug: str) -> Entry:
    """Return a pack; the workspace's own before one that is built in.

    Raises
    ------
    NotFound
        When there is none of this name.
    """
    found = Entry.objects.filter(kind=PACK, slug=slug)
    return existing(found.order_by(F("workspace").asc(nulls_last=True)).first(), slug)


def pack_create(*, principal: Principal, given: EntryInput) -> Entry:
    """Return a new pack of the workspace's.

    Raises
    ------
    Invalid
        When a value breaks a rule, or the slug is taken.
    """
    _require_known(given.values)
    entry = services.entry_create(principal=principal, given=given, audit=False)
    audit_record(principal, "pack.create", target=entry.title)
    return entry


def pack_own(slug: str) -> Entry:
    """Return the workspace's own pack, locked for a change.

    Raises
    ------
    NotFound
        When there is none of this name.
    Forbidden
        When it is built in.
    """
    own = Entry.objects.exclude(workspace=None).select_for_update()
    entry = own.filter(slug=slug, kind=PACK).first()
    if entry is not None:
        return entry
    pack_get(slug)
    raise Forbidden("A pack of all workspaces cannot be changed. Make one of your own from it.")


def pack_update(*, principal: Principal, entry: Entry, given: EntryChangeInput) -> Entry:
    """Make another version of the workspace's own pack; what it was is kept.

    Raises
    ------
    Invalid
        When a value breaks a rule.
    """
    _require_known(given.values or {})
    before = entry.revision
    services.entry_update(principal=principal, entry=entry, given=given, audit=False)
    if entry.revision == before:
        return entry
    target = f"{entry.title}, version {entry.revision}"
    audit_record(principal, "pack.update", target=target)
    return entry


def pack_delete(*, principal: Principal, entry: Entry) -> None:
    """Remove the workspace's own pack; studies that follow it keep their numbers."""
    services.entry_delete(principal=principal, entry=entry, audit=False)
    audit_record(principal, "pack.delete", target=entry.title)


def pack_versions(entry: Entry) -> list[dict[str, Any]]:
    """Return what a pack was, newest first, what it is now before all of them."""
    now = {
        "version": entry.revision,
        "title": entry.title,
        "since": entry.updated_at,
        "values": entry.values,
    }
    before = [
        {"version": one.revision, "title": one.title, "since": one.since, "values": one.values}
        for one in versions_of(entry)
    ]
    return [now, *before]


def _require_known(values: dict[str, ValueInput]) -> None:
    faults = []
    for name, said in values.items():
        if name == ABOUT:
            continue
        if name not in BY_NAME:
            sentence = f"A pack has no {name!r}. Choose one of {', '.join(BY_NAME)}."
            faults.append(Fault(f"/values/{name}", "unknown_field", sentence))
        elif not isinstance(said.value, int | float):
            faults.append(Fault(f"/values/{name}/value", "not_a_number", "Enter one number."))
        elif refused := _refused(BY_NAME[name], said.value):
            faults.append(Fault(f"/values/{name}/value", "out_of_range", refused))
    if faults:
        raise Invalid(faults=faults)


def _refused(field: PackField, value: float) -> str:
    """Return why a study would not take a pack's number; empty when it would."""
    number = int(value) if value == int(value) else value
    *groups, last = field.pointer.strip("/").split("/")
    document: dict[str, Any] = {last: number}
    for group in reversed(groups):
        document = {group: {"kind": "flat", **document} if group == "electricity" else document}
    try:
        _PARTS[field.part].model_validate(document)
    except ValidationError as error:
        return next((sentence_of(dict(e)) for e in error.errors() if e["loc"][-1] == last), "")
    return ""
