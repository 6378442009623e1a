"""Parsers of block traces: by content, packed or not, in any pieces, with faults by line."""

from __future__ import annotations

import gzip
import math
import os
import struct
from pathlib import Path

import numpy as np
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from capmodels.formats import fio_json, registry
from capmodels.formats.block_sums import BlockSums
from capmodels.formats.chunks import FileRefused, Report, Requests
from capmodels.tests.formats.test_ingest_block import sums_of

SPC = b"0,657728,8192,R,0.011413\n1,20939840,4096,W,0.011436\n0,657744,8192,r,0.026214\n"
MSR = (
    b"128172299571726563,prxy,0,Write,1105182720,512,2072\n"
    b"128172299572726563,prxy,1,Read,1105183232,4096,1000\n"
)
DISKSIM = b"0.841280\t0\t100488819\t11\t1\n11.286345\t3\t21478932\t16\tc\n"
FIVE = b"0.000 0 200626176 4096 0\n223.412 1 3159347200 36864 1\n"
BLKPARSE = b"""  8,64  11     2944    33.779658276 90790  Q   W 7614344 + 24 [fio]
  8,64  11     2946    33.779660124 90790  P   N [fio]
  8,64  11     2949    33.779662409 90790  D   W 7614344 + 24 [fio]
  8,64  11     2950    33.791580458     0  C   W 7614344 + 24 [0]
  8,64  11     2951    33.800000000 90790  D   R 100 + 8 [fio]
  8,64  11     2952    33.801000000     0  C   R 100 + 8 [0]
CPU0 (sde):
 Reads Queued:           0,        0KiB  Writes Queued:         195,   29,228KiB
"""
VSCSI_1 = b"".join(
    struct.pack("<IIIHHQQ", i, 4096, 1, (0x28, 0x2A)[i % 2], 0x0100, 8 * i, 1000 * i)
    for i in range(5)
)
VSCSI_2 = b"".join(
    struct.pack("<HHIIIQQQ", (0x28, 0x2A)[i % 2], 0x0200, i, 4096, 1, 8 * i, 1000 * i, 250)
    for i in range(5)
)
FIO_LOG = b"1767, 74139269, 1, 0\n3618, 1925227518, 0, 4096\n"


def _read(data: bytes, piece: int = 1 << 20) -> tuple[Requests, Report]:
    report = Report()
    chunks = [data[i : i + piece] for i in range(0, len(data), piece)]
    found = list(registry.read(chunks, report))
    columns = (np.concatenate(column) for column in zip(*found, strict=True))
    return Requests(*columns), report


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (SPC, "spc"),
        (MSR, "msr"),
        (DISKSIM, "disksim"),
        (FIVE, "five_columns"),
        (BLKPARSE, "blkparse"),
        (VSCSI_1, "vscsi1"),
        (VSCSI_2, "vscsi2"),
        (FIO_LOG, "fio_log"),
    ],
)
def test_a_file_is_known_by_its_content(data: bytes, kind: str) -> None:
    assert registry.sniff(data).name == kind


@pytest.mark.parametrize("data", [b"hello\nworld\n", b"a,b,c\n1,2,3\n", b"\0" * 64])
def test_other_files_are_refused(data: bytes) -> None:
    with pytest.raises(FileRefused):
        list(registry.read([data], Report()))


def test_spc_columns() -> None:
    found, report = _read(SPC)
    assert found.at_s.tolist() == [0.011413, 0.011436, 0.026214]
    assert found.device.tolist() == [0, 1, 0]
    assert found.sector.tolist() == [657728, 20939840, 657744]
    assert found.size_bytes.tolist() == [8192, 4096, 8192]
    assert found.write.tolist() == [False, True, False]
    assert report.faults_count == 0


@pytest.mark.decisive
def test_msr_ticks_are_100_ns_and_offsets_bytes() -> None:
    found, _report = _read(MSR)
    assert found.at_s[1] - found.at_s[0] == pytest.approx(0.1, abs=1e-5)
    assert found.sector.tolist() == [2158560, 2158561]
    assert found.response_s.tolist() == pytest.approx([2.072e-4, 1e-4])
    assert found.write.tolist() == [True, False]


