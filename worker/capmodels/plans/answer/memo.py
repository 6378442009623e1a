"""Columns of a comparison, kept while nothing that they were worked out from changes.

A slider moves one input. Most designs do not read it: another design's prices, or the PUE
where nothing is owned. What a design reads is noted while it is worked out, so that nobody
has to say which assumption enters which equation.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from capmodels.equations import is_collecting
from capmodels.plans.answer.columns import Figures, column_of, figures_of
from capmodels.plans.costing.book import CauseBook, Discount
from capmodels.plans.costing.designs import (
    again,
    bridges_of,
    cause_book,
    close,
    cost_body,
    cost_people,
    letter_of,
    migrate,
    present_letters,
    what_is_left,
)
from capmodels.plans.costing.scene import Scene
from capmodels.plans.document.hybrid import Hybrid
from capmodels.plans.document.parts import OfDocuments

if TYPE_CHECKING:
    from capmodels.plans.comparison import DesignResult
    from capmodels.plans.costing.designs import AnyDesign, Costed
    from capmodels.plans.document.assumptions import Assumptions
    from capmodels.plans.document.baseline import Baseline
    from capmodels.plans.document.cloud import Cloud
    from capmodels.plans.document.question import Design
    from capmodels.plans.document.study import StudySpec
    from capmodels.plans.document.workload import Workload
    from capmodels.series import Series

# A column takes some 100 kB.
COLUMNS_KEPT = 64


class Reads:
    """Assumptions that note which of them are read: they stand here from then on."""

    def __init__(self, assumptions: Assumptions, read: dict[str, Any] | None = None) -> None:
        """Nothing has been read yet, or what these have the same values of."""
        vars(self).update(read or {}, _of=assumptions)

    def __getattr__(self, name: str) -> Any:
        """Look up an assumption that is read for the first time."""
        value = getattr(self._of, name)
        setattr(self, name, value)
        return value

    def read(self) -> dict[str, Any]:
        """Return what has been read so far, by name."""
        return {name: value for name, value in vars(self).items() if name != "_of"}


@dataclass(frozen=True, slots=True)
class Question:
    """The part of a study that one design may look at."""

    designs: tuple[Design, ...]
    workload: Workload
    assumptions: Assumptions
    baseline: Baseline | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """A design's column, its payments by the month they fall due, and what it stands on.

    ``read`` are the assumptions, ``present_usd`` what the places cost a month while they are
    moved from, that are columns of this study.
    """

    result: DesignResult
    timed_usd: Series
    running_usd: Series
    present_usd: list[Series | None]
    read: dict[str, Any]
    figures: Figures

    def holds(self, assumptions: Assumptions) -> bool:
        """Whether all the assumptions that it was worked out from are the same."""
        return has_read(assumptions, self.read)


def has_read(assumptions: Assumptions, read: dict[str, Any]) -> bool:
    """Whether all that was read of some assumptions is the same in these."""
    return all(getattr(assumptions, name) == value for name, value in read.items())


@dataclass(slots=True)
class _Begun:
    """A design that is costed but for migration and tax."""

    item: Costed
    scene: Scene
    reads: Reads
    running_usd: Series
    figures: Figures


_columns: OfDocuments[Column] = OfDocuments(COLUMNS_KEPT)


def columns_of(study: StudySpec, scene: Scene) -> list[Column]:
    """Return the column of every design and of the baseline, before they are compared.

    Documents are the same when they are one object: ``parts`` makes equal ones that.
    """
    parts: list[AnyDesign] = [*study.designs]
    if study.baseline is not None:
        parts.append(study.baseline)
    sources = {letter_of(part): sources_of(part, study) for part in parts}
    moves = {letter_of(part): present_letters(part, scene) for part in parts}
    bridges = {one.letter: _bridge(one, study, scene) for one, _ in bridges_of(parts, parts)}
    for part in parts:
        for letter in moves[letter_of(part)]:
            left = what_is_left(part, letter, study.baseline)
            if left is not None:
                name = f"{letter}, left by {letter_of(part)}"
                bridges[name] = _bridge(left, study, scene)
                moves[letter_of(part)] = tuple(
                    name if one == letter else one for one in moves[letter_of(part)]
                )
    found = _kept(sources, moves, bridges, study.assumptions)
    begun = {
        letter_of(part): _begin(part, sources[letter_of(part)], study.assumptions, scene)
        for part in parts
        if letter_of(part) not in found
    }
    running = {letter: item.running_usd for letter, item in (found | begun).items()} | bridges
    for letter, item in begun.items():
        found[letter] = _finish(item, [running.get(one or "") for one in moves[letter]])
        _columns.put(found[letter], *sources[letter])
    return [found[letter] for letter in sources]


def sources_of(part: AnyDesign, study: StudySpec) -> tuple[Any, ...]:
    """The documents that a design is costed from; a hybrid has those of its two halves."""
    if not isinstance(part, Hybrid):
        return study.workload, study.baseline, part
    halves = (part.owned_letter, part.rented_letter)
    others = (item for item in study.designs if item.letter in halves)
    return study.workload, study.baseline, part, *others


_bridged: OfDocuments[tuple[Series, dict[str, Any]]] = OfDocuments(COLUMNS_KEPT)


def _bridge(part: Cloud | Baseline, study: StudySpec, beside: Scene) -> Series:
    """What a place costs each month while another is moved to; kept while it holds."""
    sources = sources_of(part, study)
    found = None if is_collecting() else _bridged.get(*sources)
    if found is not None and has_read(study.assumptions, found[1]):
        return found[0]
    begun = _begin(part, sources, study.assumptions, beside)
    _bridged.put((begun.running_usd, begun.reads.read()), *sources)
    return begun.running_usd


def _kept(
    sources: dict[str, tuple[Any, ...]],
    moves: dict[str, tuple[str | None, ...]],
    bridges: dict[str, Series],
    assumptions: Assumptions,
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
        if not _same_present(column, moves[letter], bridges, found)
    ]:
        for letter in stale:
            del found[letter]
    return found


def _same_present(
    column: Column,
    letters: tuple[str | None, ...],
    bridges: dict[str, Series],
    found: dict[str, Column],
) -> bool:
    """Whether what is moved from still costs what it did when the column was worked out."""
    running = {letter: column.running_usd for letter, column in found.items()} | bridges
    return all(
        letter is None or (letter in running and usd is running[letter])
        for letter, usd in zip(letters, column.present_usd, strict=True)
    )


@dataclass(frozen=True, slots=True)
class _Body:
    """A design costed but for its people, migration and tax, and the assumptions it read."""

    item: Costed
    figures: Figures
    read: dict[str, Any]


_bodies: OfDocuments[_Body] = OfDocuments(COLUMNS_KEPT)


def _begin(
    part: AnyDesign, sources: tuple[Any, ...], assumptions: Assumptions, beside: Scene
) -> _Begun:
    found = None if is_collecting() else _bodies.get(*sources)
    if found is not None and not has_read(assumptions, found.read):
        found = None
    reads = Reads(assumptions, found.read if found else {})
    scene = _scene_of(sources, reads, beside)
    if found is None:
        book = CauseBook(scene.months, round_years=reads.rounding == "paper")
        item = cost_body(part, scene, book)
        # People enter every design by one figure: what comes before them is kept without it.
        figures = figures_of(item, scene)
        _bodies.put(_Body(replace(item, book=book.copy()), figures, reads.read()), *sources)
    else:
        figures = found.figures
        item = again(found.item, scene, cause_book(found.item).copy())
    cost_people(item, scene)
    return _Begun(item, scene, reads, cause_book(item).running_months(), figures)


def _scene_of(sources: tuple[Any, ...], reads: Reads, beside: Scene) -> Scene:
    workload, today, *designs = sources
    question = Question(tuple(designs), workload, cast("Assumptions", reads), today)
    return Scene(question, beside=beside)


_at_ends: OfDocuments[tuple[Costed, dict[str, Any]]] = OfDocuments(COLUMNS_KEPT)


def costed_at_end(part: AnyDesign, study: StudySpec, beside: Scene) -> Costed:
    """A design at no or full use, but for migration and tax, its amounts not rounded.

    Kept without its people while nothing else that it was worked out from changes.
    """
    sources = sources_of(part, study)
    found = None if is_collecting() else _at_ends.get(*sources)
    if found is not None and not has_read(study.assumptions, found[1]):
        found = None
    reads = Reads(study.assumptions, found[1] if found else {})
    scene = _scene_of(sources, reads, beside)
    if found is None:
        item = cost_body(part, scene, CauseBook(scene.months))
        _at_ends.put((replace(item, book=cause_book(item).copy()), reads.read()), *sources)
    else:
        item = again(found[0], scene, cause_book(found[0]).copy())
    cost_people(item, scene)
    return item


def _finish(begun: _Begun, present_usd: list[Series | None]) -> Column:
    item, scene = begun.item, begun.scene
    migrate(item, scene, present_usd)
    close(item, scene)
    discount = Discount(scene.assumptions.nominal_discount_fraction_per_year, scene.months)
    result = column_of(item, scene, discount, begun.figures)
    timed_usd = cause_book(item).timed()
    read = begun.reads.read()
    return Column(result, timed_usd, begun.running_usd, present_usd, read, begun.figures)
