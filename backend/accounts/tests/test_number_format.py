"""How a member's numbers are written is theirs alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from accounts.testing import Person

CHOICE = "/api/v1/number-format"


def choose(person: Person, number_format: str) -> Any:
    body = {"number_format": number_format}
    return person.client.put(CHOICE, body, content_type="application/json")


def test_a_member_chooses_how_numbers_are_written(alice: Person, bob: Person) -> None:
    assert alice.get("number-format").json() == {"number_format": ""}
    assert choose(alice, "comma").json() == {"number_format": "comma"}
    assert alice.get("number-format").json() == {"number_format": "comma"}
    assert bob.get("number-format").json() == {"number_format": ""}
    assert choose(alice, ";").status_code == 422
    assert choose(alice, "").json() == {"number_format": ""}
