"""What the parameters of an address say, in types."""

from __future__ import annotations

from uuid import UUID

from common.errors import Invalid


def asked_id(text: str | None, name: str, sentence: str = "Enter an id.") -> UUID:
    """Return an id as it was sent; raise Invalid for what is none."""
    try:
        return UUID(text or "")
    except ValueError as exc:
        raise Invalid.at(f"/{name}", sentence) from exc


def asked_yes_or_no(text: str | None, name: str) -> bool | None:
    """Return a choice that may be left open; raise Invalid for what is none."""
    if text in (None, ""):
        return None
    if text not in ("true", "false"):
        raise Invalid.at(f"/{name}", "Choose true or false.", "not_a_choice")
    return text == "true"
