"""What a form is told beside the fields: groups under titles, and lists that are one table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import ConfigDict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# A list that a form shows as one table, into which rows can be pasted.
AS_TABLE: dict[str, Any] = {"presented": "table"}


def in_groups(groups: Mapping[str, Sequence[str]]) -> ConfigDict:
    """Return the setting of a class whose fields a form shows under titles, in this order."""
    return ConfigDict(
        json_schema_extra={
            "groups": [{"title": title, "fields": list(names)} for title, names in groups.items()]
        }
    )
