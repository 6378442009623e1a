"""Documents compared and taken apart, without a database."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capmodels.errors import Fault
from common.storable import MAX_DEPTH, storable
from studies import documents

SCALARS = (
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-1, 1) | st.text("ab/~", max_size=3)
)
TREES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text("ab/~", max_size=2), inner, max_size=3)
    ),
    max_leaves=12,
)


def apply(document: Any, changes: list[documents.Difference]) -> Any:
    """Apply differences one by one, as a reader of the API would."""
    box = {"": copy.deepcopy(document)}
    for change in sorted(changes, key=lambda c: c["change"] == "removed"):
        path = [p.replace("~1", "/").replace("~0", "~") for p in change["pointer"].split("/")]
        here: Any = box
        for key in path[:-1]:
            here = here[int(key)] if isinstance(here, list) else here[key]
        _place(here, path[-1], change)
    for change in changes:
        assert change["change"] in {"added", "removed", "changed"}
    return _without_holes(box[""])


HOLE = object()


def _place(here: Any, key: str, change: documents.Difference) -> None:
    value = HOLE if change["change"] == "removed" else copy.deepcopy(change["after"])
    if isinstance(here, list):
        here[int(key) : int(key) + 1] = [value]
    else:
        here[key] = value


def _without_holes(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _without_holes(v) for k, v in value.items() if v is not HOLE}
    if isinstance(value, list):
        return [_without_holes(v) for v in value if v is not HOLE]
    return value


@given(TREES, TREES)
@pytest.mark.decisive
def test_applying_the_differences_gives_the_other_document(before: Any, after: Any) -> None:
    assert apply(before, documents.differences(before, after)) == after


@given(TREES)
def test_a_document_does_not_differ_from_itself(tree: Any) -> None:
    assert documents.differences(tree, copy.deepcopy(tree)) == []


def test_true_is_not_one() -> None:
    assert documents.differences({"a": True}, {"a": 1})[0]["pointer"] == "/a"


def test_faults_are_shared_out_to_designs_by_letter() -> None:
    faults = [Fault("/designs/1/staff_fte", "missing", "x"), Fault("/workload", "missing", "y")]
    named, by_letter = documents.split_faults(faults, ["A", "D"])
    assert [fault.pointer for fault in named] == ["/designs/D/staff_fte", "/workload"]
    assert by_letter == {"A": [], "D": [Fault("/staff_fte", "missing", "x")]}


@pytest.mark.parametrize(
    ("value", "code"),
    [({"a": ["\x00"]}, "bad_character"), ({"\x00": 1}, "bad_character")],
)
def test_nul_cannot_be_stored(value: Any, code: str) -> None:
    assert [fault.code for fault in storable(value)] == [code]


def test_bottomless_nesting_cannot_be_stored() -> None:
    tree: Any = 1
    for _ in range(MAX_DEPTH + 2):
        tree = [tree]
    assert [fault.code for fault in storable(tree)] == ["too_deep"]


def test_the_letter_of_a_design_cannot_be_overruled_by_its_fields() -> None:
    design = {"letter": "B", "title": "Own", "kind": "cloud", "spec": {"letter": "A", "x": 1}}
    assert documents.design_document(design) == {
        "letter": "B",
        "title": "Own",
        "kind": "cloud",
        "x": 1,
    }
