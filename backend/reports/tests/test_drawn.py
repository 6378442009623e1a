"""What stands in a picture of a report: the marks themselves, read before they are written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from capmodels.numbers import Currency
from capmodels.plans.figures.waterfall import bridge
from capmodels.told import Axis, Figure, Series
from reports.render.draw import bars, frame, lines, steps, told
from reports.render.text import segments
from reports.tests.samples import report

if TYPE_CHECKING:
    from types import ModuleType

WIDTH_IN = 6.0


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The canvases that pictures are written from."""
    found: list[Any] = []

    def keep(canvas: Any) -> bytes:
        found.append(canvas)
        return b""

    modules: tuple[ModuleType, ...] = (bars, frame, lines, steps, told)
    for module in modules:
        monkeypatch.setattr(module, "to_svg", keep)
    return found


DOLLARS = Axis(title="", unit="USD")


def figure(kind: Any, *series: Series, **fields: Any) -> Figure:
    return Figure(kind=kind, name="x", title="", along=DOLLARS, series=series, **fields)


def columns(*series: Series) -> Figure:
    return figure("stacked", *series, rows=("A, a", "B, b"), row_roles=("A", "B"))


SERIES = Series(name="s", values=(3.0, 4.0))


def test_a_range_has_an_end_across_each_of_its_two_ends(drawn: list[Any]) -> None:
    ends = Series(
        name="r", style="range", values=(3.0, 4.0), low=(2.0, 3.0), high=(4.0, 6.0),
        kinds=("modelled", "estimate"),
    )  # fmt: skip
    ranged = columns(SERIES, ends)
    bars.draw_bars(ranged, report().currency, WIDTH_IN)
    (axes,) = drawn[0].axes
    across = [line.get_xydata().tolist() for line in axes.lines if line.get_xdata()[0] == 6.0]
    assert across == [[[6.0, pytest.approx(0.88)], [6.0, pytest.approx(1.12)]]]


def test_bars_leave_the_room_that_their_names_take(drawn: list[Any]) -> None:
    bars.draw_bars(columns(SERIES), report().currency, WIDTH_IN)
    (axes,) = drawn[0].axes
    box = axes.get_position()
    assert box.x0 * WIDTH_IN == pytest.approx(bars.NAMES_IN)
    assert WIDTH_IN - 0.5 < box.x1 * WIDTH_IN < WIDTH_IN


def test_columns_have_their_letters_over_them_below_the_line_of_what_is_there(
    drawn: list[Any],
) -> None:
    used = Series(name="A, a", role="A", values=(0.5, None), texts=("A ●", "—"))
    cores = figure("columns", used, used, rows=("Cores", "RAM"), limit=1.0)
    told.drawn(cores.model_dump())
    (axes,) = drawn[0].axes
    assert [text.get_weight() for text in axes.texts[:2]] == [600, 400]
    assert axes.get_ylim()[1] >= 1.0
    assert axes.get_legend() is None


def test_curves_leave_the_room_that_long_amounts_take(drawn: list[Any]) -> None:
    francs = Currency("CHF", 0.8)
    curve = Series(name="A, a", role="A", at=(0.0, 36.0), values=(0.0, 4e6), end="4")
    months = Axis(title="Months", unit="count")
    lines.draw_lines(figure("lines", curve, across=months), francs, WIDTH_IN, 3.0)
    costs = (1e6, 2e6)
    plan = Series(name="Planned", role="A", at=(0.0, 1.0), values=costs, low=costs, high=costs)
    actual = Series(name="Actual", role="actual", at=(0.0, 1.0), values=costs)
    told.drawn(figure("lines", plan, actual, across=months).model_dump(), francs)
    for canvas in drawn:
        canvas.draw_without_rendering()
        (axes,) = canvas.axes
        assert min(label.get_window_extent().x0 for label in axes.get_yticklabels()) >= 0
    assert len(drawn) == 2


def test_a_step_of_a_waterfall_is_joined_to_the_next_at_its_end(drawn: list[Any]) -> None:
    steps.draw_waterfall(waterfall(), report().currency, WIDTH_IN)
    (axes,) = drawn[0].axes
    assert [line.get_xdata()[0] for line in axes.lines[:3]] == [100.0, 130.0, 110.0]


def waterfall() -> Figure:
    changes = [("nodes", 30.0), ("energy", -20.0)]
    ends = ("A, a", 100.0, "A"), ("B, b", 110.0, "B")
    dollars = report().currency
    return bridge("", ends[0], changes, ends[1], name="w", measure="Cost", currency=dollars)


def test_a_mark_without_its_pair_is_text() -> None:
    assert segments("2 ** 3") == [{"text": "2 ** 3", "bold": False}]


def test_what_is_dashed_stands_over_the_areas_and_not_on_top_of_them(drawn: list[Any]) -> None:
    """Demand was drawn as another part of what carries it, and the sum as twice of it."""
    at = (0.0, 1.0)
    parts = [Series(name=name, at=at, values=(3.0, 4.0)) for name in ("owned", "rented")]
    demand = Series(name="demand", at=at, values=(6.0, 8.0), style="dashes", role="actual")
    asked = figure("areas", *parts, demand, across=Axis(title="Months", unit=""), marks=(1.0,))
    told.drawn(asked.model_dump(mode="json"))
    (axes,) = drawn[0].axes
    assert len(axes.collections) == 2
    assert [line.get_ydata()[-1] for line in axes.lines if len(set(line.get_xdata())) == 2] == [8.0]
    assert axes.get_ylim()[1] < 10.0
