"""Figures that models tell, as the PDF of a run draws them."""

from __future__ import annotations

import json
import random
import re
from html import unescape
from typing import Any, get_args

import pytest

from capmodels.numbers import quantity
from capmodels.tests.golden import FOLDER
from capmodels.told import Axis, Dot, Figure, Series
from reports.render.draw.looks import colors_of
from reports.render.draw.regions import room_in
from reports.render.draw.told import drawn
from reports.render.tokens import cause_color, design_color, tint_color, tokens

KINDS = get_args(Figure.model_fields["kind"].annotation)


def told_figures() -> list[tuple[str, dict[str, Any]]]:
    """Every figure of a kept answer."""
    found = []
    for path in sorted(FOLDER.glob("*.json")):
        result = json.loads(path.read_text()).get("result") or {}
        figures = [one for one in result.get("figures") or () if "kind" in one]
        found += [(f"{path.stem}-{place}", one) for place, one in enumerate(figures)]
    return found


def texts_of(picture: bytes | None) -> list[str]:
    assert picture is not None
    return [unescape(text) for text in re.findall(r">([^<>]+)</text>", picture.decode())]


@pytest.mark.parametrize("figure", [pytest.param(one, id=name) for name, one in told_figures()])
def test_a_figure_of_every_model_names_its_series_and_axes(figure: dict[str, Any]) -> None:
    said = " ".join(texts_of(drawn(figure)))
    if len(figure["series"]) > 1 and figure["kind"] not in {"cells", "regions"}:
        assert all(one["name"][:12] in said for one in figure["series"])
    if figure["across"]:
        assert figure["across"]["title"] in said
    assert all(row[:8] in said for row in figure["rows"][:5])


def random_figure(kind: str, seed: int) -> dict[str, Any]:
    """A figure of a kind with holes, zeros, long and strange names, as drawn from a seed."""
    draw = random.Random(seed)
    rows = [draw.choice(["a", "<b> & c", "long " * 30, "é∆"]) for _ in range(draw.randint(1, 14))]
    is_steps = kind in {"waterfall", "swings"}
    is_rows = is_steps or kind in {"stacked", "grouped", "columns", "ranges"}
    count = len(rows) if is_rows else draw.randint(1, 40)
    at = sorted(draw.uniform(0.01, 1e6) for _ in range(count))

    series = {"waterfall": 1, "swings": 2}.get(kind) or draw.randint(1, 9)

    def one(place: int) -> Series:
        values = [
            None if draw.random() < 0.1 and kind != "steps" else draw.choice([0.0, 1e-9, 3.0, 4e7])
            for _ in range(count - (kind == "steps" and count > 1))
        ]
        ends = [None if v is None else v * 0.5 for v in values] if kind == "ranges" else []
        return Series(
            name=draw.choice(["one", "two " * 20, "<three>"]), values=tuple(values),
            at=() if is_rows else tuple(at), low=tuple(ends), high=tuple(ends),
            role=("low", "high")[place % 2] if is_steps else draw.choice(["", "A", "idle"]),
            base=(2.0,) * count if is_steps else (), texts=("x",) * count if is_steps else (),
            style=draw.choice(["line", "steps"]) if place or kind != "columns" else "line",
        )  # fmt: skip

    figure = Figure(
        kind=kind, name="Name", title="Title", rows=tuple(rows) if is_rows else (),
        along=Axis(title="Along", unit=draw.choice(["W", "s", "fraction", "USD"]),
                   is_log=draw.random() < 0.5 and kind in {"lines", "points"}),
        across=None if is_rows else Axis(title="Across", unit="B", is_log=draw.random() < 0.5),
        row_roles=("A", *["more"] * (count - 1)) if is_steps else (),
        row_notes=("note",) * count if is_steps else (),
        series=tuple(one(place) for place in range(series)),
        levels=tuple(range(9)), marks=(3.0,) if kind == "lines" else (),
    )  # fmt: skip
    if kind == "regions":
        names = ("a", "<b> & c", "long " * 30)
        cells = tuple(
            one.model_copy(update={"values": tuple(v and v % 3 for v in one.values)})
            for one in figure.series
        )
        levels = tuple(10.0**row for row in range(len(cells)))
        dots = tuple(Dot(role=role, at=at[0], value=1.0, text=names[2]) for role in ("", "chosen"))
        figure = figure.model_copy(
            update={"kinds": names, "series": cells, "levels": levels, "dots": dots}
        )
    return figure.model_dump(mode="json")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(6))
def test_a_figure_of_any_kind_is_drawn_or_has_nothing_to_draw(kind: str, seed: int) -> None:
    figure = random_figure(kind, seed)
    picture = drawn(figure)
    has_values = any(value is not None for one in figure["series"] for value in one["values"])
    assert (picture is not None) is has_values
    if picture is not None:
        # A map's cells are a picture in base 64, which may spell anything.
        drawing = re.sub(rb'"data:image[^"]*"', b"", picture)
        assert b"nan" not in drawing.lower().replace(b"finance", b"")


def test_designs_and_states_keep_their_colours() -> None:
    roles = ("B", "idle", "", "x", "owned/hardware", "tint/2")
    states = tokens()["states"]
    stacked = colors_of("stacked", roles)
    assert stacked[1] == states["idle"]["light"]
    assert stacked[4:] == [cause_color("owned", "hardware"), tint_color(2)]
    lines = colors_of("lines", roles)
    assert lines[0] == design_color("B")
    assert lines[2] == design_color("C")


def test_stacked_bars_say_what_they_come_to() -> None:
    figure = random_figure("stacked", 3)
    figure |= {"rows": ["first", "second"], "row_notes": []}
    figure["along"] = {"title": "Power", "unit": "W", "is_log": False}
    figure["series"] = [
        {"name": "Disks", "values": [1.0, 3.0], "at": [], "names": [], "kinds": []},
        {"name": "Nodes", "values": [1.0, None], "at": [], "names": [], "kinds": []},
    ]
    said = texts_of(drawn(figure))
    assert {quantity(2.0, "W"), quantity(3.0, "W")} <= set(said)
    assert quantity(1.0, "W") not in said


@pytest.mark.parametrize(
    ("values", "at", "share"),
    [([0, 1, 1, 1, 1, 1], 3, 5 / 6), ([0, 1, 1, 1, 1, 1], 2, 3 / 6), ([1] * 7, 3, 1.0)],
)
def test_a_name_of_a_region_has_the_width_of_its_cells(
    values: list[int], at: int, share: float
) -> None:
    places = [10.0**place for place in range(len(values))]
    rows = [{"at": places, "values": values}]
    width_in = room_in(rows, [1.0], {"at": places[at], "value": 1.0})
    # As wide as a page's figure, less what stands beside the axes.
    assert width_in == pytest.approx(share * (6.9 - 0.8 - 0.3))
    assert room_in(rows, [1.0], {"at": places[-1], "value": 1.0}) == 1.1
