"""Assumptions of a study that an import brings: prices of energy, carbon, a currency's rate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capmodels.imports.ecb import rate_on
from imports.models import Import

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from capmodels.imports.registry import Drafted
    from capmodels.spec import JSONDict
    from studies.models import Study

# Groups of which an import says a part; the others it takes the place of.
_MERGED = ("carbon",)
_OF_THE_OLD = ("low_gco2e_per_kwh", "high_gco2e_per_kwh", "hourly_ratio", "zone", "year")


def _numbers(value: Any, pointer: str) -> Iterator[str]:
    """Pointers of the numbers of a document; a list of numbers is one."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _numbers(item, f"{pointer}/{key}")
    elif isinstance(value, list | tuple):
        if value and all(isinstance(item, dict) for item in value):
            for place, item in enumerate(value):
                yield from _numbers(item, f"{pointer}/{place}")
        else:
            yield pointer
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield pointer


def origins_of(drafted: Drafted) -> JSONDict:
    """Where every number of the drafted assumptions is from."""
    groups = drafted.assumed_from.items()
    return {
        pointer: origin
        for at, origin in groups
        for pointer in _numbers(drafted.assumptions, "")
        if pointer == at or pointer.startswith(f"{at}/")
    }


def assumed_after(study: Study, drafted: Drafted) -> JSONDict:
    """A study's assumptions, their origins and its ranges, once a draft is written into it.

    Ranges and origins of what is replaced go with it.
    """
    gone = [f"/{name}" for name in drafted.assumptions]

    def stays(pointer: str) -> bool:
        return not any(pointer == at or pointer.startswith(f"{at}/") for at in gone)

    new = dict(drafted.assumptions)
    for name in set(new) & set(_MERGED):
        old = study.assumptions.get(name) or {}
        new[name] = {key: old[key] for key in old if key not in _OF_THE_OLD} | new[name]
    origins = {at: origin for at, origin in study.assumptions_provenance.items() if stays(at)}
    return {
        "assumptions": {**study.assumptions, **new},
        "assumptions_provenance": {**origins, **origins_of(drafted)},
        "ranges": [
            one for one in study.ranges if stays(str(one["pointer"]).removeprefix("/assumptions"))
        ],
    }


def with_rate(row: Import, said: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """What is said of an import, with the ECB's rate of its currency where none is entered.

    The rate is the last one on or before the file's own day, of the rates that the workspace
    read last; the sentence says which.
    """
    found, preview = dict(said), row.preview or {}
    code = preview.get("currency") or "USD"
    if found.get("per_usd") is not None or code == "USD" or row.format == "ecb":
        return found, ""
    rates = Import.objects.filter(format="ecb", preview__isnull=False).order_by("-created_at")
    held = rates.first()
    day = _day_of(preview) or row.created_at.date().isoformat()
    rate = rate_on(held.preview or {}, code, day) if held is not None else None
    if held is None or rate is None:
        return found, ""
    found["per_usd"] = rate[1]
    return found, (
        f"Converted at {rate[1]:.6g} {code} per US dollar: European Central Bank, {rate[0]}, "
        f"{held.file_name}."
    )


def _day_of(preview: Mapping[str, Any]) -> str:
    """Last day of what a file is of: of a bill its last month, of a series its first day."""
    months = preview.get("months")
    if months:
        return f"{months[-1]['month'][:7]}-31"
    return str(preview.get("first") or "")
