"""Utilization as lines of numbers: PlanetLab, Google, Alibaba, Azure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from capmodels.formats.reading import by_lines
from capmodels.formats.samples import STEP_S, Sample, Unreadable, fraction, number, time_s, why
from capmodels.formats.trace_format import TraceFormat
from capmodels.numbers import whole_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from capmodels.formats.chunks import Report
    from capmodels.formats.trace_format import Head


def planetlab(lines: Iterable[str], name: str, report: Report) -> Iterator[Sample]:
    """A machine of a PlanetLab day: one CPU percentage a line, every 300 s."""
    step = -1
    for line, text in enumerate(lines, start=1):
        if not text.strip():
            continue
        step += 1
        try:
            yield Sample(name, step * STEP_S, fraction(number(text)))
        except ValueError as exc:
            report.add(line, why(exc))


def planetlab_csv(lines: Iterable[str], name: str, report: Report) -> Iterator[Sample]:
    """A PlanetLab day as one file: a machine a line, its name, then its percentages."""
    for line, text in enumerate(lines, start=1):
        machine, *cells = text.split(",")
        for step, cell in enumerate(cells):
            try:
                yield Sample(machine.strip(), step * STEP_S, fraction(number(cell)))
            except ValueError as exc:
                report.add(line, f"Value {step + 1}: {why(exc)}")


def google(lines: Iterable[str], name: str, report: Report) -> Iterator[Sample]:
    """A machine of the Google 2011 sample: CPU and memory percentages a line, every 300 s."""
    step = -1
    for line, text in enumerate(lines, start=1):
        cells = text.split()
        if not cells:
            continue
        step += 1
        try:
            # Memory is a share of what was asked for: more than all of it occurs.
            memory = fraction(min(number(cells[1]), 100.0))
            yield Sample(name, step * STEP_S, fraction(number(cells[0])), memory)
        except (ValueError, IndexError) as exc:
            report.add(line, why(exc))


def alibaba(lines: Iterable[str], name: str, report: Report) -> Iterator[Sample]:
    """Alibaba 2018 machine usage: machine, seconds, CPU %, memory %, and more. -1 and 101 occur."""
    for line, text in enumerate(lines, start=1):
        cells = text.split(",")
        try:
            cpu, memory = (_up_to_100(number(cell)) for cell in cells[2:4])
            yield Sample(cells[0], time_s(cells[1]), cpu, memory)
        except (ValueError, IndexError) as exc:
            report.add(line, why(exc))


def _up_to_100(percent: float) -> float:
    """Alibaba writes -1 and 101 where it has no value."""
    if percent > 100.0:
        raise Unreadable(f"The use is {percent:g}%; it must lie between 0% and 100%.")
    return fraction(percent)


def azure(lines: Iterable[str], name: str, report: Report) -> Iterator[Sample]:
    """Azure VM readings: seconds, machine, lowest, highest and mean CPU %."""
    for line, text in enumerate(lines, start=1):
        cells = text.split(",")
        try:
            yield Sample(cells[1], time_s(cells[0]), fraction(number(cells[4])))
        except (ValueError, IndexError) as exc:
            report.add(line, why(exc))


_AZURE_NAME = re.compile(r"^[A-Za-z0-9+/=]{20,}$")


def _numbers(cells: list[str]) -> bool:
    try:
        return bool(cells) and all(number(cell) is not None for cell in cells)
    except ValueError:
        return False


def _is_planetlab(head: Head) -> bool:
    lines = head.lines
    percents = [whole_of(line.strip()) for line in lines[:50]]
    one = all(percent is not None and percent <= 101 for percent in percents)
    return one and len(lines) >= 12


def _is_joined(head: Head) -> bool:
    def fits(cells: list[str]) -> bool:
        return len(cells) > 24 and not _numbers(cells[:1]) and _numbers(cells[1:])

    # One machine's line may be longer than what is looked at.
    cells = head.lines[0].split(",")
    return fits(cells) or (len(head.lines) == 1 and fits(cells[:-1]))


def _is_google(head: Head) -> bool:
    rows = [line.split() for line in head.lines]
    return _most(rows, lambda cells: len(cells) == 2 and _numbers(cells))


def _is_alibaba(head: Head) -> bool:
    def fits(cells: list[str]) -> bool:
        of_nine = len(cells) == 9 and not _numbers(cells[:1]) and _numbers(cells[1:])
        return of_nine and all(not cell or -1 <= number(cell) <= 101 for cell in cells[2:4])

    return _most([line.split(",") for line in head.lines], fits)


def _is_azure(head: Head) -> bool:
    def fits(cells: list[str]) -> bool:
        named = len(cells) == 5 and _AZURE_NAME.match(cells[1]) is not None
        return named and _numbers([cells[0], *cells[2:]])

    return _most([line.split(",") for line in head.lines], fits)


def _most(rows: list[list[str]], fits: Callable[[list[str]], bool]) -> bool:
    return sum(map(fits, rows)) > 0.8 * len(rows)


FORMATS = (
    TraceFormat(
        name="planetlab_csv",
        title="PlanetLab, joined",
        family="PlanetLab",
        kind="utilization",
        content="samples",
        sentence="A day: a machine a line, its name, then its CPU in percent every 300 s.",
        sample=b"a," + b",".join(b"%d" % (v % 50) for v in range(48)) + b"\n" * 2,
        sniff=_is_joined,
        read=by_lines(planetlab_csv),
    ),
    TraceFormat(
        name="planetlab",
        title="PlanetLab",
        kind="utilization",
        content="samples",
        sentence="A machine: one CPU percentage a line, every 300 s.",
        sample=b"".join(b"%d\n" % (v % 50) for v in range(48)),
        sniff=_is_planetlab,
        read=by_lines(planetlab),
    ),
    TraceFormat(
        name="google",
        title="Google 2011",
        family="Google",
        kind="utilization",
        content="samples",
        sentence="A machine: CPU and memory in percent a line, every 300 s.",
        sample=b"12.5 40\n13 41\n14.5 41\n",
        sniff=_is_google,
        read=by_lines(google),
    ),
    TraceFormat(
        name="alibaba",
        title="Alibaba 2018",
        family="Alibaba",
        kind="utilization",
        content="samples",
        sentence="Machine usage: machine, seconds, CPU and memory in percent, and five more.",
        sample=b"m_1,386640,43,89,,,43.3,33.1,5\nm_1,386650,42,89,,,43.3,33.1,5\n",
        sniff=_is_alibaba,
        read=by_lines(alibaba),
    ),
    TraceFormat(
        name="azure",
        title="Azure readings",
        family="Azure",
        kind="utilization",
        content="samples",
        sentence="Seconds, machine, least, most and mean CPU in percent.",
        sample=b"0,x/XsOfHO4ocsV99i4NluqKDuxctW2MMVmwqOPAlg4wp8,3.1,10.2,5.5\n"
        b"300,x/XsOfHO4ocsV99i4NluqKDuxctW2MMVmwqOPAlg4wp8,3.1,10.2,6.5\n",
        sniff=_is_azure,
        read=by_lines(azure),
    ),
)
