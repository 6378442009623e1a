"""Keeps a calibrated drive as an entry of the workspace's own, with where figures come from."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import count
from typing import TYPE_CHECKING, Annotated, Any

from django.utils.text import slugify
from pydantic import BaseModel, ConfigDict, Field

from capmodels.storage.drive.drives import Drive
from capmodels.storage.drive.entry_out import entry_of, same_value
from capmodels.told import listed
from catalogue.documents import EntryInput, Text, ValueInput
from catalogue.models import Entry
from catalogue.services import entry_create
from common.errors import Invalid

if TYPE_CHECKING:
    from collections.abc import Mapping

    from common.principal import Principal

_SLUG_MAX = 70  # and a number where it is taken


class KeptDrive(BaseModel):
    """A drive as it was fitted, the one that was fitted, and what that was told to come to."""

    model_config = ConfigDict(extra="forbid")

    title: Annotated[str, Field(min_length=1, max_length=200)]
    drive: Drive
    sheet: Drive
    trace: Annotated[str, Field(min_length=1, max_length=200)]
    told: Text


def drive_keep(*, principal: Principal, given: KeptDrive) -> Entry:
    """Return the new entry: what the calibration did not move is as the catalogue has it, or typed.

    Raises
    ------
    Invalid
        When an entry has no fields for some of the drive, so that it would not make it again.
    """
    made = entry_of(given.drive)
    if made.lost:
        parts = listed(list(dict.fromkeys(_part(place) for place in made.lost)))
        sentence = (
            f"An entry of the catalogue has no fields for this drive's {parts}. Use it in an array."
        )
        raise Invalid.at("/drive", sentence, "not_kept")
    before = entry_of(given.sheet).values
    named = Entry.objects.filter(kind="drive", title=given.sheet.name)
    known = named.order_by("position", "id").first()
    sources = known.values if known else {}
    values = {
        name: _entered(name, value, sources)
        if same_value(value, before.get(name))
        else _fitted(value, given)
        for name, value in made.values.items()
    }
    slug = _free(slugify(given.title)[:_SLUG_MAX].strip("-") or "drive")
    entry = EntryInput(slug=slug, kind="drive", title=given.title, values=values)
    return entry_create(principal=principal, given=entry)


def _part(place: str) -> str:
    """The part of a drive that a place is in; what is said in words as it is."""
    return place.lstrip("/").split("/")[0].replace("_", " ")


def _fitted(value: Any, given: KeptDrive) -> ValueInput:
    return ValueInput(
        value=value,
        quality="measured",
        source=f"Calibrated from the trace {given.trace}",
        as_of=datetime.now(tz=UTC).date(),
        note=given.told.replace("**", ""),
    )


def _entered(name: str, value: Any, sources: Mapping[str, Any]) -> ValueInput:
    held = sources.get(name)
    if held is not None and same_value(value, held["value"]):
        return ValueInput.model_validate(held)
    return ValueInput(value=value)


def _free(slug: str) -> str:
    """The slug, or with the first number that is free."""
    names = (slug if at == 1 else f"{slug}-{at}" for at in count(1))
    return next(name for name in names if not Entry.objects.filter(slug=name).exists())
