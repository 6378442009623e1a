"""What a form is told beside the fields: titles, tables, names of choices, when a field counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import ConfigDict

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

# A list that a form shows as one table, into which rows can be pasted.
AS_TABLE: dict[str, Any] = {"presented": "table"}


def in_groups(groups: Mapping[str, Sequence[str]]) -> ConfigDict:
    """Return the setting of a class whose fields a form shows under titles, in this order."""
    return ConfigDict(
        json_schema_extra={
            "groups": [{"title": title, "fields": list(names)} for title, names in groups.items()]
        }
    )


# Bytes that a form shows and takes in a larger unit.
IN_KIB: dict[str, Any] = {"typed_unit": "KiB"}
IN_MIB: dict[str, Any] = {"typed_unit": "MiB"}
# A time between events in ms that is shown and typed as their rate.
AS_RATE: dict[str, Any] = {"typed_unit": "1/s"}


def weighed_by(field: str) -> dict[str, Any]:
    """Return by which field entries of a list share a whole: a form shows their shares."""
    return {"weighed_by": field}


def named(**names: str) -> dict[str, Any]:
    """Return what the choices of a field are called."""
    return {"choices": names}


def shown_when(**fields: Collection[str] | bool) -> dict[str, Any]:
    """Return when a field has an effect: each of these has one of the values.

    True: it is not empty; False: it is empty.

    ``drive__kind`` is a field inside a field, ``up__drive`` one beside the field's own object,
    ``parts__any__price`` one of any entry of a list.
    """
    places = {
        name.replace("up__", "../").replace("__any__", "/*/").replace("__", "/"): held
        if isinstance(held, bool)
        else list(held)
        for name, held in fields.items()
    }
    return {"shown_when": places}


def when_empty(text: str) -> dict[str, Any]:
    """Return what an empty field says that it means."""
    return {"empty": text}
