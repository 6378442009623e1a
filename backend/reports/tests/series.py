"""The plan's answer to a document, and what charts draw of it, for the tests of screen and print.

``python -m reports.tests.series`` writes ``fixtures/comparison.json``, the plan's answer to
``fixtures/document.json``, and ``fixtures/figures.json`` anew.
"""

from __future__ import annotations

from capmodels.plans.figures.drawn import drawn
from capmodels.registry import get_model
from capmodels.spec import Context, validate
from reports.tests.samples import FIXTURES, comparison, document

FILE = FIXTURES / "figures.json"


def drawn_json() -> str:
    """Return what charts draw of the shared comparison."""
    return drawn(comparison()).model_dump_json(indent=1) + "\n"


def answer_json() -> str:
    """Return the plan's answer to the shared document."""
    spec = get_model("plans.compare")
    params = validate(spec, document())
    answer: str = spec.run(params, Context(seed=params.seed)).model_dump_json()
    return answer + "\n"


def _write() -> None:
    (FIXTURES / "comparison.json").write_text(answer_json())
    FILE.write_text(drawn_json())


if __name__ == "__main__":
    _write()
