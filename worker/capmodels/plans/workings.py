"""Workings: every cause of a study's cost as the lines that pay it, with formula and terms.

The study is costed once more by numbers that remember how they were worked out. What is shown here
is read off the lines of the books, so it is the sum itself, and an input that moves a cause is
among its terms without anybody having listed it.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from capmodels.amounts import ceil, expm1, fsum, is_above, is_below, log1p, nearest
from capmodels.plans.answer.columns import carbon_parts, footprints_of
from capmodels.plans.answer.describe import shortfall
from capmodels.plans.answer.rented_storage import rented_share, tb_share
from capmodels.plans.answer.row import (
    CARBON,
    CARBON_PER_TB_YEAR,
    DOWN,
    ENERGY,
    PER_TB_YEAR,
    WORK_PER_AMOUNT,
)
from capmodels.plans.answer.work_done import in_currency, work_figures
from capmodels.plans.causes import BY_KEY, FORMULAS, Side
from capmodels.plans.costing.book import CauseBook, Discount
from capmodels.plans.costing.designs import cause_book, cost_designs
from capmodels.plans.costing.downtime import downtime, unknown_downtime
from capmodels.plans.costing.scene import Scene
from capmodels.plans.document.pointers import facts_of, leaf_at, substitute
from capmodels.plans.document.study import StudySpec
from capmodels.plans.opened import Opened, PaidLine, Payment, Term
from capmodels.plans.words import lowered, name_parts
from capmodels.spec import Citation, Context, ModelSpec, Result, blank
from capmodels.worked import (
    chosen,
    entered,
    evaluated,
    folded,
    inputs_in,
    inputs_of,
    is_worked,
    named,
    plain,
    remembering,
    same,
    total,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from capmodels.plans.answer.work_done import WorkFigure
    from capmodels.plans.costing.book import Line
    from capmodels.plans.costing.designs import Costed
    from capmodels.plans.document.pointers import FieldFacts, Path

# An expression longer than this is read in parts, each called after its last step.
LONGEST_TOKENS = 15
PARTS: dict[Callable[..., Any], str] = {
    operator.add: "Subtotal",
    operator.sub: "Difference",
    operator.mul: "Product",
    operator.truediv: "Quotient",
    operator.pow: "Power",
    operator.neg: "Product",
    total: "Subtotal",
    max: "Larger value",
    min: "Smaller value",
}
PART = "Value on the way"
_NUMBERED = frozenset({*PARTS.values(), PART})
# Parts of a study that are no input of a sum.
_NO_INPUTS = frozenset({"ranges", "draws_count", "seed"})


class WorkingsSpec(StudySpec):
    """A study, and which of its causes to open; all of them where nothing is said."""

    letter: str | None = blank("Design whose causes are opened; empty for all.")
    cause: str | None = blank("Cause, or row of the comparison, that is opened; empty for all.")


class Working(Opened):
    """How a cause of cost of a design comes about."""

    cause: str
    side: Side


class RowWorking(Opened):
    """How a figure of a row of the comparison comes about, such as energy or a cost per TB."""

    row: str


class Workings(Result):
    """The workings of all designs, cause by cause in the order of the tables, and of rows."""

    causes: tuple[Working, ...]
    rows: tuple[RowWorking, ...]


def numbers_of(part: BaseModel, path: Path = (), pointer: str = "") -> Iterator[Number]:
    """Every number that a part of a study holds, but 0, which enters no sum."""
    for name in type(part).model_fields:
        value, at = getattr(part, name), f"{pointer}/{name}"
        if isinstance(value, BaseModel):
            yield from numbers_of(value, (*path, name), at)
        elif isinstance(value, tuple):
            for index, item in enumerate(value):
                if isinstance(item, BaseModel):
                    key = getattr(item, "letter", index) if name == "designs" else index
                    yield from numbers_of(item, (*path, name, index), f"{at}/{key}")
        elif type(value) in {float, int} and value != 0:
            yield Number(at, (*path, name), value, facts_of(type(part), name))


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a study, where it stands, and what the schema says of it."""

    pointer: str
    path: Path
    value: float
    facts: FieldFacts


