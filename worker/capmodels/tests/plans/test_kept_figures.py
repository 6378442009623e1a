"""What charts draw of the runs that a study kept."""

from datetime import UTC, datetime

from capmodels.numbers import USD, Currency, quantity
from capmodels.plans.figures.kept import Kept, over_runs


def run(
    on: int, winner: str, cost_usd: float | None = None, odds: dict[str, float] | None = None
) -> Kept:
    """A run of a day in November."""
    at = datetime(2026, 11, on, 9, 30, tzinfo=UTC)
    return Kept(at=at, winner=winner, cost_usd=cost_usd, odds=odds)


def test_the_cost_of_the_cheapest_design_is_told_in_the_currency_of_the_study() -> None:
    yen = Currency("JPY", 150)
    (figure,) = over_runs([run(3, "A", 1300), run(2, "A"), run(1, "A", 1000)], yen)
    told = figure.title.replace("\u00a0", " ")
    assert told == "Cost of the cheapest design: ¥195 k, +¥45.0 k in 2 runs"
    assert figure.series[0].values == (1000, 1300)
    assert quantity(figure.series[0].at[0], "instant") == "1 Nov 2026, 09:30"
    assert figure.across is not None
    assert figure.across.title == "Time (UTC)"


def test_the_cheapest_design_is_named_where_it_changes() -> None:
    runs = [run(5 - at, winner, 1000) for at, winner in enumerate("ABBAA")]
    (figure,) = over_runs(runs, USD)
    assert [(dot.text, dot.at) for dot in figure.dots] == [
        (letter, run(day, "A").at_ms) for letter, day in (("A", 1), ("B", 3), ("A", 5))
    ]
    assert [one.values[1] for one in figure.twin[:2]] == ["2026-11-02 09:30", "A"]


def test_each_design_that_ever_stood_has_its_odds_oldest_run_first() -> None:
    runs = [
        run(3, "B", odds={"B": 0.6, "C": 0.4}),
        run(2, "A"),
        run(1, "A", odds={"A": 0.9, "B": 0.1}),
    ]
    (figure,) = over_runs(runs, USD)
    assert figure.title == "B is cheapest in 60% of the simulations, in the first run 10%"
    assert {one.role: one.values for one in figure.series} == {
        "A": (0.9, None),
        "B": (0.1, 0.6),
        "C": (None, 0.4),
    }
    assert [one.values[1] for one in figure.twin[1:]] == ["B", None, 0.6, 0.4]
    (other,) = over_runs([run(2, "D", odds={"D": 1.0}), run(1, "A", odds={"A": 1.0})], USD)
    assert other.title.endswith("in the first run not a design")


def test_one_run_alone_is_no_chart() -> None:
    assert over_runs([run(2, "A", 5, {"A": 1}), run(1, "")], USD) == ()
