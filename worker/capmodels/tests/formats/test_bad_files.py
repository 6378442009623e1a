"""Files that are damaged, senseless or hostile: refused with a sentence, or faulted by line."""

from __future__ import annotations

import gzip
import io
import random
import re
import struct
import zipfile
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
import zstandard

from capmodels.formats import registry
from capmodels.formats.chunks import FileRefused, PackingRefused
from capmodels.formats.ingest import Ingested, ingest

if TYPE_CHECKING:
    from capmodels.formats.trace_format import TraceFormat

# What a number of a file may be replaced by: no digit of it is one that a count or a disk has.
SENSELESS = (
    b"9" * 5000, b"0" * 5000, b"9" * 30, b"1e999", b"nan", b"inf", b"-1", b"-9e18", b"",
    "\N{SUPERSCRIPT TWO}".encode(), "\N{ARABIC-INDIC DIGIT THREE}".encode(), b"0x" + b"f" * 5000,
)  # fmt: skip
NUMBER = re.compile(rb"\d+(?:\.\d+)?")
SPC = b"".join(b"0,%d,4096,R,%.3f\n" % (8 * row, row / 1000) for row in range(3000))
ZSTD = zstandard.ZstdCompressor().compress(SPC)


def read(data: bytes, piece: int = 1 << 20) -> Ingested:
    pieces = (data[at : at + piece] for at in range(0, len(data), piece))
    return ingest(pieces, lambda _piece: None, "a file")


def zipped(data: bytes, *, harm: bool) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("cpu.csv", data)
    whole = bytearray(file.getvalue())
    if harm:
        whole[60:70] = b"\xff" * 10
    return bytes(whole)


def vscsi(**values: int) -> bytes:
    held = {"sn": 1, "len": 4096, "nsg": 1, "cmd": 0x28, "ver": 0x100, "lbn": 8, "ts": 10, **values}
    return struct.pack("<IIIHHQQ", *held.values())


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\xef\xbb\xbf", "is empty"),
        (b" \n\t\n", "is empty"),
        (gzip.compress(b"", mtime=0), "is empty"),
        (gzip.compress(SPC, mtime=0)[:200], "gzip file ends too early"),
        (gzip.compress(SPC, mtime=0)[:-4], "gzip file ends too early"),
        (ZSTD[:4], "zstd file ends too early"),
        (ZSTD[: len(ZSTD) // 2], "zstd file ends too early"),
        (ZSTD[:-1], "zstd file ends too early"),
        (ZSTD + ZSTD[:-1], "zstd file ends too early"),
        (ZSTD[:9] + b"\xff\xff" + ZSTD[11:], "zstd file is damaged"),
        (b"\0" * 4000, "not a vscsi trace"),
        (b"%PDF-1.7\n" + bytes(range(128, 250)) * 20, "This file is a PDF"),
        (b"\x89\x9a\n" + bytes(range(128, 250)) * 20, "not a trace that we know"),
        (b"PAR1\x15\x04" + b"\0" * 4000, "This file is a Parquet file. Traces are taken as text"),
        (b"SQLite format 3\0" + b"\0" * 4000, "an SQLite database"),
        (zipped(b"time,name,cpu\n" + b"0,a,5\n60,b,7\n" * 400, harm=True), "is damaged"),
        (zipped(SPC, harm=False), "cpu.csv does not hold utilisation"),
        (b'{"data": {"resultType": "matrix", "result": 5}}', "as Prometheus writes it"),
        (b'{"data": {"resultType": "x", "result": [{"metric": 5}]}}', "as Prometheus writes it"),
        (b'{"Datapoints": 5}', "as CloudWatch writes it"),
        (b'{"sysstat": {"hosts": 5}}', "as sadf writes it"),
        (b'{"sysstat": 5}', "as sadf writes it"),
    ],
)
@pytest.mark.parametrize("piece", [1 << 20, 7])
def test_a_damaged_file_is_refused_with_a_sentence(data: bytes, says: str, piece: int) -> None:
    with pytest.raises(FileRefused, match=says):
        read(data, piece)


@pytest.mark.slow
def test_frames_of_zstd_follow_each_other() -> None:
    assert read(ZSTD + ZSTD).rows_count == 6000


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"0,1,-4096,R,0.1", "size is none"),
        (b"0,1,9999999999999,R,0.1", "size is none"),
        (b"0,-8,4096,R,0.1", "place lies on no disk"),
        (b"0,9000000000000000000,4096,R,0.1", "LBA is too large"),
        (b"0,9000000000000000,4096,R,0.1", "place lies on no disk"),
        (b"0,nan,4096,R,0.1", "LBA cannot be read"),
        (b"0," + b"9" * 400 + b",4096,R,0.1", "LBA is too large"),
        (b"0,1,4096,R,1e300", "time cannot be read"),
    ],
)
@pytest.mark.decisive
def test_a_value_that_no_disk_has_is_a_fault_at_its_line(line: bytes, says: str) -> None:
    at = SPC.index(b"0,80,")
    found = read(SPC[:at] + b"what is this\n" + line + b"\n" + SPC[at:])
    assert [fault.line for fault in found.faults] == [11, 12]
    assert says in found.faults[1].message
    assert (found.rows_count, found.faults_count) == (3000, 2)


def test_records_beyond_any_disk_are_faults() -> None:
    found = read(vscsi() * 3 + vscsi(lbn=1 << 63) + vscsi() * 2)
    assert (found.rows_count, found.faults_count, found.faults[0].line) == (5, 1, 4)