def explaining(study: StudySpec) -> tuple[Scene, list[Costed]]:
    """Cost every design by numbers that remember how they were worked out."""
    numbers = {
        one.path: entered(one.value, one.facts.title, one.facts.unit, one.pointer)
        for one in numbers_of(study)
        if one.path[0] not in _NO_INPUTS
    }
    with remembering():
        scene = Scene(substitute(study, numbers))
        rounded = study.assumptions.rounding == "paper"
        return scene, cost_designs(scene, lambda: CauseBook(scene.months, round_years=rounded))


def workings(study: StudySpec, letter: str | None = None, cause: str | None = None) -> Workings:
    """Return how the causes of the designs of a study come about.

    Parameters
    ----------
    study
        A study; its ranges are not drawn.
    letter, cause
        The one design, and the one cause or row, that are opened; all of them by default.

    Returns
    -------
    Workings
        For each cause its lines; the terms by which their formulas read; and every input that
        it depends on. The amounts of a cause's payments add up to its amount. [USD] Those of a
        row add up to the row, in its unit.
    """
    scene, costed = explaining(study)
    found, rows = [], []
    for item in costed:
        if letter not in {None, item.letter}:
            continue
        lines = cause_book(item).lines
        for key in (key for key in BY_KEY if cause in {None, key[0]}):
            own = [line for line in lines if (line.cause, line.side) == key]
            if own:
                found.append(_working(study, scene, item, own))
        rows += [
            _row_working(study, scene, item, row, parts)
            for row in _rows(scene)
            if cause in {None, row.id}
            and (parts := row.parts(item, scene.of(item.design)))
            and any(amount != 0 for _, amount in parts)
        ]
    return Workings(causes=tuple(found), rows=tuple(rows))


@dataclass(frozen=True, slots=True)
class _Row:
    """A row that is opened: its parts, each with what it is of; none where it has no value."""

    id: str
    label: str
    unit: str
    parts: Callable[[Costed, Scene], list[tuple[str, Any]]]


def _energy_kwh(item: Costed, scene: Scene) -> list[tuple[str, Any]]:
    """Electricity of each year by what uses it. [kWh]"""
    owned, rented = footprints_of(item, scene)
    return [
        (f"year {year + 1}, {cause.replace('_', ' ')}", kwh)
        for side in (owned, rented)
        for year, used in enumerate(side)
        for cause, kwh in used.by_cause_kwh.items()
    ]


def _usd_per_tb_year(item: Costed, scene: Scene) -> list[tuple[str, Any]]:
    """What each TB of space bears in a year, by cause. [USD/TB-yr]"""
    share = tb_share(item, scene, rented_share(item))
    if share is None:
        return []
    years = named(share.tb_years, "Space over the horizon", "TB-yr")
    discount = Discount(scene.assumptions.nominal_discount_fraction_per_year, scene.months)
    parts = []
    for key, account in cause_book(item).causes.items():
        if share.bears(key):
            paid = account.present(discount) if scene.by_value else account.cash()
            usd = named(fsum(paid), f"{BY_KEY[key].label}, as entered", "USD")
            parts.append((f"for {lowered(BY_KEY[key].label)}", usd / years))
    return parts


def _kgco2e(item: Costed, scene: Scene) -> list[tuple[str, Any]]:
    """Emissions by what makes them. [kg CO2e]"""
    return carbon_parts(item, scene, footprints_of(item, scene)) or []


def _kgco2e_per_tb_year(item: Costed, scene: Scene) -> list[tuple[str, Any]]:
    """What of the emissions falls on each TB of arrays in a year. [kg CO2e/TB-yr]"""
    if item.owned is None or not item.owned.arrays:
        return []
    share = tb_share(item, scene, None)
    if share is None:
        return []
    years = named(share.tb_years, "Space over the horizon", "TB-yr")
    return [
        (f"for {what}", named(amount, "Emissions", "kg CO2e") / years)
        for what, amount in _kgco2e(item, scene)
    ]


