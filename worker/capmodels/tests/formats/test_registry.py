"""Every format of traces: known by its own sample, read from it, and named in every list."""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

import pytest

from capmodels.formats import registry
from capmodels.formats.chunks import FileRefused
from capmodels.formats.ingest import ingest

if TYPE_CHECKING:
    from capmodels.formats.trace_format import TraceFormat

every_format = pytest.mark.parametrize("form", registry.formats(), ids=lambda form: form.name)


@every_format
@pytest.mark.decisive
def test_a_sample_is_known_and_read(form: TraceFormat) -> None:
    found = ingest([form.sample], lambda _piece: None, "sample.csv")
    assert (found.format, found.kind) == (form.name, form.kind)
    assert found.rows_count > 0
    assert found.faults == []
    assert found.summary
    assert found.charts


# Rows of a file whose lines hold several; lines whose loss nobody can tell from a trace's end.
_ROWS_OF_A_LINE = {"grafana": 2, "planetlab_csv": 48}
_LAST_OPEN = frozenset(("blkparse",))


@every_format
@pytest.mark.decisive
def test_no_line_of_a_file_is_lost_without_a_word(form: TraceFormat) -> None:
    whole = ingest([form.sample], lambda _piece: None, "sample.csv")
    lines = form.sample.rstrip(b"\n").split(b"\n")
    for at, line in enumerate(lines[:-1] if form.name in _LAST_OPEN else lines):
        for wrong in (b"~ nothing ~", re.sub(rb"\d+(\.\d+)?", b"x", line)):
            data = b"\n".join([*lines[:at], wrong, *lines[at + 1 :]])
            try:
                found = ingest([data], lambda _piece: None, "sample.csv")
            except FileRefused:
                continue
            told = len(found.faults) * _ROWS_OF_A_LINE.get(form.name, 1)
            lost = whole.rows_count - found.rows_count
            assert lost <= told or wrong == line or not line.strip(), (line, wrong)


@every_format
def test_lists_name_it(form: TraceFormat) -> None:
    assert (form.family or form.title) in registry.accepted()
    assert registry.title_of(form.name) == form.title
    assert form.sentence.endswith(".")


def test_no_two_formats_have_one_name() -> None:
    names = [form.name for form in registry.formats()]
    assert len(set(names)) == len(names)


def test_an_archive_s_formats_are_named_together() -> None:
    assert registry.title_of("azure+google") == "Azure readings, Google 2011"
    assert registry.title_of("of_an_earlier_release") == "of_an_earlier_release"


def test_a_refusal_says_what_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    known = registry.formats()
    new = dataclasses.replace(known[0], name="new", title="New", family="", sniff=lambda _: False)
    monkeypatch.setattr(registry, "formats", lambda: (*known, new))
    registry.accepted.cache_clear()
    try:
        with pytest.raises(FileRefused, match=r"Disk requests: vscsi, .* or New\. Utilisation: "):
            registry.sniff(b"Dear planner,\n")
    finally:
        registry.accepted.cache_clear()
