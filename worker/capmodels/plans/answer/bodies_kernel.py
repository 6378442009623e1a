"""Designs costed in trials, kept while nothing that they were worked out from changes. NumPy.

A slider moves one input. Which trials there are, and most of what most designs cost in them, stay
as they are. As with the columns of a point (``answer.memo``), what a design reads is noted while it
is costed. People come last, who enter every design by one figure: they are costed anew each time.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from pydantic import BaseModel

from capmodels.equations import is_collecting
from capmodels.plans.answer.memo import Question, Reads, sources_of
from capmodels.plans.costing.book_kernel import DrawBook
from capmodels.plans.costing.designs import cost_body, cost_people, letter_of, on_demand
from capmodels.plans.costing.owned_cost import OwnedCase
from capmodels.plans.costing.scene import Curves, Scene
from capmodels.plans.document.cloud import Cloud
from capmodels.plans.document.parts import OfDocuments
from capmodels.series import MatrixForm

if TYPE_CHECKING:
    from capmodels.plans.causes import Side
    from capmodels.plans.costing.book_kernel import Factors
    from capmodels.plans.costing.designs import AnyDesign, Costed
    from capmodels.plans.costing.group_plan import Batch
    from capmodels.plans.document.assumptions import Assumptions
    from capmodels.plans.document.owned import OwnedFields
    from capmodels.plans.document.pointers import Path
    from capmodels.plans.document.study import StudySpec

# Answers of up to so many trials are kept, in blocks; a design takes some 600 B a trial.
TRIALS_KEPT = 10_000
BODIES_BYTES = 64_000_000
# Stand for the blocks of trials, of which each is kept by itself.
BLOCKS_MOST = 32
_BLOCKS = tuple(object() for _ in range(BLOCKS_MOST))

Summary = tuple[float, float, float]
# What was read of the assumptions as trials have them, and as entered.
Read = tuple[dict[str, Any], dict[str, Any]]


@dataclass(slots=True)
class Body:
    """A design in trials but for its people, migration and tax, and what that stands on.

    ``values`` are the arrays that stand in its documents, by path; ``drawn`` and ``entered`` the
    assumptions that were read, as trials have them and as entered. ``told`` is what has been said
    of its causes.
    """

    item: Costed
    book: DrawBook
    owned: OwnedFields | None
    batches: list[Batch]
    count: int
    values: dict[Path, Any]
    drawn: dict[str, Any]
    entered: dict[str, Any]
    delivered_month: int = 0
    told: dict[tuple[str, Side], Summary] = field(default_factory=dict)

    @property
    def bytes_count(self) -> int:
        """About what it takes of the memory. [B]"""
        return self.book.bytes_count

    @classmethod
    def of(cls, item: Costed, count: int, values: dict[Path, Any], read: Read) -> Body:
        """A design as it was costed, without what only costing it needed."""
        book = draw_book(item).copy()
        case = item.owned
        owned, batches = (None, []) if case is None else (case.owned, case.batches)
        bare = replace(item, book=book, owned=None, rented=None, before=None)
        delivered = 0 if case is None else case.delivered_month
        return cls(bare, book, owned, batches, count, values, read[0], read[1], delivered)

    def part(self, scene: Scene) -> Costed:
        """The design with books of its own, for the rest to be written into."""
        book = self.book.copy()
        case = None
        if self.owned is not None:
            case = OwnedCase(
                self.owned,
                scene,
                [],
                book,
                batches=self.batches,
                delivered_month=self.delivered_month,
            )
        return replace(self.item, book=book, owned=case)


class Bodies:
    """The designs that were costed last in trials of one kind."""

    def __init__(self) -> None:
        """Nothing is kept yet."""
        self._found: OfDocuments[Body] = OfDocuments(BODIES_BYTES, lambda body: body.bytes_count)

    def get(
        self, sources: tuple[Any, ...], count: int, values: dict[Path, Any], both: Both
    ) -> Body | None:
        """Return a design that was costed with all the same."""
        body = self._found.get(*sources)
        holds = (
            body is not None
            and body.count == count
            and body.values.keys() == values.keys()
            and all(body.values[path] is value for path, value in values.items())
            and is_read_so(both.drawn, body.drawn)
            and is_read_so(both.entered, body.entered)
        )
        return body if holds else None

    def put(self, body: Body, sources: tuple[Any, ...]) -> None:
        """Keep a design."""
        self._found.put(body, *sources)

    def clear(self) -> None:
        """Keep nothing of what is here."""
        self._found.clear()


@dataclass(frozen=True, slots=True)
class Kept:
    """Where the designs of a block of trials are kept."""

    bodies: Bodies
    block: int = 0


@dataclass(frozen=True, slots=True)
class Both:
    """The assumptions as trials have them, and as entered."""

    drawn: Assumptions
    entered: Assumptions


def is_read_so(assumptions: Assumptions, read: dict[str, Any]) -> bool:
    """Whether all that was read of some assumptions is the same in these."""
    return all(same(getattr(assumptions, name), value) for name, value in read.items())


def same(one: Any, other: Any) -> bool:
    """Whether two parts of documents are equal; arrays only if they are one object."""
    if one is other:
        return True
    if type(one) is not type(other) or isinstance(one, np.ndarray):
        return False
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, BaseModel):
        return all(map(same, vars(one).values(), vars(other).values()))
    return bool(one == other)


class PartCoster:
    """Costs the designs of one evaluation, those that are kept at next to no expense."""

    def __init__(
        self, study: StudySpec, planned: Scene | None, kept: Kept | None, factors: Factors
    ) -> None:
        """Take the study as entered, and where designs are kept."""
        self._study, self._planned, self._factors = study, planned, factors
        self._kept = None if is_collecting() else kept
        self._entered = {letter_of(part): part for part in _parts(study)}
        self.bodies: dict[str, Body] = {}

    def cost(self, part: AnyDesign, scene: Scene, values: dict[Path, Any], count: int) -> Costed:
        """Cost a design but for migration and tax; ``part`` has the values of the trials in it."""
        entered = self._entered[letter_of(part)]
        is_bridge = False
        if isinstance(part, Cloud) and isinstance(entered, Cloud) and entered.commitments:
            is_bridge = not part.commitments
            entered = on_demand(entered) if is_bridge else entered
        sources = _sources_of(entered, self._study)
        mine = _values_of(sources, self._study, values)
        both = Both(scene.assumptions, self._study.assumptions)
        kept = self._kept
        where = sources if kept is None else (*sources, _BLOCKS[kept.block])
        body = None if kept is None else kept.bodies.get(where, count, mine, both)
        if body is None:
            item, read = self._costed(part, sources, scene, both, count)
            if kept is not None:
                body = Body.of(item, count, mine, read)
                kept.bodies.put(body, where)
        else:
            item = body.part(scene)
        if body is not None and not is_bridge:
            self.bodies[item.letter] = body
        cost_people(item, scene)
        return item

    def _costed(
        self, part: AnyDesign, sources: tuple[Any, ...], scene: Scene, both: Both, count: int
    ) -> tuple[Costed, Read]:
        """Cost a design but for its people; what was read of the assumptions."""
        drawn, entered = Reads(both.drawn), Reads(both.entered)
        work, today, *designs = sources
        plan = Question(tuple(designs), work, cast("Assumptions", entered), today)
        curves = Curves(plan)
        planned = None
        if self._planned is not None:
            planned = Scene(plan, curves, beside=self._planned)
        letters = {letter_of(one) for one in designs}
        study = scene.study
        asked = Question(
            tuple(one for one in study.designs if one.letter in letters),
            study.workload,
            cast("Assumptions", drawn),
            study.baseline,
        )
        here = Scene(asked, curves, MatrixForm(), beside=scene, planned=planned)
        # what the factors of the books were made of
        _ = here.by_value and drawn.nominal_discount_fraction_per_year
        paper = drawn.rounding == "paper"
        book = DrawBook(here.months, count, self._factors, round_years=paper)
        item = cost_body(part, here, book)
        return item, (drawn.read(), entered.read())


def draw_book(item: Costed) -> DrawBook:
    """Return the books of a design in trials."""
    if not isinstance(item.book, DrawBook):
        raise TypeError
    return item.book


def _parts(study: StudySpec) -> list[AnyDesign]:
    return [*study.designs, *([] if study.baseline is None else [study.baseline])]


def _sources_of(part: AnyDesign, study: StudySpec) -> tuple[Any, ...]:
    """The documents that a design is costed from in trials: also of what it rents when short."""
    letter = getattr(part, "shortfall_letter", None)
    clouds = (item for item in study.designs if item.letter == letter)
    return *sources_of(part, study), *clouds


def _values_of(
    sources: tuple[Any, ...], study: StudySpec, values: dict[Path, Any]
) -> dict[Path, Any]:
    """The arrays that stand in some documents of a study."""
    letters = {letter_of(part) for part in sources[2:]}
    mine = {place for place, design in enumerate(study.designs) if design.letter in letters}
    return {
        path: value
        for path, value in values.items()
        if path[0] in {"workload", "baseline"} or (path[0] == "designs" and path[1] in mine)
    }