def _of_work(figure: WorkFigure, item: Costed, scene: Scene) -> list[tuple[str, Any]]:
    """A figure of the work by its energy, or by its cost as entered, as one part."""
    if shortfall(item, scene) is not None:
        return []
    if figure.id != WORK_PER_AMOUNT:
        kwh = fsum(amount for _, amount in _energy_kwh(item, scene))
        return [(_WHOLE, figure.of(named(kwh, "Energy", "kWh")))] if kwh > 0 else []
    book, rate = cause_book(item), scene.assumptions.nominal_discount_fraction_per_year
    paid = book.present(Discount(rate, scene.months)) if scene.by_value else book.cash()
    usd = folded(fsum(paid), "Cost, as entered", "USD")
    return [(_WHOLE, figure.of(usd))] if usd > 0 else []


def _down_h_per_year(item: Costed, scene: Scene) -> list[tuple[str, Any]]:
    """Hours down by interval, each by its share of the horizon; none where unknown. [h/yr]"""
    if unknown_downtime(scene, item.owned, item.rented) is not None:
        return []
    parts = []
    for at, interval in enumerate(scene.intervals):
        down = downtime(scene, item.owned, item.rented, at)
        share = interval.months / scene.months
        when = f"month {interval.first + 1} to {interval.end}"
        for what, hours, stated in (
            ("sites", down.sites_h, named),
            ("provider", down.provider_h, named),
            ("machines", down.machines_h, folded),  # a sum over the hours of each group
        ):
            parts.append((f"{when}, {what}", stated(hours, f"Hours down, {what}", "h/yr") * share))
    return parts


ROWS = (
    _Row(ENERGY, "Energy", "kWh", _energy_kwh),
    _Row(PER_TB_YEAR, "Cost per TB-year", "USD/TB-yr", _usd_per_tb_year),
    _Row(DOWN, "Hours down a year", "h/yr", _down_h_per_year),
    _Row(CARBON, "Carbon", "kg CO2e", _kgco2e),
    _Row(CARBON_PER_TB_YEAR, "Carbon per TB-year", "kg CO2e/TB-yr", _kgco2e_per_tb_year),
)
_WHOLE = "over the horizon"


def _rows(scene: Scene) -> list[_Row]:
    """The rows that are opened, those of the study's own work last."""
    of_work = [
        _Row(one.id, one.label, one.unit, partial(_of_work, one)) for one in work_figures(scene)
    ]
    return [*ROWS, *of_work]


def _row_working(
    study: StudySpec, scene: Scene, item: Costed, row: _Row, parts: Sequence[tuple[str, Any]]
) -> RowWorking:
    writer = _Writer(study)
    runs: dict[int, _Run] = {}
    for when, amount in parts:
        if amount == 0:
            continue
        run = runs.setdefault(writer.shape(amount), _Run())
        run.payments.append(
            Payment(when=when, months_count=1, each=plain(amount), value=plain(amount))
        )
        run.amounts.append(amount)
    return RowWorking(
        letter=item.letter,
        row=row.id,
        label=row.label,
        unit=row.unit,
        **_opened(writer, scene, list(runs.values()), [amount for _, amount in parts]),
    )


def _opened(
    writer: _Writer, scene: Scene, runs: list[_Run], amounts: Sequence[Any]
) -> dict[str, Any]:
    """The lines of runs, their terms, their sum, and every input that the amounts depend on."""
    lines, terms = _from_the_top(
        [
            PaidLine(formula=tuple(writer.tokens(tuple(run.amounts))), payments=tuple(run.payments))
            for run in runs
        ],
        writer.terms,
    )
    return {
        "value": fsum(paid.value for run in runs for paid in run.payments),
        "lines": lines,
        "terms": terms,
        "inputs": tuple(
            writer.input_term(number, (plain(number),))
            for number in inputs_of([*amounts, scene.months]).values()
        ),
    }


