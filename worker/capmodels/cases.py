"""What a model may be asked to begin with: its defaults, and the inputs of its published checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.errors import ParamsError
from capmodels.spec import validate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from capmodels.spec import AnyModel, Check, JSONDict


def case_params(spec: AnyModel, check: Check) -> JSONDict | None:
    """Return the whole input behind a check's figure; None where the check carries none."""
    return None if check.params is None else _whole(spec, check.params())


def cases_of(spec: AnyModel) -> list[JSONDict]:
    """Return ``{check, title, source, params}`` of each check that carries its input.

    First the model's defaults, where they are a paper's and not what it begins with.
    """
    found = ((check, case_params(spec, check)) for check in spec.checks)
    return _papers(spec) + [
        {"check": check.id, "title": check.title, "source": check.source, "params": params}
        for check, params in found
        if params is not None
    ]


def start_of(spec: AnyModel) -> JSONDict | None:
    """Return a whole input that the model answers: its start, its defaults, else its first case.

    None where neither is complete: the model needs a document of the planner's own.
    """
    if spec.start is not None:
        return _whole(spec, spec.start())
    try:
        return _whole(spec, {})
    except ParamsError:
        return next((case["params"] for case in cases_of(spec)), None)


def _papers(spec: AnyModel) -> list[JSONDict]:
    if spec.start is None or spec.paper is None:
        return []
    source = spec.citations[0].text if spec.citations else ""
    try:
        params = _whole(spec, spec.paper())
    except ParamsError:
        # What it is asked about has no default: no paper says which.
        return []
    return [{"check": "paper", "title": "As the paper has it", "source": source, "params": params}]


def _whole(spec: AnyModel, document: Mapping[str, object]) -> JSONDict:
    params: JSONDict = validate(spec, document).model_dump(mode="json")
    return params
