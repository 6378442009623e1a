"""A value changed beside a range that no longer fits it: told in the answer that changed it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from studies.tests.people import Planner

pytestmark = pytest.mark.db


@pytest.mark.parametrize(
    ("choice", "ends"), [("", (1.2, 1.4)), ("move", (1.8, 2.1)), ("drop", None)]
)
def test_a_value_changed_beside_its_range_is_told_and_settled(
    alice: Planner, choice: str, ends: tuple[float, float] | None
) -> None:
    study = alice.study(draws_count=0)
    address = f"/studies/{study['id']}"
    ranges = [{"pointer": "/assumptions/pue", "low": 1.2, "high": 1.4}]
    first = alice.patch(address, {"assumptions": {"pue": 1.3}, "ranges": ranges}).json()
    assert first["ranges_left"] == []
    asked = f"{address}?ranges={choice}" if choice else address
    answer = alice.patch(asked, {"assumptions": {"pue": 1.95}}).json()
    (left,) = answer["ranges_left"]
    assert (left["pointer"], left["before"], left["after"]) == ("/assumptions/pue", 1.3, 1.95)
    kept = [(one["low"], one["high"]) for one in answer["ranges"]]
    assert kept == ([] if ends is None else [pytest.approx(ends)])