def driver(study: StudySpec, letter: str, cause: str) -> Term | None:
    """Return the price that most of a cause of a design goes with, else the input that does.

    That is the one by whose hundredth part it changes most; None where it has no input.
    """
    _, costed = explaining(study)
    amounts = [
        usd
        for item in costed
        if item.letter == letter
        for key, account in cause_book(item).causes.items()
        if key[0] == cause
        for usd in account.cash()
    ]
    inputs = [number for number in inputs_of(amounts).values() if number > 0]
    pulls: dict[int, float] = {}
    for place, number in enumerate(inputs):
        known = {id(number): plain(number) * 1.01}
        pulls[place] = abs(fsum(evaluated(usd, known) - plain(usd) for usd in amounts))
    prices = [place for place in pulls if "USD" in inputs[place].unit and pulls[place] > 0]
    found = max(prices or pulls, key=pulls.__getitem__, default=None)
    if found is None:
        return None
    return _Writer(study).input_term(inputs[found], (plain(inputs[found]),))


@dataclass(slots=True)
class _Run:
    """Payments by one formula, while they are put together."""

    payments: list[Payment] = field(default_factory=list)
    amounts: list[Any] = field(default_factory=list)


def _working(study: StudySpec, scene: Scene, item: Costed, lines: Sequence[Line]) -> Working:
    writer = _Writer(study)
    runs: dict[tuple[bool, int], _Run] = {}
    for line in lines:
        for at, usd in _paid(line):
            run = runs.setdefault((isinstance(at, range), writer.shape(usd)), _Run())
            count = len(at) if isinstance(at, range) else 1
            amount = plain(usd)
            payment = Payment(when=_when(at), months_count=count, each=amount, value=amount * count)
            run.payments.append(payment)
            run.amounts.append(usd)
    first = lines[0]
    return Working(
        letter=item.letter,
        cause=first.cause,
        side=first.side,
        label=BY_KEY[first.cause, first.side].label,
        unit="USD",
        **_opened(
            writer,
            scene,
            list(runs.values()),
            [amount for run in runs.values() for amount in run.amounts],
        ),
    )


def _from_the_top(
    lines: list[PaidLine], terms: list[Term]
) -> tuple[tuple[PaidLine, ...], tuple[Term, ...]]:
    """The same with the terms in the order in which one reads: each before those within it."""
    order: dict[int, int] = {}
    waiting = [token for line in lines for token in line.formula]
    while waiting:
        within = []
        for token in waiting:
            if isinstance(token, int) and token not in order:
                order[token] = len(order)
                within += [token for formula in terms[token].formulas for token in formula]
        waiting = within

    names = {place: _numbered(terms[place], at) for place, at in order.items()}
    # Of the same machines in several intervals of a year, say: each by its place among them.
    formulas = [line.formula for line in lines]
    for formula in [*formulas, *(own for place in order for own in terms[place].formulas)]:
        tokens = [one for one in dict.fromkeys(formula) if isinstance(one, int)]
        for name, alike in _by_name(tokens, names).items():
            if len(alike) > 1 and all(terms[one].pointer is None for one in alike):
                for count, one in enumerate(alike, start=1):
                    names[one] = f"{name}, {count} of {len(alike)}"

    def renumbered(formula: tuple[str | int, ...]) -> tuple[str | int, ...]:
        return tuple(order[token] if isinstance(token, int) else token for token in formula)

    return (
        tuple(line.model_copy(update={"formula": renumbered(line.formula)}) for line in lines),
        tuple(
            Term(
                name=names[place],
                unit=terms[place].unit,
                values=terms[place].values,
                pointer=terms[place].pointer,
                formulas=tuple(map(renumbered, terms[place].formulas)),
            )
            for place in order
        ),
    )


