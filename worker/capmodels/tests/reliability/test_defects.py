"""Defect patterns and places for replicas against geometry and closed forms."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capmodels import registry, spec
from capmodels.errors import ParamsError
from capmodels.reliability.defect_draw import DRIVES, draw, draw_drive, study_geometry
from capmodels.reliability.defect_patterns import DESKSTAR_ROWS
from capmodels.reliability.platter import Geometry, Platter, exposure
from capmodels.spec import Context
from capmodels.tests.asking import faults

PATTERNS = registry.get_model("reliability.defect_patterns")
PLACEMENT = registry.get_model("reliability.replica_placement")
DESKSTAR = Platter(Geometry())


def drawn(pattern: str, seed: int, sectors: int = 692) -> Any:
    defects = {"kind": "drawn", "pattern": pattern, "sectors_count": sectors}
    return spec.evaluate(PATTERNS, {"defects": defects}, Context(seed=seed))


def test_the_platter_has_the_sectors_of_its_zone_table() -> None:
    assert DESKSTAR.sectors == 150_167_070
    assert DESKSTAR.surface_skew(0) == 360


@settings(max_examples=100, derandomize=True, deadline=None)
@given(sector=st.integers(0, 150_167_069))
def test_a_sector_is_found_where_it_was_put(sector: int) -> None:
    place = DESKSTAR.locate(sector)
    assert DESKSTAR.sector_at(place.track, place.offset) == sector
    low, after = DESKSTAR.tracks_of_zone(place.zone)
    assert low <= place.track < after
    assert 0 <= place.offset < place.per_track


@pytest.mark.parametrize(
    "pattern", ["scratch", "track_start_cluster", "run", "crossing_scratch", "scatter", "servo"]
)
def test_a_drawn_pattern_is_recognized(pattern: str) -> None:
    seen = [drawn(pattern, seed).looks_like for seed in range(8)]
    assert seen.count(pattern) >= 7


def test_the_printed_scratch_is_recognized_from_its_sectors() -> None:
    # Runs of a few sectors around each printed one, as a surface scan lists them.
    sectors = sorted({row[0] + i for row in DESKSTAR_ROWS for i in range(5)})
    found = spec.evaluate(PATTERNS, {"defects": {"kind": "listed", "sectors": sectors}})
    assert [row.number_count for row in found.zones] == [0]
    assert found.surface_skew_count == 360
    assert found.offset_step_count == pytest.approx(379, abs=1)
    assert found.looks_like == "scratch"
    # Slipped sectors are not known: half of them come to lie on the facing surface.
    assert {row.number_count for row in found.surfaces} <= {7, 8, 9}
    safe = {row.strategy: row.safe for row in found.replicas}
    assert safe["same_track"] == "no"
    assert safe["other_surface"] == safe["neighbor_track"] == safe["far_zone"] == "yes"


def test_patterns_have_the_shares_of_the_study() -> None:
    # Worst surface of the 75GXP: 467 of 575; Maxtor: 63 of 84 and 93 of 214 share a track.
    scratches = [drawn("scratch", seed).worst_surface_fraction for seed in range(20)]
    assert sum(scratches) / 20 == pytest.approx(467 / 575, abs=0.08)
    scatters = [drawn("scatter", seed) for seed in range(20)]
    shared = sum(found.shared_track_fraction for found in scatters) / 20
    assert 93 / 214 - 0.05 < shared < 63 / 84
    assert all(3 <= len(found.zones) <= 4 for found in scatters)
    assert all(80 <= found.sectors_count <= 221 for found in scatters)
    cluster = drawn("track_start_cluster", 1)
    assert len(cluster.zones) == 1
    assert len(cluster.surfaces) == 2
    assert cluster.sectors_count == 1800


@pytest.mark.decisive
def test_counts_of_a_small_list_by_hand() -> None:
    # Two sectors of track 0, the last of track 0, the first of track 1.
    found = spec.evaluate(PATTERNS, {"defects": {"kind": "listed", "sectors": [5, 6, 701, 702]}})
    assert found.tracks_count == 2
    assert [(row.number_count, row.sectors_count) for row in found.surfaces] == [(0, 3), (1, 1)]
    assert found.longest_run_count == 2
    assert found.shared_track_fraction == 0.75
    assert [(place.track, place.offset) for place in found.places] == [
        (0, 5), (0, 6), (0, 701), (1, 0),
    ]  # fmt: skip


def test_a_sector_beyond_the_disk_is_refused() -> None:
    with pytest.raises(ParamsError, match="150,167,070 sectors only"):
        spec.evaluate(PATTERNS, {"defects": {"kind": "listed", "sectors": [1, 150_167_070]}})
    zones = [
        {"last_cylinder": 5, "per_track_count": 20},
        {"last_cylinder": 4, "per_track_count": 20},
    ]
    assert set(faults("reliability.defect_patterns", {"geometry": {"zones": zones}})) == {
        "/geometry"
    }


@pytest.mark.parametrize("length", [8, 80, 2832])
def test_beside_a_run_all_replicas_but_the_last_are_lost(length: int) -> None:
    originals, both = exposure(
        DESKSTAR, set(range(8000, 8000 + length)), "same_track", block=8, cylinders_away=8
    )
    assert (originals, both) == (length // 8, length // 8 - 1)


def test_uniform_defects_meet_a_replica_as_often_as_any_block() -> None:
    # 1 - (1 - 8/N)^(n - 1) on a small disk, wherever the replica is.
    geometry = Geometry.model_validate(
        {"zones": [{"last_cylinder": 99, "per_track_count": 100}], "surfaces_count": 4}
    )
    platter, count = Platter(geometry), 1200
    expected = 1 - (1 - 8 / platter.sectors) ** (count - 1)
    for strategy in ("same_track", "neighbor_track", "far_zone"):
        pairs = [
            exposure(
                platter,
                draw("uniform", platter, random.Random(seed), count),
                strategy,
                block=8,
                cylinders_away=8,
            )
            for seed in range(12)
        ]
        share = sum(both for _o, both in pairs) / sum(originals for originals, _b in pairs)
        assert share == pytest.approx(expected, abs=0.02)


def test_study_drives_have_their_capacity_and_defects() -> None:
    for drive in DRIVES:
        platter = Platter(study_geometry(drive))
        assert platter.sectors * 512 / 1e9 == pytest.approx(drive.capacity_gb, rel=0.01)
        bad = draw_drive(drive, platter, random.Random(1))
        assert 20 < len(bad) < 3000
        assert max(bad) < platter.sectors


def test_places_compare_as_the_thesis_advises() -> None:
    found = spec.evaluate(PLACEMENT, {"draws_count": 6}, Context(seed=3))
    lost = {
        (place.strategy, drive.drive): drive.lost_fraction
        for place in found.strategies
        for drive in place.drives
    }
    for drive in DRIVES:
        assert lost["far_zone", drive.name] < 0.01
    for name in ("IBM Deskstar 75GXP", "IBM Ultrastar 36LZX"):
        assert lost["other_surface", name] < 0.01
        assert lost["same_track", name] > 0.25
    for name in ("WD Caviar 205BA", "WD Caviar WD400BB", "Quantum Fireball LCT10"):
        assert lost["few_cylinders", name] < 0.01
        assert lost["same_track", name] > 0.25
    assert lost["other_surface", "Maxtor 4K020H1 (a)"] is None
    for strategy in ("other_surface", "few_cylinders"):
        assert lost[strategy, "Quantum Fireball CX10.2A"] > 0.25
    costs = [place.extra_write_ms for place in found.strategies]
    assert costs == sorted(costs)
    assert costs[-1] == pytest.approx(9.1, abs=0.2)


def test_the_same_seed_draws_the_same() -> None:
    document = {"draws_count": 3, "pattern": "scratch"}
    one, two, other = (spec.evaluate(PLACEMENT, document, Context(seed=s)) for s in (5, 5, 6))
    assert one == two
    assert one != other


def test_seeks_must_rise() -> None:
    document = {"seek_min_ms": 9.0, "seek_avg_ms": 8.0, "seek_max_ms": 15.0}
    assert faults("reliability.replica_placement", document) == {"/seek_max_ms": "not_in_order"}
