"""FS2: the policy's rules, and what replicas do to repeated reads."""

from __future__ import annotations

import pytest

from capmodels import registry, spec
from capmodels.storage.fs2_policy import BLOCK_SECTORS, Replica, Replicator

DISK_BLOCKS = 1_000_000


def _layer(free: float = 0.4) -> Replicator:
    return Replicator(
        disk_sectors=DISK_BLOCKS * BLOCK_SECTORS, region_blocks=10_000, free_fraction=free
    )


def _read_blocks(layer: Replicator, blocks: list[int], head: int = 0) -> list[int]:
    return [layer.read(block * BLOCK_SECTORS, BLOCK_SECTORS, head) for block in blocks]


def _with_far_replicas() -> Replicator:
    """Blocks 500,000 to 500,003 have been copied into the hot region 0."""
    layer = _layer()
    _read_blocks(layer, [10] * 50 + [500_000, 500_001, 500_002, 500_003])
    assert layer.end_epoch() == 4
    return layer


def test_reads_far_from_the_hot_region_are_copied_in_their_order() -> None:
    layer = _layer()
    _read_blocks(layer, [10] * 50 + [700_000, 500_000, 600_000])
    layer.end_epoch()
    places = [layer.replicas[block].place for block in (700_000, 500_000, 600_000)]
    assert places == [6_000, 6_001, 6_002]
    assert 10 not in layer.replicas


def test_check_20_a_request_is_moved_whole_or_not_at_all() -> None:
    layer = _with_far_replicas()
    sector = 500_000 * BLOCK_SECTORS
    assert layer.read(sector, 4 * BLOCK_SECTORS, 0) == 6_000 * BLOCK_SECTORS
    assert layer.read(sector, 5 * BLOCK_SECTORS, 0) == sector
    layer.replicas[500_002] = Replica(place=9_000, region=0)
    assert layer.read(sector, 4 * BLOCK_SECTORS, 0) == sector


def test_the_nearer_copy_is_read() -> None:
    layer = _with_far_replicas()
    sector = 500_000 * BLOCK_SECTORS
    assert layer.read(sector, BLOCK_SECTORS, sector + 80) == sector


def test_check_20_a_write_makes_replicas_invalid() -> None:
    layer = _with_far_replicas()
    layer.write(500_001 * BLOCK_SECTORS, BLOCK_SECTORS)
    assert sorted(layer.replicas) == [500_000, 500_002, 500_003]
    assert layer.read(500_001 * BLOCK_SECTORS, BLOCK_SECTORS, 0) == 500_001 * BLOCK_SECTORS


def test_check_20_watermarks() -> None:
    layer = _with_far_replicas()
    for block in range(500_000, 500_003):
        _read_blocks(layer, [block])
    free_blocks = 400_000 - 4
    layer.occupy(free_blocks - 99_999)
    # 9.9999% free: the coldest replica goes, which is enough.
    assert sorted(layer.replicas) == [500_000, 500_001, 500_002]
    assert layer.free_share() == pytest.approx(0.10)
    layer.occupy(51_000)
    # 4.9% free: whole regions go.
    assert layer.free_share() < 0.05
    assert not layer.replicas
    assert layer.suspended
    layer.occupy(-71_000)
    assert layer.free_share() == pytest.approx(0.12, abs=0.0001)
    _read_blocks(layer, [10] * 50 + [800_000])
    assert layer.end_epoch() == 0
    layer.occupy(-30_000)
    assert layer.free_share() == pytest.approx(0.15, abs=0.0001)
    _read_blocks(layer, [10] * 50 + [800_000])
    assert layer.end_epoch() == 1


def test_a_repeated_run_over_two_regions_becomes_faster() -> None:
    layer = spec.evaluate(registry.get_model("storage.fs2_layer"), {})
    first, last = layer.runs[0], layer.runs[-1]
    assert first.hit_fraction == 0
    assert last.hit_fraction > 0.5
    # The thesis: T_s down 37-78%, T_r 31-68%, energy per access 40-71%.
    assert last.seek_ms < 0.63 * first.seek_ms
    assert last.rotation_ms < 0.69 * first.rotation_ms
    assert last.energy_j < 0.6 * first.energy_j


def test_random_reads_gain_nothing() -> None:
    result = spec.evaluate(registry.get_model("storage.fs2_layer"), {"repeat_fraction": 0.0})
    assert result.runs[-1].seek_ms > 0.9 * result.runs[0].seek_ms


def test_a_full_disk_gets_no_replicas() -> None:
    result = spec.evaluate(registry.get_model("storage.fs2_layer"), {"free_fraction": 0.08})
    assert result.suspended
    assert result.replicas_count == 0
