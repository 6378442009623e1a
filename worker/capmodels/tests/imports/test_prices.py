"""Price lists: every price found, whatever stands around it; damaged ones are refused."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.formats.chunks import FileRefused
from capmodels.imports import aws_offer
from capmodels.imports.json_stream import members
from capmodels.imports.registry import opened, recognised

if TYPE_CHECKING:
    from pathlib import Path


def read(path: Path, text: str) -> dict[str, Any]:
    path.write_text(text)
    file = opened(path)
    return recognised(file.columns).read(file, lambda *_: None)


def anything(draw: random.Random, depth: int) -> Any:
    """Some JSON, with brackets and quotes within texts."""
    kinds = ["text", "number", "list", "object"] if depth else ["text", "number"]
    match draw.choice(kinds):
        case "text":
            return "".join(draw.choice('{}[]",:\\ aé\n') for _ in range(draw.randrange(9)))
        case "number":
            return draw.choice([0, -1.5, True, None])
        case "list":
            return [anything(draw, depth - 1) for _ in range(draw.randrange(4))]
    return {str(n): anything(draw, depth - 1) for n in range(draw.randrange(4))}


@pytest.mark.parametrize("seed", range(40))
def test_members_of_any_json_are_those_that_a_library_reads(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    wanted = {f'k"{n}\\' if n % 7 == 3 else f"k{n}": {"x": anything(draw, 4)} for n in range(9)}
    value = {"before": anything(draw, 3), "a": {"b": wanted, "c": {"d": {}}}, "z": [1, {"a": {}}]}
    path = tmp_path / "file"
    indent = draw.choice([None, 1])
    path.write_text(json.dumps(value, indent=indent, ensure_ascii=draw.random() < 0.5))
    plain = {key: said for key, said in wanted.items() if key.isalnum()}
    if len(plain) < len(wanted):
        with pytest.raises(FileRefused):
            list(members(path, [(b"a", b"b")]))
        return
    found = {key.decode(): json.loads(text) for _, key, text in members(path, [(b"a", b"b")])}
    assert found == wanted


def test_terms_before_their_products_are_found(tmp_path: Path) -> None:
    offer = json.loads(aws_offer.sample())
    turned = {"offerCode": "AmazonEC2", "terms": offer["terms"], "products": offer["products"]}
    found = read(tmp_path / "file", json.dumps(turned))
    assert [row["usd_per_h"] for row in found["prices"]] == [0.12897, 12.029]
    assert found["prices"][0]["reserved_3y_usd_per_h"] == pytest.approx(0.12897 * 0.45, abs=1e-6)
    assert found["prices"][1]["ram_gib"] == 1536
    assert "1 Storage" in found["notes"][0]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: text[:-20], "ends early"),
        (lambda text: text + "}", "closed twice"),
        (lambda text: text.replace('"Linux"', '"Plan 9"'), "no price"),
        (lambda text: text.replace("[]", "[" * 60 + "]" * 60), "nested"),
        (lambda text: text.replace('"AAA": {', '"AAA": 7, "AAB": {', 1), "no object"),
    ],
)
def test_damaged_lists_are_refused_with_a_sentence(change: Any, said: str, tmp_path: Path) -> None:
    text = aws_offer.sample().decode().replace('"terms"', '"list": [],\n "terms"')
    with pytest.raises(FileRefused, match=said):
        read(tmp_path / "file", change(text))