def _by_name(tokens: Sequence[int], names: Mapping[int, str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for token in tokens:
        found.setdefault(names[token], []).append(token)
    return found


def _numbered(term: Term, at: int) -> str:
    """What a term is called; a part that has no name of its own by its place."""
    is_part = term.pointer is None and term.name in _NUMBERED
    return f"{term.name} {at + 1}" if is_part else term.name


def _paid(line: Line) -> Iterator[tuple[int | range, Any]]:
    """What a line pays each time; equal amounts of months in a row together."""
    if not isinstance(line.usd, list) or not isinstance(line.at, range):
        yield line.at, line.usd
        return
    first = 0
    for month in range(1, len(line.usd) + 1):
        if month == len(line.usd) or line.usd[month] is not line.usd[first]:
            if line.usd[first] != 0:
                yield range(first, month), line.usd[first]
            first = month


def _when(at: int | range) -> str:
    if not isinstance(at, range):
        return "at the start" if at == 0 else f"after month {at}"
    first, last = at.start + 1, at.stop
    return f"month {first}" if first == last else f"each of months {first} to {last}"


_SYMBOLS: dict[Callable[..., Any], tuple[str, int]] = {
    operator.add: (" + ", 1),
    operator.sub: (" − ", 1),
    operator.mul: (" × ", 2),
    operator.truediv: (" / ", 2),
    operator.floordiv: (" div ", 2),
    operator.mod: (" mod ", 2),
    operator.pow: ("^", 4),
}
# Functions that a reader knows: what stands before, between and behind what they are of.
_READ: dict[Callable[..., Any], tuple[str, str, str]] = {
    ceil: ("round up(", ", ", ")"),
    nearest: ("round(", ", ", ")"),
    max: ("max(", ", ", ")"),
    min: ("min(", ", ", ")"),
    abs: ("abs(", ", ", ")"),
    log1p: ("ln(1 + ", ", ", ")"),
    expm1: ("(e^(", ", ", ") − 1)"),
    is_above: ("(1 if ", " > ", ", else 0)"),
    is_below: ("(1 if ", " < ", ", else 0)"),
}
FROM = "from"
_ATOM = 5


class _Writer:
    """Writes numbers that remember as formulas and terms.

    Numbers of one shape came about by the same steps of the same inputs, such as those of several
    years, so that one formula tells them all.
    """

    def __init__(self, study: StudySpec) -> None:
        self._study = study
        self.terms: list[Term] = []
        self._places: dict[tuple[int, ...], int] = {}
        self._shapes: dict[int, int] = {}
        self._known: dict[Any, int] = {}
        self._below: dict[int, frozenset[str]] = {}

    def shape(self, number: Any) -> int:
        """A number that those have in common which came about by the same steps."""
        if not is_worked(number):
            inside = tuple(map(self.shape, number)) if isinstance(number, (tuple, list)) else ()
            return self._known.setdefault(("constant", inside), len(self._known))
        found = self._shapes.get(id(number))
        if found is None:
            key: Any = (number.how, number.pointer, tuple(map(self.shape, number.parts)))
            if number.name and number.how is not None:
                # One of each year may have come about by other steps, of the same inputs.
                key = (number.name, self._inputs(number))
            found = self._shapes[id(number)] = self._known.setdefault(key, len(self._known))
        return found

    def _inputs(self, number: Any) -> frozenset[str]:
        found = self._below.get(id(number))
        if found is None:
            own = () if number.pointer is None else (number.pointer,)
            parts = [self._inputs(part) for part in inputs_in(number.parts) if is_worked(part)]
            found = self._below[id(number)] = frozenset(own).union(*parts)
        return found

    def tokens(self, numbers: tuple[Any, ...]) -> list[str | int]:
        """The formula of numbers of one shape, one for each payment."""
        return self._written(numbers)[0]

    def input_term(self, number: Any, values: tuple[float, ...]) -> Term:
        """An input as a term, named as a reader would."""
        name = number.name
        leaf = leaf_at(self._study, number.pointer)
        if leaf is not None:
            within = name_parts(self._study, leaf).within
            name = f"{', '.join(within)}: {lowered(name)}" if within else name
        return Term(name=name, unit=number.unit, values=values, pointer=number.pointer)

    def _written(self, numbers: tuple[Any, ...]) -> tuple[list[str | int], int]:
        """Tokens, and how closely the outermost of them bind."""
        first = numbers[0]
        if not is_worked(first):
            return self._constant(numbers), _ATOM
        if first.how is None or first.name:
            return [self._named(numbers)], _ATOM
        place = self._places.get(tuple(map(id, numbers)))
        if place is not None:
            return [place], _ATOM
        tokens, binding = self._operation(numbers)
        if len(tokens) > LONGEST_TOKENS:
            part = Term(
                name=PARTS.get(first.how, PART),
                unit="",
                values=_values(numbers),
                formulas=(tuple(tokens),),
            )
            return [self._put(numbers, part)], _ATOM
        return tokens, binding

    def _constant(self, numbers: tuple[Any, ...]) -> list[str | int]:
        """What an equation brings itself: numbers, lists of numbers, curves."""
        first = numbers[0]
        if isinstance(first, (tuple, list)):
            inner = [self._written(column)[0] for column in zip(*numbers, strict=True)]
            return ["(", *_listed(inner), ")"]
        if not isinstance(first, (float, int)):
            return [getattr(first, "__name__", type(first).__name__)]
        if all(number == first for number in numbers):
            return [f"{first:.12g}"]
        return [self._put(numbers, Term(name="Of the time", unit="", values=numbers))]

    def _named(self, numbers: tuple[Any, ...]) -> int:
        place = self._places.get(tuple(map(id, numbers)))
        if place is not None:
            return place
        first, values = numbers[0], _values(numbers)
        if first.pointer is not None:
            return self._put(numbers, self.input_term(first, values))
        inner = [number.parts[0] for number in numbers if number.how is not None]
        alike = (
            [(one,) for one in inner] if len(set(map(self.shape, inner))) > 1 else [tuple(inner)]
        )
        formulas = tuple(tuple(self.tokens(one)) for one in alike if one)
        term = Term(name=first.name, unit=first.unit, values=values, formulas=formulas)
        return self._put(numbers, term)

    def _put(self, numbers: tuple[Any, ...], term: Term) -> int:
        self.terms.append(term)
        place = self._places[tuple(map(id, numbers))] = len(self.terms) - 1
        return place

    def _operation(self, numbers: tuple[Any, ...]) -> tuple[list[str | int], int]:
        how = numbers[0].how
        columns = list(zip(*(number.parts for number in numbers), strict=True))
        if how in {chosen, same, float, in_currency}:
            return self._written(columns[0])
        written = [self._written(column) for column in columns]
        if how is operator.neg:
            tokens, binding = written[0]
            return ["−", *(_bracketed(tokens) if binding < 2 else tokens)], 2
        if how is total:
            return [*_listed([tokens for tokens, _ in written], " + ")], 1
        if how in _SYMBOLS:
            symbol, binding = _SYMBOLS[how]
            (left, inner_left), (right, inner_right) = written
            left = _bracketed(left) if inner_left < binding or how is operator.pow else left
            tight = how in {operator.add, operator.mul}
            loose = inner_right < binding if tight else inner_right <= binding
            right = _bracketed(right) if loose else right
            return [*left, symbol, *right], binding
        inner = [tokens for tokens, _ in written]
        if how in _READ:
            before, between, behind = _READ[how]
            return [before, *_listed(inner, between), behind], _ATOM
        # A step of the models that no formula says: what it is worked out from.
        return [f"{FROM} (", *_listed(inner), ")"], _ATOM


def _values(numbers: tuple[Any, ...]) -> tuple[float, ...]:
    values = tuple(map(plain, numbers))
    return values[:1] if all(value == values[0] for value in values) else values


def _bracketed(tokens: list[str | int]) -> list[str | int]:
    return tokens if len(tokens) == 1 else ["(", *tokens, ")"]


def _listed(parts: list[list[str | int]], between: str = ", ") -> Iterator[str | int]:
    for place, tokens in enumerate(parts):
        if place:
            yield between
        yield from tokens


def _run(params: WorkingsSpec, _context: Context) -> Workings:
    return workings(params, params.letter, params.cause)


def _points(study: WorkingsSpec) -> int:
    """Amounts of a costing: designs and months."""
    columns = len(study.designs) + (study.baseline is not None)
    return columns * (study.assumptions.horizon_months + 1)


SPEC = ModelSpec(
    id="plans.workings",
    version="1.7.0",
    title="Workings",
    summary="Every cause of a study's cost, line by line: when it is paid, by which formula, from "
    "which inputs; energy, carbon, work and cost per TB-year alike.",
    params=WorkingsSpec,
    result=Workings,
    run=_run,
    citations=(Citation(text="The equations of plans.compare, each with its source there"),),
    formulas=FORMULAS,
    limits=("Values as entered; what ranges do to a cause is in plans.compare.",),
    points=_points,
    point_limit=100_000,
)
