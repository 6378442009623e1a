"""What runs of arrays say side by side: which draws least, answers first, costs least."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple, Self

from pydantic import Field, PrivateAttr, StringConstraints, ValidationError, model_validator

from capmodels.numbers import percent, quantity
from capmodels.spec import (
    Citation,
    Context,
    Formula,
    JSONDict,
    ModelSpec,
    Params,
    blank,
    preset,
    refusal,
)
from capmodels.storage.simulator.figure_rows import Beside, rows_of, side_by_side
from capmodels.storage.simulator.figures import Shown, figures, power
from capmodels.storage.simulator.results import ArrayFigure, ArrayResult, FiguresTable
from capmodels.storage.simulator.told import all_responses, ms_text, yearly_usd
from capmodels.told import Figure, Told, listed
from capmodels.units import DurationMs, PowerW, UsdPerYear

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

# Below it, watts read the same.
_SAME_FRACTION = 0.005
Words = Annotated[str, StringConstraints(max_length=300)]


ResultJson = Annotated[str, StringConstraints(max_length=4_000_000)]


class RunArray(Params):
    """What the run of one array said: its whole answer, or what is entered of it.

    Or what the plan says of it: nothing is entered of a run then.
    """

    letter: Annotated[str, StringConstraints(min_length=1, max_length=2)]
    power_w: PowerW | None = blank("Mean power of the run.")
    wear: Words = preset("", "What it wears by, as the run says it.")
    p95_ms: DurationMs | None = None
    energy_usd_per_year: UsdPerYear | None = blank("At the run's mean power.")
    capital_usd_per_year: UsdPerYear | None = Field(
        default=None, description="Drives over their life; empty where a price is not known."
    )
    withheld: Words | None = Field(
        default=None, description="Why it cannot keep up; percentiles are withheld then."
    )
    title: Annotated[str, StringConstraints(max_length=200)] = ""
    result: ResultJson | None = blank(
        "The whole answer of storage.array as JSON in a text, to be drawn beside the others. What "
        "it says need not be entered."
    )
    figures: Annotated[tuple[ArrayFigure, ...], Field(max_length=40)] = preset(
        (), "What the plan says of the array, as plans.array_design has it."
    )
    why_none: Annotated[str, StringConstraints(max_length=2000)] | None = blank(
        "Why it says nothing."
    )

    _run: ArrayResult | None = PrivateAttr(None)

    @model_validator(mode="after")
    def _an_answer(self) -> Self:
        """Read the answer, which may be megabytes, once."""
        if self.result is not None:
            try:
                self._run = ArrayResult.model_validate_json(self.result)
            except ValidationError:
                text = "This is no answer of storage.array as it is now: simulate again."
                raise refusal("answer", text, at=("result",)) from None
        return self

    @property
    def run(self) -> ArrayResult | None:
        """The whole answer; None where there is none."""
        return self._run


class ArrayVerdictParams(Params):
    """Arrays that the same requests were simulated on."""

    arrays: Annotated[tuple[RunArray, ...], Field(min_length=1, max_length=26)]


class ArrayVerdict(Told):
    """The answer in one or two sentences that a planner could repeat, and what it is drawn as."""

    tables: tuple[FiguresTable, ...] = Field(
        description="Figures of the runs, and those of the plan."
    )
    over_time: tuple[Figure, ...] = Field(description="Power of each array over time.")


class Ran(NamedTuple):
    """What the headline takes of a run."""

    letter: str
    power_w: float
    wear: str
    p95_ms: float | None
    usd_per_year: float | None
    withheld: str | None


def _ran(array: RunArray) -> Ran | None:
    """What a run said; None of an array that was not run."""
    run = array.run
    if run is not None:
        p95_ms, usd = all_responses(run).p95_ms, yearly_usd(run)
        return Ran(array.letter, run.power_w, run.wear, p95_ms, usd, run.withheld)
    if array.power_w is None:
        return None
    capital = array.capital_usd_per_year
    usd = None if capital is None else (array.energy_usd_per_year or 0.0) + capital
    return Ran(array.letter, array.power_w, array.wear, array.p95_ms, usd, array.withheld)


def _named(array: Ran) -> str:
    return f"**{array.letter}**"


def _ordered(
    arrays: Sequence[Ran], measure: Callable[[Ran], float | None]
) -> list[tuple[float, Ran]]:
    """Arrays that have a measure, the least first."""
    known = [(value, one) for one in arrays if (value := measure(one)) is not None]
    return sorted(known, key=lambda pair: pair[0])


def _wear(arrays: Sequence[Ran]) -> str:
    """What equal power costs each array in wear."""
    texts = {one.wear for one in arrays}
    if len(texts) == 1:
        return f"Wear of each: {texts.pop()}."
    return f"Wear: {'; '.join(f'{one.letter} {one.wear}' for one in arrays)}."


def _power(arrays: Sequence[Ran]) -> str:
    ordered = sorted(arrays, key=lambda one: one.power_w)
    least, most = ordered[0], ordered[-1]
    watts = quantity(least.power_w, "W")
    share = 1 - least.power_w / most.power_w if most.power_w else 0.0
    if share < _SAME_FRACTION:
        return f"All use about {watts}. {_wear(arrays)}"
    return (
        f"{_named(least)} uses the least power: {watts}, {percent(share)} below {most.letter}; "
        f"{least.wear}."
    )


def _speed(arrays: Sequence[Ran]) -> str:
    known = _ordered(arrays, lambda one: one.p95_ms)
    if not known:
        return ""
    (first_ms, first), *others = known
    rival = f", {others[0][1].letter} within {ms_text(others[0][0])}" if others else ""
    return f"{_named(first)} answers 95% of requests within {ms_text(first_ms)}{rival}."


def _cost(arrays: Sequence[Ran]) -> str:
    """What drives and energy cost a year; nothing where a price is not known."""
    known = _ordered(arrays, lambda one: one.usd_per_year)
    if len(known) < len(arrays):
        return ""
    (least_usd, least), *others = known
    price = f"{quantity(least_usd, 'USD')} a year for drives and energy"
    if not others:
        return f"{_named(least)} costs {price}."
    next_usd, rival = others[0]
    return f"{_named(least)} costs least: {price}, {rival.letter} {quantity(next_usd, 'USD')}."


def _cannot(arrays: Sequence[Ran]) -> list[str]:
    """Who cannot keep up, a sentence for each reason."""
    reasons = dict.fromkeys(one.withheld for one in arrays)
    return [
        f"{listed([_named(one) for one in arrays if one.withheld == reason])} cannot keep up: "
        f"{reason}; percentiles are withheld."
        for reason in reasons
    ]


def headline(arrays: Sequence[Ran]) -> str:
    """Say who cannot keep up, and of the others who draws, answers and costs least."""
    on = [one for one in arrays if one.withheld is None]
    said = _cannot([one for one in arrays if one.withheld is not None])
    if len(on) == 1:
        (only,) = on
        draws = f"It draws {quantity(only.power_w, 'W')}; {only.wear}."
        said += [_speed(on), draws, _cost(on).replace(_named(only), "It")]
    elif on:
        said += [_power(on), _speed(on), _cost(on)]
    return " ".join(one for one in said if one)


Pair = tuple[RunArray, ArrayResult]


def _tables(arrays: Sequence[RunArray], pairs: Sequence[Pair]) -> Iterator[FiguresTable]:
    if pairs:
        ran = [
            Beside(one.letter, one.title, tuple(rows_of(run)), is_off=run.saturated)
            for one, run in pairs
        ]
        yield side_by_side("Figures of the runs", ran)
    if any(one.figures for one in arrays):
        planned = [
            Beside(one.letter, one.title, one.figures, one.why_none, one.withheld is not None)
            for one in arrays
        ]
        yield side_by_side("As designs of a study", planned)


def _run(params: ArrayVerdictParams, _context: Context) -> ArrayVerdict:
    arrays = params.arrays
    pairs = [(one, one.run) for one in arrays if one.run is not None]
    shown = [Shown(one.letter, one.title, run) for one, run in pairs]
    over_time = (power(one) for one in shown)
    ran = [said for one in arrays if (said := _ran(one)) is not None]
    return ArrayVerdict(
        headline=headline(ran),
        notes=tuple(f"{one.letter} {note}" for one, run in pairs for note in run.notes),
        tables=tuple(_tables(arrays, pairs)),
        figures=figures(shown) if shown else (),
        over_time=tuple(figure for figure in over_time if figure is not None),
    )


def _start() -> JSONDict:
    """Two arrays of one stream of requests: one always on, one whose disks sleep."""
    awake = {"letter": "A", "power_w": 12.0, "wear": "no start-stops", "p95_ms": 15.0}
    asleep = {"letter": "B", "power_w": 3.0, "wear": "864 start-stops a day", "p95_ms": 59.9}
    return {
        "arrays": [{**awake, "energy_usd_per_year": 10.5}, {**asleep, "energy_usd_per_year": 2.6}]
    }


SPEC = ModelSpec(
    id="storage.array_verdict",
    version="1.2.0",
    title="Simulated arrays side by side",
    summary="Says of runs of arrays on the same requests which draws the least power, which "
    "answers first and which costs least a year.",
    params=ArrayVerdictParams,
    result=ArrayVerdict,
    run=_run,
    points=lambda params: len(params.arrays),
    citations=(Citation(text="Orders the answers of storage.array, which has its own sources"),),
    formulas=(
        Formula(
            id="below",
            text="below = 1 - least watts / most watts",
            source="the same requests on each; less than half a percent is said to be alike",
        ),
        Formula(
            id="yearly",
            text="dollars a year = energy + drives over their life",
            source="as storage.array has both; said where every array's are known",
        ),
    ),
    start=_start,
    start_source="Illustrative figures of two runs",
    limits=("Runs of other requests, or of other seeds, are not told apart from the arrays.",),
)
