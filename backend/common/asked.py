"""What the parameters of an address say, in types."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from common.errors import Invalid

if TYPE_CHECKING:
    from collections.abc import Mapping

    Asked = Mapping[str, str]


def asked_id(asked: Asked, name: str, sentence: str = "Enter an id.") -> UUID:
    """Return an id as it was sent; raise Invalid for what is none."""
    try:
        return UUID(asked.get(name) or "")
    except ValueError as exc:
        raise Invalid.at(f"/{name}", sentence) from exc


def asked_id_if_any(asked: Asked, name: str, sentence: str = "Enter an id.") -> UUID | None:
    """Return an id that may be left out; raise Invalid for what is none."""
    return asked_id(asked, name, sentence) if asked.get(name) else None


def asked_yes_or_no(asked: Asked, name: str) -> bool | None:
    """Return a choice that may be left open; raise Invalid for what is none."""
    text = asked.get(name)
    if text in (None, ""):
        return None
    if text not in ("true", "false"):
        raise Invalid.at(f"/{name}", "Choose true or false.", "not_a_choice")
    return text == "true"
