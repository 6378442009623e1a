"""The model of repeated runs on a disk with copies in free space."""

from __future__ import annotations

import pytest

from capmodels import registry, spec

pytestmark = pytest.mark.slow

MODEL = registry.get_model("storage.fs2_layer")


def test_a_repeated_run_over_two_regions_becomes_faster() -> None:
    layer = spec.evaluate(MODEL, {})
    first, last = layer.runs[0], layer.runs[-1]
    assert first.hit_fraction == 0
    assert last.hit_fraction > 0.5
    # The thesis: T_s down 37-78%, T_r 31-68%, energy per access 40-71%.
    assert last.seek_ms < 0.63 * first.seek_ms
    assert last.rotation_ms < 0.69 * first.rotation_ms
    assert last.energy_j < 0.6 * first.energy_j


def test_random_reads_gain_nothing() -> None:
    result = spec.evaluate(MODEL, {"repeat_fraction": 0.0})
    assert result.runs[-1].seek_ms > 0.9 * result.runs[0].seek_ms


def test_a_full_disk_gets_no_replicas() -> None:
    result = spec.evaluate(MODEL, {"free_fraction": 0.08})
    assert result.suspended
    assert result.replicas_count == 0


@pytest.mark.decisive
def test_how_much_free_space_is_enough_is_one_answer() -> None:
    """Below the watermark of 10% nothing is copied; above it all that is repeated."""
    result = spec.evaluate(MODEL, {})
    saved = {one.free_fraction: one.energy_saved_fraction for one in result.by_free}
    assert max(saved[free] for free in (0.05, 0.08, 0.1)) == pytest.approx(0.0, abs=0.02)
    assert min(saved[free] for free in (0.12, 0.15, 0.2, 0.3, 0.5)) > 0.6
    assert result.headline.startswith("**12% of free space is enough**: copies then save ")
    assert "; 10% saves " in result.headline
    (table,) = result.tables
    assert [row.is_best for row in table.rows] == [row.head == "12%" for row in table.rows]
    # The answer of the disk as entered is among them.
    own = spec.evaluate(MODEL, {"free_fraction": 0.2, "compared_free_fraction": [0.2]})
    assert own.by_free[0].energy_j == own.runs[-1].energy_j


def test_free_space_brings_nothing_to_reads_that_do_not_repeat() -> None:
    result = spec.evaluate(MODEL, {"repeat_fraction": 0.0})
    assert result.headline.startswith("**Free space brings nothing here**: 0% of the reads repeat")
    assert not result.figures