def test_a_response_below_nothing_is_a_fault() -> None:
    row = b"128166372003061629,usr,0,Read,4096,4096,%d\n"
    found = read(row % 500 + row % -5 + row % 500)
    assert [(fault.line, fault.message) for fault in found.faults] == [
        (2, "The response time is negative.")
    ]


@pytest.mark.parametrize(
    "sector", [b"9" * 30, b"1" * 5000, b"4503599627370497"], ids=["long", "longer", "one too many"]
)
def test_an_event_beyond_any_disk_is_a_fault(sector: bytes) -> None:
    event = b"  8,64  11 %d  33.7%d 90790  %s   W %s + 24 [fio]\n"
    good = b"".join(event % (n, n, action, b"100") for n, action in ((1, b"D"), (2, b"C")))
    bad = b"".join(event % (n, n, action, sector) for n, action in ((3, b"D"), (4, b"C")))
    found = read(good + bad)
    assert (found.rows_count, found.faults_count > 0) == (1, True)


@pytest.mark.parametrize("when", ["1e400", "1e200", "-1e18", "NaN"])
def test_a_time_that_no_clock_says_is_a_fault(when: str) -> None:
    text = (
        '{"data": {"resultType": "matrix", "result": [{"metric": {"__name__": "cpu_percent"}, '
        f'"values": [[0, "5"], [{when}, "6"], [60, "7"]]}}]}}}}'
    )
    found = read(text.encode())
    assert (found.rows_count, found.faults_count) == (2, 1)
    table = f"time,name,cpu\n0,a,5\n{when},a,6\n60,a,7\n"
    assert read(table.encode()).faults[0].line == 3


def test_a_point_of_cloudwatch_that_cannot_be_read_leaves_the_others() -> None:
    text = b'{"MetricDataResults": [{"Id": "m", "Timestamps": ["x", 60], "Values": [1, 2]}]}'
    found = read(text)
    assert (found.rows_count, found.faults_count) == (1, 1)


SAR = """Linux 6.1.0 (db1) \t2026-11-20 \t_x86_64_\t(4 CPU)

12:00:01 AM     CPU     %user   %iowait     %idle
12:10:01 AM     all     10.00      5.00     80.00
12:20:01 AM\t
"""
XML = """<?xml version="1.0" encoding="UTF-8"?>
<sysstat xmlns="https://sysstat.github.io">
<host nodename="db1">
<timestamp date="2026-11-20" time="00:10:01" utc="1" interval="600">
<cpu number="all" user="15.00" iowait="5.00" idle="80.00"/>
<timestamp date="2026-11-20" time="00:2" utc="1" interval="600">
<cpu number="all" user="15.00" iowait="5.00" idle="80.00"/>
"""
PLAIN = "".join(
    f"db1\t600\t{when} UTC\tall\t{figure}\t{value}\n"
    for when in ("2026-11-20 00:10:01", "2026-11-  00:20:01")
    for figure, value in (("%iowait", 5.0), ("%idle", 80.0))
)


@pytest.mark.parametrize(
    ("text", "faults"), [(SAR, 0), (XML, 2), (PLAIN, 1)], ids=["sar", "sadf -x", "sadf -p"]
)
def test_a_row_that_is_cut_off_or_has_no_time_leaves_the_others(text: str, faults: int) -> None:
    found = read(text.encode())
    assert found.faults_count == faults
    assert found.summary["samples_count"] == 1
    assert found.summary["cpu_mean_fraction"] == pytest.approx(0.15)


@pytest.mark.parametrize(
    "text",
    [
        "Time,web-1,web-2\n" + "2026-11-20 00:00:00,undefined,undefined\n" * 3,
        "time,name,watts\n1,a,\n",
    ],
)
def test_a_table_without_a_value_is_refused(text: str) -> None:
    with pytest.raises(FileRefused, match="No sample in this file has a value"):
        read(text.encode())


@pytest.mark.parametrize("value", SENSELESS)
def test_a_file_of_senseless_numbers_is_refused_or_faulted(value: bytes) -> None:
    draw = random.Random(value)
    files = [value * 30, (value + b"\n") * 30, b"a,b,c\n" + (value + b",1,2\n") * 30]
    for form in registry.formats():
        if b"\0" in form.sample:
            continue
        spots = [found.span() for found in NUMBER.finditer(form.sample)]
        start, end = draw.choice(spots)
        files += [NUMBER.sub(value, form.sample), form.sample[:start] + value + form.sample[end:]]
    for file in files:
        with suppress(FileRefused):
            read(file)


def refusal_of(data: bytes) -> str | None:
    try:
        ingest([data], lambda _piece: None)
    except FileRefused as refused:
        return str(refused)
    return None


@pytest.mark.parametrize("form", registry.formats(), ids=lambda form: form.name)
def test_a_file_refused_shows_how_one_of_its_kind_begins(form: TraceFormat) -> None:
    """Of every format, cut off anywhere, or with words for its digits."""
    cut = [form.sample[:end] for end in range(1, len(form.sample), 11)]
    for data in [b"", *cut, re.sub(rb"[0-9]", b"x", form.sample)]:
        said = refusal_of(data)
        assert said is None or re.search(r"Example of [^“]+: (“.+”|a binary file)\.$", said)


def test_what_a_file_is_packed_in_has_no_example_of_lines() -> None:
    with pytest.raises(PackingRefused, match=r"^The gzip file ends too early\.$"):
        ingest([gzip.compress(b"time,name,cpu\n")[:-6]], lambda _piece: None)
