"""What the plan says of a study's draft: its faults, its verdict. No database here."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from capmodels.errors import Fault, ModelError, ParamsError
from capmodels.plans.outlook import verdict_usd
from capmodels.registry import get_model
from capmodels.spec import Context, inputs_hash, validate
from studies.documents import PLAN, split_faults

if TYPE_CHECKING:
    from capmodels.spec import AnyModel, JSONDict, Params


logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a card says of a study, and the hash of the inputs that it holds for."""

    hash: str
    winner: str
    cost_usd: float | None
    verdict: JSONDict


@dataclass(frozen=True, slots=True)
class Checked:
    """A draft held against the plan's schema.

    ``faults`` are all of them, designs by letter; ``by_letter`` those of each design,
    with pointers relative to its fields. Without faults there are ``params`` to run.
    """

    faults: list[Fault] = field(default_factory=list)
    by_letter: Mapping[str, list[Fault]] = field(default_factory=dict)
    params: Params | None = None
    hash: str = ""


def check(document: JSONDict) -> Checked:
    """Hold a study's document against the plan's schema, piece by piece.

    A fault in one piece hides none in another: pydantic validates every field.
    """
    spec = get_model(PLAN)
    letters = [design["letter"] for design in document["designs"]]
    try:
        params = validate(spec, document)
    except ParamsError as error:
        return Checked(*split_faults(error.faults, letters))
    identity = inputs_hash(spec, params, document["seed"])
    return Checked([], {letter: [] for letter in letters}, params, identity)


def judge(checked: Checked, *, draws_count: int = 0) -> Verdict | None:
    """Return the verdict on a draft without faults, or None where the plan has none.

    Without draws the odds are left out of it; that takes milliseconds.
    """
    if checked.params is None:
        return None
    spec = get_model(PLAN)
    params = checked.params.model_copy(update={"draws_count": draws_count})
    try:
        comparison = spec.run(params, Context(seed=getattr(params, "seed", 0)))
    except ModelError:
        return None
    except Exception:
        # A bug in the plan must not cost the planner what they typed.
        logger.exception("the plan failed on a draft")
        return None
    return verdict_in(comparison.model_dump(mode="json"), checked.hash)


def verdict_in(comparison: Mapping[str, Any], identity: str) -> Verdict:
    """Return the verdict that a comparison holds, with the cost of the cheapest design."""
    winner, usd = comparison["winner"], verdict_usd(comparison)
    return Verdict(identity, winner or "", usd, dict(comparison["verdict"]))


def params_of(spec: AnyModel, document: Mapping[str, Any]) -> Params:
    """Return any model's params; a comparison's faults name its designs by letter.

    Raises
    ------
    ParamsError
        With every fault of the document at once.
    """
    try:
        return cast("Params", validate(spec, document))
    except ParamsError as error:
        if spec.id != PLAN:
            raise
        raise ParamsError(split_faults(error.faults, letters_of(document))[0]) from error


def letters_of(document: Mapping[str, Any]) -> list[str]:
    """Return the letters of a document's designs, or their places where letters are missing."""
    designs = document.get("designs")
    if not isinstance(designs, list | tuple):
        return []
    return [
        str(design.get("letter", place)) if isinstance(design, Mapping) else str(place)
        for place, design in enumerate(designs)
    ]