def test_systor_times_are_seconds_and_rows_without_a_type_are_left_out() -> None:
    rows, report = _read(
        b"Timestamp,Response,IOType,LUN,Offset,Size\n"
        b"1456095145.500000000,0.000210000,W,0,4096000,8192\n"
        b"1456095145.501250000,0.007800000,R,2,8192000,131072\n"
        b"1456095145.502000000,,,2,8192000,131072\n"
        b"1456095145.503000000,0.001000000,R,0,512,512\n"
        b"1456095145.504000000,0.002000000,R,0,1024,512\n"
    )
    assert np.diff(rows.at_s) == pytest.approx([0.00125, 0.00175, 0.001], abs=1e-6)
    assert rows.response_s.tolist() == pytest.approx([0.00021, 0.0078, 0.001, 0.002])
    assert rows.sector.tolist() == [8000, 16000, 1, 2]
    assert rows.device.tolist() == [0, 2, 0, 0]
    assert rows.size_bytes.tolist() == [8192, 131072, 512, 512]
    assert rows.write.tolist() == [True, False, False, False]
    # The request of which neither direction nor response is known.
    assert [fault.line for fault in report.faults] == [4]


def test_disksim_flags_are_hexadecimal_and_bit_0_reads() -> None:
    found, _report = _read(DISKSIM)
    assert found.write.tolist() == [False, True]
    assert found.size_bytes.tolist() == [11 * 512, 16 * 512]


