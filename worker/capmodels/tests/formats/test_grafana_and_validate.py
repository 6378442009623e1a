"""Grafana's wide tables, DiskSim's validate format and fio's logs, on generated files."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capmodels.formats.chunks import FileRefused, Report
from capmodels.formats.registry import read, sniff

ALWAYS_THE_SAME = settings(deadline=None, derandomize=True)
MACHINES = st.lists(
    st.text("abcdefgh-.0123", min_size=2, max_size=12).filter(lambda t: t[0].isalpha()),
    min_size=1, max_size=6, unique=True,
)  # fmt: skip


def _at(step: int, form: str) -> str:
    at = 1_750_000_000 + 60 * step
    when = datetime.fromtimestamp(at, tz=UTC)
    return {
        "text": when.strftime("%Y-%m-%d %H:%M:%S"),
        "iso": when.isoformat(),
        "ms": str(at * 1000),
        "s": str(at),
    }[form]


@st.composite
def tables(draw: st.DrawFn) -> tuple[str, list[str], list[list[float]]]:
    machines, form = draw(MACHINES), draw(st.sampled_from(["text", "iso", "ms", "s"]))
    unit = draw(st.sampled_from(["%", " %", "plain", "share"]))
    cut, quote = draw(st.sampled_from([",", ";"])), draw(st.booleans())
    end = draw(st.sampled_from(["\n", "\r\n"]))
    values = draw(
        st.lists(
            st.lists(
                st.integers(0, 100), min_size=len(machines), max_size=len(machines)
            ),
            min_size=2, max_size=12,
        )
    )  # fmt: skip
    values[0][0] = 57

    def cell(value: int) -> str:
        if value == 13:
            return ""
        if unit == "share":
            return f"{value / 100:.2f}"
        text = str(value)
        return f'"{text}{unit}"' if unit != "plain" and quote else text + unit.replace("plain", "")

    names = [f'"{name}"' if quote else name for name in ["Time", *machines]]
    lines = ["sep=" + cut] if draw(st.booleans()) else []
    lines.append(cut.join(names))
    lines += [cut.join([_at(i, form), *map(cell, row)]) for i, row in enumerate(values)]
    found = [[math.nan if v == 13 else v / 100 for v in row] for row in values]
    return end.join(lines) + end, machines, found


@ALWAYS_THE_SAME
@given(tables())
def test_wide_tables_of_any_kind_are_read(table: tuple[str, list[str], list[list[float]]]) -> None:
    text, machines, values = table
    data = text.encode()
    assert sniff(data).name == "grafana"
    report = Report()
    found = list(read(iter([data]), report, "file.csv"))
    assert report.faults_count == 0
    assert [sample.name for sample in found[: len(machines)]] == machines
    seen = np.array([sample.cpu_fraction for sample in found]).reshape(-1, len(machines))
    assert seen == pytest.approx(np.array(values), nan_ok=True)
    assert found[-1].at_s == pytest.approx(1_750_000_000 + 60 * (len(values) - 1))


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("time,cpu,mem\n1,20,30\n2,30,40\n", "generic_csv"),
        ("timestamp,value\n2024-01-01T00:00:00Z,3\n2024-01-01T00:05:00Z,4\n", "cloudwatch"),
        ("Time,host1 cpu,host2 cpu\n1,20,30\n2,30,40\n", "grafana"),
    ],
)
def test_tables_whose_names_say_what_they_hold_stay_what_they_were(text: str, form: str) -> None:
    assert sniff(text.encode()).name == form


@pytest.mark.decisive
def test_a_bad_cell_is_a_fault_at_its_line() -> None:
    good = "".join(f"{1700000000 + i},1,2\n" for i in range(10))
    text = f"Time,a,b\n{good}1700000060,x,4\nnever,5,6\n"
    report = Report()
    found = list(read(iter([text.encode()]), report, "f.csv"))
    assert [(s.name, s.cpu_fraction) for s in found[19:]] == [("b", 0.02), ("b", 0.04)]
    assert [fault.line for fault in report.faults] == [12, 13]


@ALWAYS_THE_SAME
@given(
    st.lists(
        st.tuples(
            st.sampled_from("RWrw"), st.sampled_from(["Hit", "Miss", "Doub", "Trip"]),
            st.integers(0, 10**8), st.integers(1, 256), st.integers(100, 90_000),
            st.integers(0, 300_000),
        ),
        min_size=3, max_size=60,
    ),
    st.integers(1, 40),
)  # fmt: skip
def test_measured_requests_come_one_after_another(rows: list[Any], cut: int) -> None:
    text = "".join(f"{r} {h} {b} {s}  {t}.5 {p}.25\n" for r, h, b, s, t, p in rows).encode()
    assert sniff(text).name == "disksim_validate"
    chunks = [text[i : i + cut * 7] for i in range(0, len(text), cut * 7)]
    report = Report()
    pieces = list(read(iter(chunks), report))
    at = np.concatenate([piece.at_s for piece in pieces])
    took = np.concatenate([piece.response_s for piece in pieces])
    expected = np.cumsum([0.0, *((t + 0.5 + p + 0.25) / 1e6 for *_x, t, p in rows)])[:-1]
    assert report.faults_count == 0
    assert at == pytest.approx(expected)
    assert took == pytest.approx([(row[4] + 0.5) / 1e6 for row in rows])
    assert np.concatenate([p.write for p in pieces]).tolist() == [r[0] in "Ww" for r in rows]
    assert np.concatenate([p.sector for p in pieces]).tolist() == [r[2] for r in rows]
    assert np.concatenate([p.size_bytes for p in pieces]).tolist() == [512 * r[3] for r in rows]


@ALWAYS_THE_SAME
@given(
    st.lists(
        st.tuples(st.integers(0, 5000), st.integers(1000, 10**9), st.sampled_from([0, 1, 2]),
                  st.sampled_from([512, 4096, 131_072])),
        min_size=3, max_size=40,
    ),
    st.sampled_from(["", ", 0", ", 1", ", 0x2004", ", 0, 0", ", 0, 0x4002, 1718000000123"]),
    st.sampled_from(["\n", "\r\n"]),
)  # fmt: skip
def test_logs_of_fio_of_any_version_are_read(rows: list[Any], rest: str, end: str) -> None:
    rows = sorted(rows)
    text = "".join(f"{a}, {b}, {c}, {d}{rest}{end}" for a, b, c, d in rows).encode()
    assert sniff(text).name == "fio_log"
    report = Report()
    pieces = list(read(iter([text]), report, "f_lat.1.log"))
    assert report.faults_count == 0
    kept = [row for row in rows if row[2] != 2]
    took = np.concatenate([piece.response_s for piece in pieces])
    # Trims are neither reads nor writes.
    assert took == pytest.approx([row[1] / 1e9 for row in kept])
    assert np.concatenate([p.write for p in pieces]).tolist() == [row[2] == 1 for row in kept]
    assert np.concatenate([p.size_bytes for p in pieces]).tolist() == [row[3] for row in kept]


@ALWAYS_THE_SAME
@given(
    st.lists(
        st.tuples(st.integers(0, 10**6), st.integers(1000, 10**9), st.sampled_from([0, 1, 2]),
                  st.integers(0, 10**9)),
        min_size=3, max_size=40,
    ),
    st.sampled_from(["", ", 0", ", 0x2004", ", 1, 1718000000123"]),
)  # fmt: skip
def test_logs_of_fio_with_offsets_say_where_requests_go(rows: list[Any], rest: str) -> None:
    rows = [(50, 1000, 0, 8), *sorted(rows)]
    text = "".join(f"{a}, {b}, {c}, 4096, {d * 512}{rest}\n" for a, b, c, d in rows).encode()
    assert sniff(text).name == "fio_offsets"
    report = Report()
    pieces = list(read(iter([text]), report, "f_clat.1.log"))
    kept = [row for row in rows if row[2] != 2]
    assert report.faults_count == 0
    assert np.concatenate([p.sector for p in pieces]).tolist() == [row[3] for row in kept]
    # An entry is made when its request is done.
    at = np.concatenate([piece.at_s for piece in pieces])
    assert at == pytest.approx([row[0] / 1e3 - row[1] / 1e9 for row in kept])
    with pytest.raises(FileRefused, match="times of submission"):
        list(read(iter([text]), report, "f_slat.1.log"))
