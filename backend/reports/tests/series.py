"""The figures of a report as plain series: what the screen's figures are held against.

``python -m reports.tests.series`` writes ``fixtures/comparison.json``, the plan's answer to
``fixtures/document.json``, and ``fixtures/figures.json`` anew.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from capmodels.registry import get_model
from capmodels.spec import Context, validate
from reports.render.figures import capacity, certainty, costs, cumulative, footprint
from reports.render.figures.pair import default_pair
from reports.render.tokens import design_color
from reports.tests.samples import FIXTURES, document, report

if TYPE_CHECKING:
    from reports.render.contents import JSONDict, ReportInput
    from reports.render.figures.shapes import (
        BarFigure,
        LineFigure,
        TornadoFigure,
        WaterfallFigure,
    )

FILE = FIXTURES / "figures.json"


def figures_of(of: ReportInput) -> JSONDict:
    """Return title, summary and series of every figure that screen and page share."""
    bridge, swings, wins = (
        costs.waterfall(of, *default_pair(of)),
        certainty.tornado(of),
        certainty.odds(of),
    )
    assert bridge
    assert swings
    assert wins
    return {
        "cumulative": _lines(cumulative.cumulative_cost(of)),
        "waterfall": _steps(bridge),
        "causes": _bars(costs.cost_by_cause(of)),
        "energy": _bars(footprint.energy(of)),
        "carbon": _bars(footprint.carbon(of)),
        "binding": _bars(capacity.capacity(of)),
        "odds": _bars(wins),
        "tornado": _swings(swings),
    }


def _said(figure: LineFigure | BarFigure | WaterfallFigure | TornadoFigure) -> JSONDict:
    return {"title": figure.title, "summary": figure.summary}


def _lines(figure: LineFigure) -> JSONDict:
    lines = [
        {"name": line.label, "colors": [design_color(line.letter)], "values": list(line.y)}
        for line in figure.lines
    ]
    marks = [{"x": mark.x, "y": mark.y, "label": mark.label} for mark in figure.marks]
    bands = [{"low": list(band.low), "high": list(band.high)} for band in figure.bands]
    return _said(figure) | {"series": lines, "bands": bands, "marks": marks}


def _bars(figure: BarFigure) -> JSONDict:
    bars = [
        {
            "name": bar.name,
            "colors": list(dict.fromkeys(bar.colors)),
            "values": [value or 0.0 for value in bar.values],
        }
        for bar in figure.bars
    ]
    return _said(figure) | {"series": bars, "low": list(figure.low), "high": list(figure.high)}


def _steps(figure: WaterfallFigure) -> JSONDict:
    steps = [[step.label, step.start, step.change, step.text] for step in figure.steps]
    return _said(figure) | {"steps": steps}


def _swings(figure: TornadoFigure) -> JSONDict:
    swings = [
        [swing.label, swing.low_text, swing.high_text, swing.at_low, swing.at_high]
        for swing in figure.swings
    ]
    return _said(figure) | {"center": figure.center, "swings": swings}


def _write() -> None:
    spec = get_model("plans.compare")
    params = validate(spec, document())
    answer = spec.run(params, Context(seed=params.seed))
    (FIXTURES / "comparison.json").write_text(answer.model_dump_json() + "\n")
    FILE.write_text(json.dumps(figures_of(report()), ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    _write()
