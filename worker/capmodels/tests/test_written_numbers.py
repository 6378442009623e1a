"""Written numbers: the table that the pages' parser passes too, and numbers as countries write."""

from __future__ import annotations

import copy
import json
import random
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.errors import ParamsError
from capmodels.plans.compare import SPEC as PLAN
from capmodels.spec import validate
from capmodels.testing.sent import document_of
from capmodels.testing.studies import random_study
from capmodels.tests.plans.documents import owned, plain
from capmodels.written_numbers import MARKS, Mark, convention_of, conventions_of, number_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    Path_ = tuple[str | int, ...]

CASES = json.loads(
    (Path(__file__).parents[3] / "fixtures" / "typed_numbers.json").read_text(encoding="utf-8")
)["cases"]
NAMES: dict[str, Mark] = {"point": ".", "comma": ","}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"])
@pytest.mark.parametrize("name", NAMES)
def test_the_table_of_cases(case: dict[str, object], name: str) -> None:
    """Every case is read as the table says, with either mark."""
    if case[name] is None:
        with pytest.raises(ValueError, match=re.escape(str(case["text"])) or "^$"):
            number_of(str(case["text"]), NAMES[name])
    else:
        assert number_of(str(case["text"]), NAMES[name]) == case[name]


def _lakh(whole: str) -> str:
    head, last = whole[:-3], whole[-3:]
    pairs = [head[max(0, at - 2) : at] for at in range(len(head), 0, -2)][::-1]
    return ",".join([*pairs, last])


def written(value: float, decimals: int) -> dict[str, str]:
    """A number as it is written in five countries."""
    plain = f"{value:,.{decimals}f}"
    whole, _, rest = f"{value:.{decimals}f}".partition(".")
    return {
        "en": plain,
        "de": plain.translate(str.maketrans(",.", ".,")),
        "fr": plain.replace(",", "\u202f").replace(".", ","),
        "ch": plain.replace(",", "\u2019"),
        "in": (_lakh(whole) if len(whole) > 3 else whole) + (f".{rest}" if rest else ""),
    }


MARK_OF: dict[str, Mark] = {"en": ".", "de": ",", "fr": ",", "ch": ".", "in": "."}


def test_random_numbers_come_back_as_they_were_written() -> None:
    """Under the writer's mark always; under the other wherever the text decides itself."""
    draw = random.Random(20261128)
    for _ in range(400):
        decimals = draw.randrange(5)
        value = round(10 ** draw.uniform(-3, 9), decimals)
        for country, text in written(value, decimals).items():
            assert number_of(text, MARK_OF[country]) == value, text
            other: Mark = "," if MARK_OF[country] == "." else "."
            column = convention_of([text])
            if column.mark is not None:
                assert column.mark == MARK_OF[country], text
            if not column.example:
                assert number_of(text, other) == value, text


def test_columns_decide_from_all_of_their_cells() -> None:
    """A column, else the others of its file, else it is open; contradiction decides nothing."""
    assert convention_of(["1.250", "2.500", "15,36"]).mark == ","
    assert convention_of(["1,250", "2,500.00"]).mark == "."
    assert convention_of(["1.234.567", "1.250"]).mark == ","
    assert convention_of(["1,250", "7"]).is_open
    assert not convention_of(["7", "8", "n/a"]).is_open
    assert convention_of(["1,5", "1.5", "1.250"]).is_open
    both = conventions_of({"price": ["0,125"], "count": ["1.250"], "name": ["m5.large"]})
    assert both["count"].mark == ","
    assert convention_of(["$1,234 hourly"]).example == "1,234"


@pytest.mark.parametrize("mark", MARKS)
def test_a_point_is_the_default(mark: str) -> None:
    """What nobody decides is read with a point."""
    assert number_of("1.234") == 1.234
    assert number_of(f"7{mark}5") == 7.5


def _numbers(value: Any, path: Path_ = ()) -> Iterator[tuple[Path_, float]]:
    """Every number of a document, and where it stands."""
    if isinstance(value, dict | list):
        places = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in places:
            yield from _numbers(inner, (*path, key))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield path, float(value)


def _with_text(document: dict[str, Any], path: Path_, text: str) -> dict[str, Any]:
    """The document with a text in the place of a number."""
    changed = copy.deepcopy(document)
    inner: Any = changed
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = text
    return changed


def _accepted_or_elsewhere(seed: int, most: int) -> list[str]:
    """Numbers of a random study that are accepted as text, or refused at another place."""
    document = document_of(random_study(seed))
    numbers = list(_numbers(document))
    wrong = []
    for path, value in random.Random(seed).sample(numbers, min(most, len(numbers))):
        pointer = "/" + "/".join(map(str, path))
        for text in (f"{value:g}".replace(".", ",") + ",5", f"{value},0", f"{value:g}"):
            try:
                validate(PLAN, _with_text(document, path, text))
            except ParamsError as refused:
                if pointer in {fault.pointer for fault in refused.faults}:
                    continue
            wrong.append(f"{pointer}: {text}")
    return wrong


@pytest.mark.parametrize("seed", range(1, 7))
def test_a_text_is_refused_at_every_number_of_a_study(seed: int) -> None:
    """What a program writes is a number; a text would hide which mark is the decimal one."""
    assert _accepted_or_elsewhere(seed, 12) == []


@pytest.mark.deep
def test_a_text_is_refused_at_all_numbers_of_many_studies() -> None:
    assert {seed: wrong for seed in range(40) if (wrong := _accepted_or_elsewhere(seed, 999))} == {}


def test_a_case_that_is_named_as_one_of_its_fields_is_refused_at_the_field() -> None:
    """A price by its parts is of the kind "parts", and has them in a field of that name."""
    group = owned("A")["node_groups"][0]
    price = {
        "kind": "parts",
        "parts": [{"name": "CPU", "component": "cpu", "count": 1, "unit_price_usd": 900.0}],
    }
    for given, pointer in (
        ({**price, "discount_fraction": "0,1"}, "discount_fraction"),
        (
            {
                **price,
                "parts": [
                    {"name": "CPU", "component": "cpu", "count": 1, "unit_price_usd": "900,0"}
                ],
            },
            "parts/0/unit_price_usd",
        ),
        ({**price, "parts": "0,1"}, "parts"),
    ):
        study = plain([{**owned("A"), "node_groups": [{**group, "price": given}]}])
        with pytest.raises(ParamsError) as refused:
            validate(PLAN, study)
        first, *_ = refused.value.faults
        assert first.pointer == f"/designs/0/node_groups/0/price/{pointer}"
