"""Every importer stands in the list once, knows its own sample, and drafts a study from it."""

from __future__ import annotations

import io
import random
import re
import zipfile
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.errors import ModelError
from capmodels.formats.chunks import FileRefused
from capmodels.imports.registry import (
    IMPORTER_MODULES,
    Options,
    importer_of,
    importers,
    opened,
    read_with,
    recognised,
)
from capmodels.tests.formats.test_bad_files import NUMBER, SENSELESS

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    "item", [item for item in importers() if item.is_workbook], ids=lambda item: item.id
)
def test_a_sample_is_the_same_at_any_time(item: Any) -> None:
    with zipfile.ZipFile(io.BytesIO(item.sample())) as archive:
        dates = {part.date_time for part in archive.infolist()}
        told = re.findall(r">(\d{4}-\d\d-\d\dT[^<]*)<", archive.read("docProps/core.xml").decode())
    assert dates == {(1980, 1, 1, 0, 0, 0)}
    assert told == ["1980-01-01T00:00:00Z"] * 2


def test_every_importer_stands_in_the_list_once() -> None:
    assert len({item.id for item in importers()}) == len(importers())
    assert len(set(IMPORTER_MODULES)) == len(IMPORTER_MODULES)


@pytest.mark.parametrize("item", importers(), ids=lambda item: item.id)
def test_a_sample_is_known_read_and_drafted(item: Any, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(item.sample())
    file = opened(path)
    assert recognised(file.columns) is importer_of(item.id) is item
    preview = item.read(file, lambda _share, _said: None)
    assert preview["headline"].endswith(".")
    assert preview["faults_count"] == 0
    options = Options(file_name="sample", as_of="2026-10-01", per_usd=0.92)
    drafted = item.draft(preview, options)
    if item.makes == "quote":
        assert drafted.entry is not None
        return
    if item.makes == "prices":
        assert drafted.prices
        return
    if item.makes == "servers":
        assert drafted.entries
        return
    if item.makes == "assumptions":
        assert drafted.assumptions
        assert {pointer.split("/")[1] for pointer in drafted.assumed_from} == set(
            drafted.assumptions
        )
        return
    assert len(drafted.workload) > 1
    assert set(drafted.provenance) == {f"/{name}" for name in drafted.workload if name != "kind"}


def test_a_table_of_no_known_kind_says_what_there_is(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"name,age\nAda,36\n")
    with pytest.raises(FileRefused, match=r"names age, name.*Cloud bill in FOCUS.*RVTools"):
        recognised(opened(path).columns)


@pytest.mark.parametrize("item", importers(), ids=lambda item: item.id)
def test_a_senseless_number_in_a_sample_is_a_fault_or_refused(item: Any, tmp_path: Path) -> None:
    sample, path, draw = item.sample(), tmp_path / "file", random.Random(item.id)
    if sample.startswith(b"PK"):
        return
    spots = [found.span() for found in NUMBER.finditer(sample)]
    for value in draw.sample(SENSELESS, 4):
        start, end = draw.choice(spots)
        path.write_bytes(sample[:start] + value + sample[end:])
        with suppress(FileRefused, ModelError):
            file = opened(path)
            preview = recognised(file.columns).read(file, lambda _share, _said: None)
            assert preview["headline"]


# Of price lists a cell that only describes a type may be blank, as it often is.
_DESCRIBES = frozenset(("aws_offer", "aws_price_csv", "price_table"))
_FIGURE = re.compile(rb"(?<=[,;|\"])-?\d+(\.\d+)?(?=[,;|\"\n]|$)")


@pytest.mark.parametrize(
    "item", [one for one in importers() if one.id not in _DESCRIBES], ids=lambda item: item.id
)
@pytest.mark.decisive
def test_no_row_of_a_file_is_lost_without_a_word(item: Any, tmp_path: Path) -> None:
    sample, path = item.sample(), tmp_path / "file"
    if sample.startswith(b"PK"):
        return

    def read(data: bytes) -> Any:
        path.write_bytes(data)
        file = opened(path)
        assert recognised(file.columns) is item
        return read_with(item, file, lambda _share, _said: None)

    whole, lines = read(sample), sample.split(b"\n")
    for at, line in enumerate(lines):
        wrong = _FIGURE.sub(b"x", line)
        if wrong == line:
            continue
        with suppress(FileRefused, ModelError):
            found = read(b"\n".join([*lines[:at], wrong, *lines[at + 1 :]]))
            is_unknown_told = len(found["notes"]) > len(whole["notes"])
            assert found == whole or found["faults_count"] or is_unknown_told, line
