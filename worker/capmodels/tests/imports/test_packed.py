"""Archives of one table, whole or in parts."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.formats.chunks import FileRefused
from capmodels.imports import focus, quote
from capmodels.imports.packed import unpacked
from capmodels.imports.registry import opened, recognised

if TYPE_CHECKING:
    from pathlib import Path


def zipped(files: dict[str, bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            # a date of its own, so that the bytes are the same every time
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return held.getvalue()


def tarred(files: dict[str, bytes]) -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w") as archive:
        for name, data in files.items():
            about = tarfile.TarInfo(name)
            about.size = len(data)
            archive.addfile(about, io.BytesIO(data))
    return held.getvalue()


def read(path: Path, data: bytes) -> dict[str, Any]:
    file = path / "file"
    file.write_bytes(data)
    found = opened(unpacked(file))
    preview: dict[str, Any] = recognised(found.columns).read(found, lambda _share, _said: None)
    return preview


@pytest.mark.parametrize("pack", [zipped, tarred])
@pytest.mark.parametrize("ending", [b"\n", b""])
def test_parts_of_a_bill_add_up_to_it(pack: Any, ending: bytes, tmp_path: Path) -> None:
    whole = focus.IMPORTER.sample()
    head, *rows = whole.strip().split(b"\n")
    parts = {
        "bill/part-0.csv": b"\n".join([head, *rows[:2]]) + ending,
        "__MACOSX/._part-0.csv": b"junk",
        "bill/part-1.csv.gz": gzip.compress(b"\n".join([head, *rows[2:]]) + ending),
    }
    assert read(tmp_path, pack(parts))["totals"] == read(tmp_path, whole)["totals"]


def test_one_file_of_any_kind_is_unpacked(tmp_path: Path) -> None:
    assert read(tmp_path, zipped({"a.csv": focus.IMPORTER.sample()})) == read(
        tmp_path, focus.IMPORTER.sample()
    )
    assert read(tmp_path, zipped({"quote.xlsx": quote.sample()})) == read(tmp_path, quote.sample())
    assert unpacked(tmp_path / "file").read_bytes() == quote.sample()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (
            zipped({"a.csv": b"x,y\n1,2\n", "b.csv": b"z,y\n1,2\n"}),
            r"a\.csv and b\.csv",
        ),
        (zipped({}), "holds no file"),
        (zipped({".hidden": b"x"}), "holds no file"),
        (zipped({"a.csv": b"x,y\n" * 999})[:90], "damaged"),
    ],
    ids=["two tables", "empty", "nothing but hidden files", "cut off"],
)
def test_archives_that_are_no_one_table_are_refused(data: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)
    with pytest.raises(FileRefused, match=said):
        opened(unpacked(path))
