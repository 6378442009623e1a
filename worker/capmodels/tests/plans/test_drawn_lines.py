"""What single lines of charts and sentences say: ticks, ends, rows, and what counts as nothing."""

from __future__ import annotations

import pytest

from capmodels.numbers import Currency, money
from capmodels.plans.figures.capacity import shares_axis
from capmodels.plans.figures.certainty import tornado
from capmodels.plans.figures.compared import Compared
from capmodels.plans.figures.cumulative import cumulative
from capmodels.plans.figures.moves import why_moved
from capmodels.plans.figures.trade_offs import ENERGY, trade_off
from capmodels.plans.figures.waterfall import bridge, waterfall
from capmodels.plans.moves import Cause, Moved
from capmodels.tests.plans.documents import answer, cloud, demand, owned, plain

DOLLARS = Currency(code="USD", per_usd=1.0)


@pytest.mark.parametrize("ranked_by", ["cash", "present_value"])
@pytest.mark.parametrize("discounted", [False, True])
@pytest.mark.parametrize("months", [60, 72])
def test_a_curve_is_the_mean_where_designs_are_ranked_by_it_else_as_entered(
    ranked_by: str, months: int, *, discounted: bool
) -> None:
    study = plain([owned(), cloud()], ranked_by=ranked_by, horizon_months=months)
    prices = {"pointer": "/designs/B/instances/0/usd_per_h", "low": 0.5, "high": 2.5}
    found = answer({**study, "ranges": [prices], "draws_count": 64})
    of = Compared(found.model_dump(mode="json"))
    figure = cumulative(of, "A", "B", discounted=discounted)
    rented = found.designs[1]
    by_value = ranked_by == "present_value"
    entered = rented.cumulative_npv_usd if discounted else rented.cumulative_usd
    mean = rented.cumulative_ranked_usd
    assert mean[-1] != pytest.approx(entered[-1], rel=1e-3)
    assert figure.series[1].values == tuple(mean if discounted == by_value else entered)
    assert figure.across is not None
    every = 6 if months == 60 else 12
    assert figure.across.ticks == tuple(float(month) for month in range(0, months + 1, every))


def test_what_moves_the_answer_most_is_said_as_the_width_of_its_swing() -> None:
    study = plain([owned(), cloud()], demand(growth={"cores_fraction_per_year": 0.1}))
    ranges = [
        {"pointer": "/designs/B/instances/0/usd_per_h", "low": 0.01, "high": 2.5},
        {"pointer": "/designs/A/node_groups/0/price/unit_price_usd", "low": 900, "high": 1100},
    ]
    given = answer({**study, "ranges": ranges, "draws_count": 256}).model_dump(mode="json")
    rows = given["tornado"]
    figure = tornado(Compared(given))
    assert figure is not None
    widest = abs(rows[0]["at_high_usd"] - rows[0]["at_low_usd"])
    assert figure.title == f"{rows[0]['label']} moves the difference most: {money(widest, DOLLARS)}"
    # Half a dollar beyond zero is on its other side.
    ends = ((-0.5, 0.5, "flips"), (0.5, 0.6, ""), (-0.6, -0.5, ""))
    for low, high, role in ends:
        moved = [{**rows[0], "at_low_usd": low, "at_high_usd": high}, *rows[1:]]
        again = tornado(Compared({**given, "tornado": moved}))
        assert again is not None
        assert again.row_roles[0] == role


def test_a_bridge_leads_from_its_start_over_each_step_to_its_end() -> None:
    figure = bridge(
        "Costs rise", ("Before", 10.0, "A"), [("prices", 4.0), ("model", -1.0)],
        ("After", 13.0, "B"), name="", measure="", currency=DOLLARS,
    )  # fmt: skip
    assert figure.rows == ("Before", "prices", "model", "After")
    assert figure.row_roles == ("A", "more", "less", "B")


@pytest.mark.parametrize(("usd", "still"), [(0.004, True), (0.5, False)])
def test_less_than_half_a_cent_is_no_move(usd: float, still: bool) -> None:
    causes = (Cause("prices", "Prices", usd),)
    title = why_moved(Moved(10.0, 10.0 + usd, causes, "Cost", 0), DOLLARS).title
    assert (title == "The cost did not move") is still


def test_shares_are_ticked_at_every_quarter() -> None:
    axis = shares_axis("Used")
    assert axis.ticks == (0.0, 0.25, 0.5, 0.75, 1.0)
    assert axis.ticks_said == ("0%", "25%", "50%", "75%", "100%")


def test_a_bridge_names_what_saves_and_what_adds_most() -> None:
    dear = answer(plain([owned(), cloud()])).model_dump(mode="json")
    of = Compared(dear)
    there, back = waterfall(of, "A", "B"), waterfall(of, "B", "A")
    assert there is not None
    assert back is not None
    assert "largest saving hardware, largest addition instances on demand" in there.title
    assert "largest saving instances on demand, largest addition hardware" in back.title


def test_only_the_curves_of_the_two_compared_have_bands_and_those_of_the_ranked_measure() -> None:
    study = plain([owned(), cloud(), cloud("C")])
    prices = {"pointer": "/designs/B/instances/0/usd_per_h", "low": 0.5, "high": 2.5}
    of = Compared(answer({**study, "ranges": [prices], "draws_count": 64}).model_dump(mode="json"))
    cash, value = (cumulative(of, "A", "B", discounted=discounted) for discounted in (False, True))
    assert [bool(one.low) for one in cash.series] == [True, True, False]
    assert cash.series[1].low == tuple(of.designs[1]["cumulative_p10_usd"])
    assert cash.series[1].high == tuple(of.designs[1]["cumulative_p90_usd"])
    assert not any(one.low for one in value.series)


def test_a_trade_off_is_drawn_around_its_points_and_rows_are_called_by_their_years() -> None:
    found = answer(plain([owned(), cloud()], horizon_months=36))
    figure = trade_off(Compared(found.model_dump(mode="json")), ENERGY)
    assert figure.across is not None
    assert (figure.along.from_zero, figure.across.from_zero) == (False, False)
    labels = {row.id: row.label for row in found.rows}
    assert [labels[f"year_{year}_usd"][:6] for year in (1, 2, 3)] == ["Year 1", "Year 2", "Year 3"]
