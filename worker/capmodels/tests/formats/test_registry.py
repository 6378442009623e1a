"""Every format of traces: known by its own sample, read from it, and named in every list."""

from __future__ import annotations

import dataclasses
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
