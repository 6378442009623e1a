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
