"""Block traces from a file to columns, summary and charts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from capmodels import registry, spec
from capmodels.formats.block_sums import BlockSums
from capmodels.formats.chunks import FileRefused, Requests, cut, in_order
from capmodels.formats.ingest import Ingested, ingest
from capmodels.formats.trace_columns import joined, unpack_requests

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from capmodels.formats.trace_types import BlockRequests

DAY_S = 86_400.0


def _piece(at_s: NDArray[Any], block: NDArray[Any]) -> Requests:
    rows = len(at_s)
    one = np.ones(rows, dtype=np.int64)
    return Requests(
        at_s.astype(np.float64),
        np.zeros(rows, dtype=np.int32),
        block.astype(np.int64) * 8,
        one * 4096,
        one < 0,
        np.full(rows, np.nan),
    )


def _read(data: bytes, name: str = "x") -> tuple[Ingested, BlockRequests]:
    kept: list[bytes] = []
    found = ingest(iter([data]), kept.append, name)
    return found, joined(map(unpack_requests, kept))


def sums_of(pieces: Iterable[Requests]) -> BlockSums:
    found = BlockSums()
    for piece in pieces:
        found.add(piece)
    return found


def test_a_request_touches_its_blocks_once_a_day() -> None:
    # The same 100 blocks on each of three days, 50 more on the second one.
    days = [np.arange(100), np.arange(150), np.arange(100)]
    pieces = [
        _piece(np.linspace(day * DAY_S, day * DAY_S + 1000, len(blocks)), blocks)
        for day, blocks in enumerate(days)
    ]
    found = sums_of(pieces)
    assert found.footprint_is_exact
    assert found.footprint_bytes == 150 * 4096
    assert found.day_footprints_bytes() == [100 * 4096, 150 * 4096, 100 * 4096]


def test_a_large_footprint_is_estimated_from_a_sample() -> None:
    blocks = np.random.default_rng(11).permutation(3_000_000)
    found = BlockSums()
    for part in np.array_split(blocks, 30):
        found.add(_piece(np.zeros(len(part)), part))
    assert not found.footprint_is_exact
    # Wegman's sampling of at least half a million blocks: 1.2 / sqrt(500,000) is 0.17%.
    assert found.footprint_bytes == pytest.approx(3_000_000 * 4096, rel=0.007)
    assert found.day_footprints_bytes()[0] == pytest.approx(3_000_000 * 4096, rel=0.007)


@pytest.mark.decisive
def test_evenly_spaced_requests_are_not_bursty_and_pairs_are() -> None:
    even = sums_of([_piece(np.arange(20_000) / 100, np.arange(20_000))])
    assert even.gap_cv_ratio == pytest.approx(0.0, abs=1e-6)
    assert even.dispersion_ratio == pytest.approx(0.0, abs=1e-3)
    # Pairs at the same instant: half of the gaps are 0, so the variation is 1.
    pairs = sums_of([_piece(np.repeat(np.arange(10_000) / 50, 2), np.arange(20_000))])
    assert pairs.gap_cv_ratio == pytest.approx(1.0, rel=1e-3)
    assert pairs.gap_quantile_s(0.99) == pytest.approx(0.02, rel=0.19)
    assert pairs.idle_fraction(0.001) == pytest.approx(1.0)


def test_poisson_counts_vary_as_their_mean() -> None:
    at_s = np.cumsum(np.random.default_rng(2).exponential(0.01, 200_000))
    found = sums_of([_piece(at_s, np.arange(200_000) % 1000)])
    assert found.dispersion_ratio == pytest.approx(1.0, abs=0.1)


def test_requests_by_completion_are_put_in_order() -> None:
    at_s = np.arange(1000) / 10
    order = np.arange(1000).reshape(-1, 10)[:, ::-1].reshape(-1)
    shuffled = _piece(at_s[order], order)
    pieces = [cut(shuffled, i, i + 70) for i in range(0, 1000, 70)]
    found = np.concatenate([piece.sector for piece in in_order(pieces)])
    np.testing.assert_array_equal(found, np.arange(1000) * 8)


def test_msr_times_begin_at_zero_and_keep_their_responses() -> None:
    ticks = 128166372003061629
    rows = [
        f"{ticks + i * 10_000_000},usr,{i % 2},Read,{i * 4096},4096,{500 + i}" for i in range(9)
    ]
    found, kept = _read("\n".join(rows).encode())
    assert (found.kind, found.format, found.rows_count) == ("block", "msr", 9)
    np.testing.assert_allclose(kept.time_s, np.arange(9), atol=1e-5)
    assert kept.device.tolist() == [i % 2 for i in range(9)]
    assert kept.response_s is not None
    np.testing.assert_allclose(kept.response_s, (500 + np.arange(9)) / 1e7, rtol=1e-6)
    assert found.summary["devices_count"] == 2
    assert found.charts["responses"]["fraction"][-1] == 1.0


def test_the_charts_add_up() -> None:
    rows = [f"0,{i * 8},{4096 << (i % 3)},{'RW'[i % 2]},{i / 100}" for i in range(600)]
    charts = _read("\n".join(rows).encode())[0].charts
    rate = charts["rate"]
    total = sum(rate["reads_per_s"]) + sum(rate["writes_per_s"])
    assert total * rate["step_s"] == pytest.approx(600)
    assert charts["sizes"]["upto_bytes"] == [4096, 8192, 16384]
    assert charts["sizes"]["requests_count"] == [200, 200, 200]
    assert charts["footprint"]["day_bytes"] == [
        _read("\n".join(rows).encode())[0].summary["footprint_bytes"]
    ]


def test_a_fio_log_has_times_but_no_places() -> None:
    data = b"1, 74139, 0, 4096\n3, 81000, 1, 4096\n9, 99000, 0, 4096\n"
    found, _ = _read(data, "job_clat.1.log")
    assert (found.kind, found.rows_count) == ("latency", 3)
    assert "footprint_bytes" not in found.summary
    assert found.summary["response"]["mean_s"] == pytest.approx((74139 + 81000 + 99000) / 3e9)
    averages, _ = _read(data.replace(b"4096", b"0"), "job_clat.1.log")
    assert "size_mean_bytes" not in averages.summary
    assert "sizes" not in averages.charts
    with pytest.raises(FileRefused, match="rates over time"):
        _read(data, "job_bw.1.log")


def test_measured_points_of_fio() -> None:
    data = (
        b'{"fio version": "fio-3.1", "jobs": [{"jobname": "a", "job options": {"bs": "4k"},'
        b' "read": {"total_ios": 5, "iops": 123.5, "lat_ns": {"mean": 8e6},'
        b' "clat_ns": {"percentile": {"99.000000": 9000000}}}}]}'
    )
    found, _ = _read(data)
    (point,) = found.charts["points"]
    assert (found.kind, point["iops_per_s"], point["p99_ms"]) == ("latency", 123.5, 9.0)


def _fio(depth: int, mean_ns: float, bs: str = "4k", way: str = "randread") -> str:
    side = way.removeprefix("rand")
    return (
        f'{{"jobname": "d{depth}", "job options": {{"bs": "{bs}", "iodepth": "{depth}"}}, '
        f'"{side}": '
        f'{{"total_ios": 5, "iops": {depth * 1e9 / mean_ns}, "lat_ns": {{"mean": {mean_ns}}}, '
        f'"clat_ns": {{"percentile": {{"50.000000": {mean_ns}}}}}}}}}'
    )


def test_fio_s_points_are_the_rows_of_a_calibration() -> None:
    jobs = [
        _fio(1, 1e5),
        _fio(8, 1e5),
        _fio(32, 4e5),
        _fio(1, 2e5, "128k"),
        _fio(1, 3e4, way="write"),
    ]
    data = f'{{"fio version": "fio-3.1", "jobs": [{", ".join(jobs)}]}}'.encode()
    found, _ = _read(data)
    first, second = found.charts["calibrations"]
    assert (first["size_bytes"], second["size_bytes"]) == (4096, 131_072)
    model = registry.get_model("storage.calibrate_drive")
    fitted = spec.evaluate(model, first)
    # Eight requests at once, 0.1 ms each: 0.4 ms with 32 outstanding.
    assert fitted.channels_count == 8
    assert fitted.read_service_ms == pytest.approx(0.1)
    assert fitted.depth_demerit_fraction == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(
    "text",
    [
        '{"fio version": "3", "jobs": 5}',
        '{"fio version": "3", "jobs": [5]}',
        '{"fio version": "3", "jobs": [{"read": {"iops": "NaN", "total_ios": 1}}]}',
        '{"fio version": "3", "jobs": [{"read": {"iops": 1e999, "total_ios": 1}}]}',
        '{"fio version": "3", "jobs": [{"job options": {"bs": "big"}, "read": {"iops": 1}}]}',
        '{"fio version": "3", "jobs": [{"job options": {"iodepth": "-4"}, "read": {"iops": 1}}]}',
        '{"fio version": "3", "jobs": [{"read": {"iops": 1}',
        '{"fio version": "3", "jobs": []}',
    ],
)
def test_a_damaged_fio_file_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(FileRefused, match=r"fio"):
        _read(text.encode())
