"""Which format a file has, from its first bytes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from capmodels.formats.block_traces import detect
from capmodels.formats.chunks import FileRefused
from capmodels.formats.samples import number
from capmodels.formats.utilization_text import columns_of, delimiter_of

if TYPE_CHECKING:
    from collections.abc import Callable

Kind = Literal["block", "utilization", "latency", "fleet"]

SENTENCE = (
    "This is not a trace that we know. Disk requests: SPC, MSR Cambridge, vscsi, DiskSim, "
    "blkparse or fio. Utilisation: PlanetLab, Bitbrains, Google, Alibaba, Azure, CloudWatch, sar, "
    "Prometheus, IPMI, or a CSV with a line of names: time, name, cpu, and perhaps memory, watts. "
    "Drives: fio JSON, or the daily statistics of Backblaze."
)
_AZURE_NAME = re.compile(r"^[A-Za-z0-9+/=]{20,}$")


@dataclass(frozen=True, slots=True)
class Detected:
    """A format, and what its files hold."""

    kind: Kind
    format: str


def detect_file(head: bytes) -> Detected:
    """Return the format of a file from its first bytes, unpacked.

    Raises
    ------
    FileRefused
        When it is none that we know.
    """
    if b"\0" in head[:64]:
        return Detected("block", detect(head))
    text = head.decode("utf-8", "replace").lstrip("\ufeff")
    lines = [line for line in text.splitlines() if line.strip()][:200]
    if not lines:
        raise FileRefused("The file is empty.")
    whole = lines[:-1] or lines
    found = _json(text) or next((name for name, fits in _TESTS if fits(whole)), None)
    if found:
        return Detected(_KINDS.get(found, "utilization"), found)
    try:
        form = detect(head)
        # A log of fio times requests without saying where they go.
        return Detected("latency" if form == "fio_log" else "block", form)
    except FileRefused:
        raise FileRefused(SENTENCE) from None


_KINDS: dict[str, Kind] = {"fio_json": "latency", "backblaze": "fleet"}
_JSON_MARKS = (
    ("sadf_json", '"sysstat"'),
    ("prometheus", '"resultType"'),
    ("cloudwatch_json", '"Datapoints"'),
    ("cloudwatch_json", '"MetricDataResults"'),
    ("fio_json", '"fio version"'),
    ("fio_json", '"jobs"'),
)


def _json(text: str) -> str | None:
    start = text[:20_000]
    if "{" not in start:
        return None
    return next((name for name, mark in _JSON_MARKS if mark in start), None)


def _is_backblaze(lines: list[str]) -> bool:
    names = [name.strip().strip('"').lower() for name in lines[0].split(",")] if lines else []
    return {"date", "serial_number", "model", "failure"} <= set(names)


def _numbers(cells: list[str]) -> bool:
    try:
        return bool(cells) and all(number(cell) is not None for cell in cells)
    except ValueError:
        return False


def _mostly(lines: list[str], fits: Callable[[list[str]], bool], cut: str | None) -> bool:
    return sum(fits(line.split(cut)) for line in lines) > 0.8 * len(lines) if lines else False


def _is_planetlab(lines: list[str]) -> bool:
    one = all(line.strip().isdigit() and int(line) <= 101 for line in lines[:50])
    return one and len(lines) >= 12


def _is_joined(lines: list[str]) -> bool:
    def fits(cells: list[str]) -> bool:
        return len(cells) > 24 and not _numbers(cells[:1]) and _numbers(cells[1:])

    # One machine's line may be longer than what is looked at.
    cells = lines[0].split(",")
    return fits(cells) or (len(lines) == 1 and fits(cells[:-1]))


def _is_google(lines: list[str]) -> bool:
    return _mostly(lines, lambda cells: len(cells) == 2 and _numbers(cells), None)


def _is_alibaba(lines: list[str]) -> bool:
    def fits(cells: list[str]) -> bool:
        return len(cells) == 9 and not _numbers(cells[:1]) and _numbers(cells[1:])

    return _mostly(lines, fits, ",")


def _is_azure(lines: list[str]) -> bool:
    def fits(cells: list[str]) -> bool:
        named = len(cells) == 5 and _AZURE_NAME.match(cells[1]) is not None
        return named and _numbers([cells[0], *cells[2:]])

    return _mostly(lines, fits, ",")


def _is_sar(lines: list[str]) -> bool:
    return any("%idle" in line or "%memused" in line for line in lines) and bool(
        re.match(r"^(Linux|SunOS|AIX)\s", lines[0]) or re.match(r"^\d\d:\d\d:\d\d", lines[0])
    )


def _is_sadf(lines: list[str]) -> bool:
    return lines[0].startswith("#") and "hostname;interval;timestamp" in lines[0].replace(" ", "")


def _heads(lines: list[str]) -> list[str] | None:
    head = next((line for line in lines if not line.startswith("#")), "")
    names = [name.strip().strip('"').lower() for name in head.split(delimiter_of(head))]
    found = columns_of(names)
    return names if found and len(names) > 1 else None


def _is_bitbrains(lines: list[str]) -> bool:
    return "CPU capacity provisioned [MHZ]" in lines[0]


def _is_cloudwatch(lines: list[str]) -> bool:
    return _heads(lines) == ["timestamp", "value"]


def _is_ipmi(lines: list[str]) -> bool:
    names = _heads(lines)
    found = columns_of(names) if names else None
    return found is not None and found.cpu < 0


def _is_table(lines: list[str]) -> bool:
    return _heads(lines) is not None


_TESTS: tuple[tuple[str, Callable[[list[str]], bool]], ...] = (
    ("backblaze", _is_backblaze),
    ("sar", _is_sar),
    ("sadf", _is_sadf),
    ("bitbrains", _is_bitbrains),
    ("cloudwatch", _is_cloudwatch),
    ("ipmi", _is_ipmi),
    ("generic_csv", _is_table),
    ("planetlab_csv", _is_joined),
    ("planetlab", _is_planetlab),
    ("google", _is_google),
    ("alibaba", _is_alibaba),
    ("azure", _is_azure),
)
