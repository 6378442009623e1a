"""A study: designs, the workload, assumptions, a baseline, and ranges. The plan's input."""

from __future__ import annotations

import json
from typing import Annotated, Any, Self

from pydantic import Field, ModelWrapValidatorHandler, ValidationError, model_validator

from capmodels.plans.document.assumptions import Assumptions
from capmodels.plans.document.baseline import Baseline
from capmodels.plans.document.bounded import MOST_DRAWS
from capmodels.plans.document.fields import Finding, refuse
from capmodels.plans.document.partial_study import partial_study_of, with_findings
from capmodels.plans.document.parts import Parts
from capmodels.plans.document.question import Design, Range
from capmodels.plans.document.study_faults import find_faults
from capmodels.plans.document.workload import Workload
from capmodels.spec import Params, assumed, preset
from capmodels.units import Count, of_unit

# Eight designs with the spreads of all their defaults, and of the prices that stand in for those of
# their regions, stay below it.
RANGES_MOST = 320

DrawsCount = Annotated[int, of_unit("count", ge=0, le=MOST_DRAWS, strict=True)]


DESIGNS_MAX = 8

_designs = Parts(Design, kept=64)
_parts = {
    "workload": Parts(Workload, kept=16),
    "assumptions": Parts(Assumptions, kept=16),
    "baseline": Parts(Baseline, kept=16),
    "ranges": Parts(tuple[Range, ...], kept=16),
}


class StudySpec(Params):
    """One question: which of these designs should carry this work?"""

    designs: tuple[Design, ...] = Field(min_length=1, max_length=DESIGNS_MAX)
    workload: Workload
    assumptions: Assumptions = Assumptions()
    baseline: Baseline | None = None
    ranges: tuple[Range, ...] = Field(default=(), max_length=RANGES_MOST)
    draws_count: DrawsCount = assumed(
        0,
        "Simulations of the ranged inputs that give the odds; 0: none.",
        source="None unless asked for",
        title="Simulations",
    )
    seed: Count = preset(1, "The same seed gives the same simulations.")

    @model_validator(mode="before")
    @classmethod
    def _read_before(cls, document: Any) -> Any:
        """Take the parts that were read before, and leave those with faults to be told of."""
        if not isinstance(document, dict):
            return document
        read = dict(document)
        for name, parts in _parts.items():
            if isinstance(read.get(name), dict | list):
                read[name] = parts.read(read[name])
        designs = read.get("designs")
        if isinstance(designs, list | tuple) and len(designs) <= DESIGNS_MAX:
            read["designs"] = [_designs.read(design) for design in designs]
        return read

    def identity(self) -> str:
        """Return the same text as ``model_dump_json``; parts are written once."""
        fields = []
        for name in type(self).model_fields:
            value = getattr(self, name)
            if name == "designs":
                text = f"[{','.join(_designs.written(design) for design in value)}]"
            elif name in _parts and value is not None:
                text = _parts[name].written(value)
            else:
                text = json.dumps(value)
            fields.append(f'"{name}":{text}')
        return f"{{{','.join(fields)}}}"

    @model_validator(mode="wrap")
    @classmethod
    def _consistent(cls, document: Any, read: ModelWrapValidatorHandler[Self]) -> Self:
        """Tell faults across the study with those of its fields, as far as it can be read."""
        try:
            study = read(document)
        except ValidationError as error:
            raise with_findings(error, _across(document)) from None
        refuse(find_faults(study))
        return study


def _across(document: Any) -> list[Finding]:
    """Faults across a study some of whose fields have faults of their own."""
    if not isinstance(document, dict):
        return []
    partial = partial_study_of(document, _parts, _designs)
    study = StudySpec.model_construct(**partial.parts)
    return [finding for finding in find_faults(study) if partial.tells(finding)]
