"""Packed files are unpacked a little at a time, up to a limit, and lines have to end."""

from __future__ import annotations

import gzip
import io
import tarfile

import pytest
import zstandard

from capmodels.formats import chunks
from capmodels.formats.chunks import FileRefused, plain
from capmodels.formats.ingest import Ingested, ingest

ZEROS = b"\0" * (128 << 20)
HEADS = {
    "block": b"0,0,4096,R,0.0\n" * 8000,
    "blkparse": b"  8,0    1        1     0.000000000   697  Q   R 223490 + 8 [kjournald]\n" * 2000,
    "utilization": b"timestamp,machine,cpu\n" + b"60,m1,5\n" * 9000,
    "fleet": b"date,serial_number,model,capacity_bytes,failure\n"
    + b"2020-01-01,A,M,1000,0\n" * 4000,
}


def read(data: bytes) -> Ingested:
    return ingest([data], lambda _piece: None, "a file")


def packed(data: bytes, kind: str) -> bytes:
    return zstandard.ZstdCompressor().compress(data) if kind == "zstd" else gzip.compress(data, 1)


@pytest.mark.parametrize("kind", ["zstd", "gzip"])
def test_a_small_file_that_unpacks_to_much_comes_in_small_pieces(kind: str) -> None:
    bomb = packed(ZEROS, kind)
    assert len(bomb) < 1_000_000
    sizes = [len(piece) for piece in plain([bomb])]
    assert sum(sizes) == len(ZEROS)
    assert max(sizes) <= 18 << 20


@pytest.mark.parametrize("kind", ["zstd", "gzip"])
@pytest.mark.decisive
def test_a_file_that_unpacks_to_too_much_is_refused(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunks, "UNPACKED_BYTES_MAX", 1_000_000)
    with pytest.raises(FileRefused, match=r"more than 0\.001 GB"):
        read(packed(HEADS["block"] * 20, kind))


def test_files_of_an_archive_share_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "UNPACKED_BYTES_MAX", 200_000)
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for name in "abc":
            member = tarfile.TarInfo(f"{name}.csv")
            member.size = len(HEADS["utilization"])
            archive.addfile(member, io.BytesIO(HEADS["utilization"]))
    with pytest.raises(FileRefused, match="unpacks to more"):
        read(file.getvalue())


@pytest.mark.parametrize("kind", HEADS)
def test_a_line_without_an_end_is_refused_before_it_is_kept(kind: str) -> None:
    whole = HEADS[kind] + b"1" * (chunks.LINE_BYTES_MAX + 1)
    with pytest.raises(FileRefused, match="A line of the file is longer than 4 MiB"):
        ingest([whole[:100_000], whole[100_000:]], lambda _piece: None, "a file")


def test_small_pieces_are_read_as_one_text() -> None:
    whole = read(HEADS["block"])
    small = zstandard.ZstdCompressor().compress(HEADS["block"])
    in_bytes = ingest([small[at : at + 1] for at in range(len(small))], lambda _piece: None, "")
    assert in_bytes.sha256 == whole.sha256
    assert in_bytes.rows_count == 8000
