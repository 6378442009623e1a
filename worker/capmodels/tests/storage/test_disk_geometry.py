"""Geometry against the thesis's probed lists of bad sectors."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capmodels import registry, spec
from capmodels.storage.disk_geometry import surface_of

SPEC = registry.get_model("storage.disk_geometry")

# Huang 2006, table 6.4: successive bad sectors of the 75GXP, and their tracks.
BAD = (
    (813160, 1158), (819801, 1168), (827144, 1178), (833786, 1188), (841128, 1198),
    (847770, 1208), (855112, 1218), (862455, 1229), (869096, 1238), (876439, 1248),
    (883080, 1258), (890423, 1268), (897064, 1278), (904407, 1288), (911048, 1298),
)  # fmt: skip


def test_check_31_the_scratch_steps_back_by_nearly_the_surface_skew() -> None:
    steps = {(after - before) % 702 for (before, _), (after, _) in pairwise(BAD)}
    backwards = {702 - step for step in steps}
    assert backwards <= {378, 379, 380}
    assert steps <= {322, 323, 324}


def test_tracks_of_the_list_follow_from_the_sectors() -> None:
    for sector, track in BAD:
        found = spec.evaluate(SPEC, {"sector": sector})
        # Spare and slipped sectors shift the real disk by a little.
        assert found.track == pytest.approx(track, abs=2)
    assert surface_of(28888401 // 919, 4) in range(4)


@settings(max_examples=60, derandomize=True, deadline=None)
@given(sector=st.integers(0, 150_167_068))
def test_neighbors_on_a_track_lie_one_sector_apart(sector: int) -> None:
    one = spec.evaluate(SPEC, {"sector": sector})
    two = spec.evaluate(SPEC, {"sector": sector + 1})
    assert two.track - one.track in {0, 1}
    if one.track == two.track:
        per_track = {0: 702, 14: 351}.get(one.zone)
        gap = (two.angle_fraction - one.angle_fraction) % 1.0
        assert gap == pytest.approx(1 / per_track, abs=1e-6) if per_track else gap < 1 / 350


def test_outer_tracks_are_twice_as_fast() -> None:
    found = spec.evaluate(SPEC, {})
    assert found.outer_mb_per_s == pytest.approx(43.1, abs=0.05)
    assert found.inner_mb_per_s == pytest.approx(21.6, abs=0.05)
    assert found.capacity_gb == pytest.approx(76.9, abs=0.05)
