"""A study's file reads back exactly; what is no study is refused in words."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capmodels.errors import ParamsError
from studies import exchange

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=8)
TRICKY = st.sampled_from(
    ["no", "1e6", "2026-07-20", "1:30", "~", "", "0x1F", "017", "null", "=", " a", "- b", "#"]
)
NUMBERS = st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
TREES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT | TRICKY,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT | TRICKY, inner, max_size=4),
    max_leaves=15,
)


def same(left: Any, right: Any) -> bool:
    """Equal in value and in type, so that 1 is not 1.0 and not true."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[k], right[k]) for k in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return type(left) is type(right) and left == right


@pytest.mark.parametrize("as_", ["yaml", "json"])
@given(study=st.dictionaries(TEXT | TRICKY, TREES, max_size=5))
@pytest.mark.decisive
def test_a_file_reads_back_exactly(as_: Literal["yaml", "json"], study: dict[str, Any]) -> None:
    assert same(exchange.load(exchange.dump(study, as_)), study)


@given(study=st.dictionaries(TEXT, TREES, max_size=5))
def test_the_same_study_gives_the_same_file(study: dict[str, Any]) -> None:
    backwards = dict(reversed(study.items()))
    assert exchange.dump(study, "yaml") == exchange.dump(backwards, "yaml")


def test_hand_written_dates_and_no_stay_text_and_exponents_are_numbers() -> None:
    text = b"ampacity: 1\nstudy: {as_of: 2026-07-20, zone: no, data_tb: 1e3}"
    assert exchange.load(text) == {"as_of": "2026-07-20", "zone": "no", "data_tb": 1000.0}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (b"", "not_a_study"),
        (b"[1]", "not_a_study"),
        (b"ampacity: 1", "not_a_study"),
        (b"ampacity: 2\nstudy: {}", "unknown_format"),
        (b"{bad", "unreadable"),
        (b"\xff", "unreadable"),
        (b"study: {1: 2}", "unreadable"),
        (b"study: !!python/object:os.system {}", "unreadable"),
        (b"a: &x [1]\nb: *x", "unreadable"),
        (b"[" * 500_000, "unreadable"),
        (b"ampacity: 1\nstudy:\n  title: a\n  title: b\n", "unreadable"),
        (b"ampacity: 1\nstudy:\n  workload: {a: 1, b: 2, 'a': 3}\n", "unreadable"),
        (b"a: [" + b"{}," * 80_000 + b"]", "unreadable"),
    ],
)
def test_it_refuses_what_is_no_study(text: bytes, code: str) -> None:
    with pytest.raises(ParamsError) as caught:
        exchange.load(text)
    assert [fault.code for fault in caught.value.faults] == [code]


def test_a_file_takes_as_many_draws_as_the_plan() -> None:
    study = {"title": "A study", "draws_count": 50_001}
    with pytest.raises(ParamsError) as refused:
        exchange.read(exchange.dump(study, "yaml"))
    (fault,) = refused.value.faults
    assert fault.pointer == "/study/draws_count"
    assert fault.message == "The value 50,001 is too high. Enter at most 50,000."
