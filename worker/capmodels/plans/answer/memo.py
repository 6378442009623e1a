"""Columns of a comparison, kept while nothing that they were worked out from changes.

A slider moves one input. Most designs do not read it: another design's prices, or the PUE
where nothing is owned. What a design reads is noted while it is worked out, so that nobody
has to say which assumption enters which equation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from capmodels.equations import is_collecting
from capmodels.plans.answer.columns import column_of
from capmodels.plans.costing.book import CauseBook, Discount
from capmodels.plans.costing.designs import (
    cause_book,
    close,
    cost_part,
    letter_of,
    migrate,
    present_letter,
)
from capmodels.plans.costing.scene import Scene
from capmodels.plans.document.hybrid import Hybrid
from capmodels.plans.document.parts import OfDocuments

if TYPE_CHECKING:
    from capmodels.plans.comparison import DesignResult
    from capmodels.plans.costing.designs import AnyDesign, Costed
    from capmodels.plans.document.assumptions import Assumptions
    from capmodels.plans.document.baseline import Baseline
    from capmodels.plans.document.question import Design
    from capmodels.plans.document.study import StudySpec
    from capmodels.plans.document.workload import Workload
    from capmodels.series import Series

# A column takes some 100 kB.
COLUMNS_KEPT = 64


class Reads:
    """Assumptions that note which of them are read: they stand here from then on."""

    def __init__(self, assumptions: Assumptions) -> None:
        """Nothing has been read yet."""
        self._of = assumptions

    def __getattr__(self, name: str) -> Any:
        """Look up an assumption that is read for the first time."""
        value = getattr(self._of, name)
        setattr(self, name, value)
        return value

    def read(self) -> dict[str, Any]:
        """Return what has been read so far, by name."""
        return {name: value for name, value in vars(self).items() if name != "_of"}


@dataclass(frozen=True, slots=True)
class _Question:
    """The part of a study that one design may look at."""

    designs: tuple[Design, ...]
    workload: Workload
    assumptions: Assumptions
    baseline: Baseline | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """A design's column, its payments by the month they fall due, and what it stands on.

    ``read`` are the assumptions, ``present_usd`` what the present place costs a month while
    it is moved from, if it is a column of this study.
    """

    result: DesignResult
    timed_usd: Series
    running_usd: Series
    present_usd: Series | None
    read: dict[str, Any]

    def holds(self, assumptions: Assumptions) -> bool:
        """Whether all the assumptions that it was worked out from are the same."""
        return all(getattr(assumptions, name) == value for name, value in self.read.items())


@dataclass(slots=True)
class _Begun:
    """A design that is costed but for migration and tax."""

    item: Costed
    scene: Scene
    reads: Reads
    running_usd: Series


_columns: OfDocuments[Column] = OfDocuments(COLUMNS_KEPT)


def columns_of(study: StudySpec, scene: Scene) -> list[Column]:
    """Return the column of every design and of the baseline, before they are compared.

    Documents are the same when they are one object: ``parts`` makes equal ones that.
    """
    parts: list[AnyDesign] = [*study.designs]
    if study.baseline is not None:
        parts.append(study.baseline)
    sources = {letter_of(part): _sources(part, study) for part in parts}
    moves = {letter_of(part): present_letter(part) for part in parts}
    found = _kept(sources, moves, study.assumptions)
    begun = {
        letter_of(part): _begin(part, sources[letter_of(part)], study.assumptions, scene)
        for part in parts
        if letter_of(part) not in found
    }
    running = {letter: item.running_usd for letter, item in (found | begun).items()}
    for letter, item in begun.items():
        found[letter] = _finish(item, running.get(moves[letter] or ""))
        _columns.put(found[letter], *sources[letter])
    return [found[letter] for letter in sources]


def _sources(part: AnyDesign, study: StudySpec) -> tuple[Any, ...]:
    """The documents that a column is worked out from; a hybrid has those of its two halves."""
    if not isinstance(part, Hybrid):
        return study.workload, study.baseline, part
    halves = (part.owned_letter, part.rented_letter)
    others = (item for item in study.designs if item.letter in halves)
    return study.workload, study.baseline, part, *others


def _kept(
    sources: dict[str, tuple[Any, ...]], moves: dict[str, str | None], assumptions: Assumptions
) -> dict[str, Column]:
    """Columns that still hold, and whose present place does; none while equations are noted."""
    if is_collecting():
        return {}
    found = {
        letter: column
        for letter, documents in sources.items()
        if (column := _columns.get(*documents)) is not None and column.holds(assumptions)
    }
    while stale := [
        letter
        for letter, column in found.items()
        if not _same_present(column, moves[letter], found)
    ]:
        for letter in stale:
            del found[letter]
    return found


def _same_present(column: Column, letter: str | None, found: dict[str, Column]) -> bool:
    """Whether what is moved from still costs what it did when the column was worked out."""
    if letter is None:
        return True
    present = found.get(letter)
    return present is not None and column.present_usd is present.running_usd


def _begin(
    part: AnyDesign, sources: tuple[Any, ...], assumptions: Assumptions, beside: Scene
) -> _Begun:
    reads = Reads(assumptions)
    noted = cast("Assumptions", reads)
    workload, today, *designs = sources
    question = _Question(tuple(designs), workload, noted, today)
    scene = Scene(question, beside=beside)
    book = CauseBook(scene.months, round_years=noted.rounding == "paper")
    item = cost_part(part, scene, book)
    return _Begun(item, scene, reads, book.running_months())


def _finish(begun: _Begun, present_usd: Series | None) -> Column:
    item, scene = begun.item, begun.scene
    migrate(item, present_usd)
    close(item, scene)
    discount = Discount(scene.assumptions.nominal_discount_fraction_per_year, scene.months)
    result = column_of(item, scene, discount)
    timed_usd = cause_book(item).timed()
    return Column(result, timed_usd, begun.running_usd, present_usd, begun.reads.read())
