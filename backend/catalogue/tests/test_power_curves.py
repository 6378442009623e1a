"""The catalogue's power curves are those that the models use."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from capmodels.power.families import TITLES, Family, fitted, held_out, shape, two_segments
from capmodels.power.measured_servers import LOADS, servers
from catalogue.fixture_entries import read_entries

if TYPE_CHECKING:
    from catalogue.fixture_entries import Seed


@pytest.fixture(scope="module")
def entries() -> dict[str, Seed]:
    return {seed.slug: seed for seed in read_entries()}


@pytest.mark.parametrize("family", TITLES)
def test_a_family_s_curve_is_the_fitted_one(entries: dict[str, Seed], family: Family) -> None:
    values = entries[f"power-family-{family.replace('_', '-')}"].values
    assert values["load_fraction"]["value"] == pytest.approx(LOADS)
    known = shape(family)
    assert values["range_fraction"]["value"] == pytest.approx(known.range_fractions, abs=1e-4)
    assert values["loaded_idle_fraction"]["value"] == pytest.approx(known.idle_part)
    assert values["fitted_count"]["value"] == len(fitted(family))
    assert values["held_out_count"]["value"] == len(held_out(family))
    knee = two_segments(family)
    assert values["knee_utilization_fraction"]["value"] == knee.knee_utilization_fraction
    assert values["knee_range_fraction"]["value"] == pytest.approx(
        knee.knee_range_fraction, abs=1e-4
    )


def test_servers_of_the_catalogue_draw_what_was_measured(entries: dict[str, Seed]) -> None:
    measured = {server.power_w for server in servers()}
    points = [
        tuple(seed.values["points_w"]["value"])
        for seed in entries.values()
        if seed.kind == "server" and "points_w" in seed.values
    ]
    assert len(points) >= 60
    assert sum(row in measured for row in points) >= len(points) - 5
