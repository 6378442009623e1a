"""From a format's name to the parser that reads it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from capmodels.formats import sysstat, utilization_json, utilization_text
from capmodels.formats.chunks import FileRefused
from capmodels.formats.samples import Sample, lines_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from capmodels.formats.block_traces import Report

# A JSON document is read whole.
JSON_BYTES_MAX = 256 << 20

_LINES: dict[str, Callable[..., Iterator[Sample]]] = {
    "planetlab": utilization_text.planetlab,
    "planetlab_csv": utilization_text.planetlab_csv,
    "google": utilization_text.google,
    "alibaba": utilization_text.alibaba,
    "azure": utilization_text.azure,
    "bitbrains": utilization_text.table,
    "cloudwatch": utilization_text.table,
    "ipmi": utilization_text.table,
    "generic_csv": utilization_text.table,
    "sar": sysstat.sar,
    "sadf": sysstat.sadf,
}
_ENDINGS = (".gz", ".zst", ".csv", ".txt", ".json", ".log", ".sar", ".tsv")


def samples(form: str, source: Iterable[bytes], name: str, report: Report) -> Iterator[Sample]:
    """Yield the samples of an unpacked file of a known format.

    Raises
    ------
    FileRefused
        When it is a JSON document that is damaged or too large.
    """
    machine = machine_name(name)
    if form in _LINES:
        return _LINES[form](lines_of(source), machine, report.add)
    document = _document(source)
    if form == "sadf_json":
        return _guarded(sysstat.sadf_json(document, report.add), "sadf")
    if form == "prometheus":
        return _guarded(utilization_json.prometheus(document, report.add), "Prometheus")
    return _guarded(utilization_json.cloudwatch(document, machine, report.add), "CloudWatch")


def _guarded(found: Iterator[Sample], program: str) -> Iterator[Sample]:
    """Yield samples; a document of another shape than the program writes is refused."""
    try:
        yield from found
    except (AttributeError, TypeError, LookupError, ValueError, OverflowError) as exc:
        message = f"This JSON is not built as {program} writes it."
        raise FileRefused(message) from exc


def machine_name(file_name: str) -> str:
    """Name a machine after its file, without what says only how it is written."""
    name = file_name
    while ending := next((e for e in _ENDINGS if name.lower().endswith(e)), ""):
        name = name[: -len(ending)]
    return name or file_name or "machine"


def whole_json(source: Iterable[bytes]) -> bytes:
    """Return a JSON file's bytes.

    Raises
    ------
    FileRefused
        When it is too large.
    """
    data = bytearray()
    for chunk in source:
        data += chunk
        if len(data) > JSON_BYTES_MAX:
            message = (
                f"This JSON file has more than {JSON_BYTES_MAX >> 20} MiB unpacked. "
                "Cut it into shorter spans, or write it as CSV."
            )
            raise FileRefused(message)
    return bytes(data)


def _document(source: Iterable[bytes]) -> Any:
    data = whole_json(source)
    try:
        return json.loads(data)
    except ValueError as exc:
        message = f"The JSON of this file is damaged: {exc}."
        raise FileRefused(message) from exc