def test_five_columns_in_bytes() -> None:
    found, _report = _read(FIVE)
    assert found.sector.tolist() == [200626176 // 512, 3159347200 // 512]
    assert found.write.tolist() == [True, False]


def test_blkparse_pairs_starts_with_ends_and_passes_the_summary() -> None:
    found, report = _read(BLKPARSE)
    assert found.sector.tolist() == [7614344, 100]
    assert found.size_bytes.tolist() == [24 * 512, 8 * 512]
    assert found.response_s.tolist() == pytest.approx([33.791580458 - 33.779658276, 0.001])
    assert found.write.tolist() == [True, False]
    assert report.faults_count == 0


@pytest.mark.parametrize(("data", "response"), [(VSCSI_1, math.nan), (VSCSI_2, 250e-6)])
def test_vscsi_records(data: bytes, response: float) -> None:
    found, _report = _read(data)
    assert found.sector.tolist() == [0, 8, 16, 24, 32]
    assert found.at_s.tolist() == pytest.approx([0, 0.001, 0.002, 0.003, 0.004])
    assert found.write.tolist() == [False, True, False, True, False]
    assert found.response_s[0] == pytest.approx(response, nan_ok=True)


def test_fio_log_values_are_latencies() -> None:
    found, _report = _read(FIO_LOG)
    assert found.response_s.tolist() == pytest.approx([0.074139269, 1.925227518])
    assert found.write.tolist() == [True, False]


@pytest.mark.parametrize("data", [SPC, MSR, DISKSIM, BLKPARSE, VSCSI_1, VSCSI_2])
@pytest.mark.parametrize("pack", [gzip.compress, zstandard.ZstdCompressor().compress])
def test_packed_files_give_the_same(data: bytes, pack: object) -> None:
    assert callable(pack)
    whole, _ = _read(data)
    packed, _ = _read(pack(data), piece=7)
    for one, two in zip(whole, packed, strict=True):
        np.testing.assert_array_equal(one, two)


def test_two_gzip_members_are_one_file() -> None:
    found, _report = _read(gzip.compress(SPC) + gzip.compress(SPC))
    assert len(found.at_s) == 6


def test_a_gzip_file_that_ends_early_is_refused() -> None:
    with pytest.raises(FileRefused, match="too early"):
        _read(gzip.compress(SPC * 100)[:-20])


@settings(max_examples=40, derandomize=True, deadline=None)
@given(piece=st.integers(1, 90))
def test_the_size_of_the_pieces_does_not_matter(piece: int) -> None:
    for data in (SPC, VSCSI_2, BLKPARSE):
        whole, _ = _read(data)
        cut, _ = _read(data, piece)
        for one, two in zip(whole, cut, strict=True):
            np.testing.assert_array_equal(one, two)


def test_faults_name_their_line_and_the_rest_is_read() -> None:
    data = SPC + b"\n0,abc,8192,R,1.0\n0,1,512\r\n" + b"0,8,512,W,2.5"
    found, report = _read(data)
    assert found.at_s.tolist()[-1] == 2.5
    assert len(found.at_s) == 4
    assert [(fault.line, fault.message) for fault in report.faults] == [
        (5, "The LBA cannot be read."),
        (6, "The opcode is missing."),
    ]


def test_many_faults_are_counted_but_not_kept() -> None:
    report = Report()
    list(registry.read([SPC * 500 + b"0,x,1,R,1\n" * 250], report))
    assert report.faults_count == 250
    assert len(report.faults) == 100


def test_a_cut_record_is_a_fault() -> None:
    found, report = _read(VSCSI_1 + b"\1\2\3")
    assert len(found.at_s) == 5
    assert report.faults[0].line == 6


def test_summary_of_a_made_up_trace() -> None:
    # 1,000 requests, one each 10 ms: every second one follows the one before it.
    lines = [
        b"0,%d,4096,%s,%.2f\n" % ((i // 2) * 1000 + (i % 2) * 8, b"RW"[i % 2 : i % 2 + 1], i / 100)
        for i in range(1000)
    ]
    found = sums_of(registry.read([b"".join(lines)], Report()))
    assert found.requests_count == 1000
    assert found.rate_per_s == pytest.approx(100.0, rel=0.002)
    assert found.read_fraction == 0.5
    assert found.sequential_fraction == 0.5
    assert found.footprint_bytes == 1000 * 4096
    assert found.gap_cv_ratio == pytest.approx(0.0, abs=1e-6)
    assert found.peak_to_mean_ratio == pytest.approx(1.0, rel=0.02)
    assert found.size_quantile_bytes(0.5) == 4096


def test_poisson_arrivals_have_a_variation_of_one() -> None:
    rng = np.random.Generator(np.random.PCG64(1))
    n = 50_000
    at = np.cumsum(rng.standard_exponential(n) * 0.01)
    one = np.ones(n, dtype=np.int64)
    summary = BlockSums()
    for part in np.array_split(np.arange(n), 7):
        summary.add(
            Requests(
                at[part],
                one[part].astype(np.int32),
                one[part] * 8,
                one[part] * 512,
                one[part] > 0,
                at[part],
            )
        )
    assert summary.gap_cv_ratio == pytest.approx(1.0, abs=0.02)
    assert summary.footprint_bytes == 4096


def test_fio_json_after_lines_of_text() -> None:
    data = (
        b'fio: some note\n{"jobs": [{"jobname": "a", "job options": {"bs": "4k", "iodepth": "32"},'
        b' "read": {"total_ios": 5, "iops": 123.5, "bw_bytes": 505856,'
        b' "lat_ns": {"mean": 8000000.0}, "clat_ns": {"percentile": {"50.000000": 7000000}}}}]}'
    )
    (row,) = fio_json.rows(data)
    assert (row.block_bytes, row.queue_depth_count) == (4096, 32)
    assert row.latency_mean_ms == pytest.approx(8.0)
    assert row.percentiles_ms == {50.0: 7.0}
    with pytest.raises(FileRefused):
        fio_json.rows(b"nothing")


def shared_data() -> Path:
    """The folder of files that others measured, which is not part of the project."""
    beside = Path(__file__).parents[5] / "shared" / "data"
    return Path(os.environ.get("AMPACITY_SHARED_DATA", beside))


@pytest.mark.skipif(not shared_data().exists(), reason="needs the folder of measured files")
@pytest.mark.parametrize(
    ("name", "count", "reads"),
    [
        ("block_traces/cloudphysics_113872.vscsi", 113_872, 0.413),
        ("block_traces/msr_window_10k.trace.gz", 10_000, 0.202),
        ("block_traces/disksim_ascii.trace.gz", 100_000, 0.796),
    ],
)
def test_genuine_files(name: str, count: int, reads: float) -> None:
    report = Report()
    with (shared_data() / name).open("rb") as file:
        found = sums_of(registry.read(iter(lambda: file.read(1 << 16), b""), report))
    assert (found.requests_count, report.faults_count) == (count, 0)
    assert found.read_fraction == pytest.approx(reads, abs=0.001)
