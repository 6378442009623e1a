"""The like-for-like check: may these designs be compared, and what is it worth where not?

Rules over the resolved study; each finding has the change of the mean gap between the leader
and its best rival once it is fixed, all designs on the same trials.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from pydantic import Field, JsonValue, ValidationError

from capmodels.errors import ModelError
from capmodels.numbers import whole_of
from capmodels.plans.answer.flips import cheapest_then
from capmodels.plans.answer.memo import columns_of
from capmodels.plans.check.lease_or_buy import LeaseOrBuy, lease_or_buy
from capmodels.plans.check.registry import RULES
from capmodels.plans.check.rule import read_anew
from capmodels.plans.costing.scene import Scene
from capmodels.plans.document.study import StudySpec
from capmodels.plans.document.upgrades import PARAMS_VERSION, UPGRADES
from capmodels.plans.words import money, name_of_letter
from capmodels.spec import Citation, Context, Formula, ModelSpec, Result, blank, preset
from capmodels.told import listed

if TYPE_CHECKING:
    from capmodels.plans.check.money_kernel import Standing
    from capmodels.plans.check.rule import Change, Found, Rule


class Patch(Result):
    """One place of the document and what to write there; designs by letter."""

    pointer: str = Field(description="Where to write; designs by letter.")
    value: JsonValue = Field(description="What to write there.")


class Finding(Result):
    """Where designs are not alike."""

    key: str = Field(description="The first of `keys`.")
    keys: tuple[str, ...] = preset(
        (), "All that it takes to accept it: what one remedy serves is one finding."
    )
    rule: str = Field(description="Number of the rule.")
    title: str = Field(description="The rule in a few words.")
    sentence: str = Field(description="What is not alike, and what to do.")
    pointer: str = Field(description="JSON pointer to the field that it is about.")
    not_counted: bool = Field(description="A cost is missing.")
    fix: tuple[Patch, ...] = Field(
        description="What to write to remedy it; empty where there is no one remedy."
    )
    money_usd: float | None = blank(
        "How much the fix changes the leader's mean gap to its best rival; null where it is "
        "unknown."
    )
    money: str = Field(description="The same in words.")
    winner_after: str | None = blank("Letter of another leader after it.")
    then: str | None = blank("All that cost the same as that, in words.")
    accepted: str | None = blank("Why it was left as it is.")


class LikeForLike(Result):
    """What the check finds."""

    sentence: str = Field(description="The check in a sentence.")
    winner: str | None = Field(description="Letter of the cheapest design.")
    gap_usd: float | None = Field(description="Its mean gap to its best rival.")
    open_count: int = Field(description="Findings neither fixed nor accepted.")
    rules_count: int = Field(description="Rules that were held to it.")
    findings: tuple[Finding, ...] = Field(description="Where designs are not alike.")
    lease_or_buy: tuple[LeaseOrBuy, ...] = preset(
        (), "Each owned design leased and bought, in the same simulations."
    )


UNKNOWN = "amount unknown"
# What a sentence says its remedy after.
FIX = " Fix: "


def check(study: StudySpec) -> LikeForLike:
    """Hold a study to every rule."""
    found = [(rule, item) for rule in RULES for item in rule.find(study)]
    letters = _competing(study)
    before = _standing(study, letters) if len(letters) > 1 else None
    accepted = {item.finding: item.because for item in study.assumptions.accepted}
    findings = [_finding(study, group, before, accepted) for group in _by_remedy(found)]
    findings.sort(key=lambda item: (item.accepted is not None, -abs(item.money_usd or 0.0)))
    open_count = sum(item.accepted is None for item in findings)
    return LikeForLike(
        sentence=_sentence(findings, open_count, before),
        winner=None if before is None else before.leader,
        gap_usd=None if before is None else before.gap_usd(before.leader),
        open_count=open_count,
        rules_count=len(RULES),
        findings=tuple(findings),
        lease_or_buy=lease_or_buy(study),
    )


def _by_remedy(found: list[tuple[Rule, Found]]) -> list[list[tuple[Rule, Found]]]:
    """Findings that one remedy serves together; one without a remedy is alone."""
    groups: dict[str, list[tuple[Rule, Found]]] = {}
    for rule, item in found:
        key = repr(item.changes) if item.changes else f"{rule.number}:{item.pointer}"
        groups.setdefault(key, []).append((rule, item))
    return list(groups.values())


def _told(group: list[tuple[Rule, Found]]) -> str:
    """What findings of one remedy say, each once, and the remedy after them."""
    parts = [item.sentence.partition(FIX) for _, item in group]
    said = " ".join(dict.fromkeys(before for before, _, _ in parts))
    fixes = " ".join(dict.fromkeys(f"{fix}{after}" for _, fix, after in parts if fix))
    return f"{said}{fixes}"


# Less is the rounding of sums.
_HALF_A_CENT = 0.005


def _competing(study: StudySpec) -> list[str]:
    scene = Scene(study)
    return [c.result.letter for c in columns_of(study, scene) if c.result.carries_load]


def _standing(study: StudySpec, letters: list[str]) -> Standing:
    from capmodels.plans.check.money_kernel import standing

    return standing(study, letters)


def _finding(
    study: StudySpec,
    group: list[tuple[Rule, Found]],
    before: Standing | None,
    accepted: dict[str, str],
) -> Finding:
    item = group[0][1]
    keys = [f"{rule.number}:{one.pointer}" for rule, one in group]
    reasons = [accepted[key] for key in keys if key in accepted]
    usd, leaders = _money(study, item, before)
    told = UNKNOWN if usd is None else money(abs(usd), study.assumptions.currency)
    if usd is not None and before is not None:
        lead = f"lead of {name_of_letter(study, before.leader)}"
        side = "wider" if usd > 0 else "narrower"
        told = f"does not move the {lead}" if abs(usd) < _HALF_A_CENT else f"{told} {side} {lead}"
    return Finding(
        key=keys[0],
        keys=tuple(keys),
        rule=listed(list(dict.fromkeys(str(rule.number) for rule, _ in group))),
        title=" and ".join(dict.fromkeys(rule.title for rule, _ in group)),
        sentence=_told(group),
        pointer=item.pointer,
        not_counted=all(item.not_counted for _, item in group),
        fix=tuple(Patch(pointer=c.pointer, value=c.value) for c in item.changes),
        money_usd=usd,
        money=told,
        winner_after=leaders[0] if leaders else None,
        then=cheapest_then(leaders, "then") if leaders else None,
        accepted=" ".join(dict.fromkeys(reasons)) if len(reasons) == len(keys) else None,
    )


def _money(
    study: StudySpec, item: Found, before: Standing | None
) -> tuple[float | None, list[str]]:
    """Change of the leader's mean gap after the fix, and who leads then if it is others."""
    if before is None or not item.changes:
        return None, []
    try:
        fixed = changed(study, item.changes)
        letters = [letter for letter in before.mean_usd if letter in _competing(fixed)]
        if len(letters) < 2 or before.leader not in letters:
            return None, []
        after = _standing(fixed, letters)
    except (ValidationError, ModelError, ArithmeticError):
        return None, []
    leader = before.leader
    others = [] if leader in after.leaders else after.leaders
    return after.gap_usd(leader) - before.gap_usd(leader), others


def changed(study: StudySpec, changes: tuple[Change, ...]) -> StudySpec:
    """The study with changes applied, read anew."""
    document: Any = study.model_dump(mode="json")
    for change in changes:
        _write(document, change.pointer.split("/")[1:], copy.deepcopy(change.value))
    return read_anew(document, [change.pointer for change in changes])


def _write(here: Any, path: list[str], value: Any) -> None:
    for key in path[:-1]:
        here = here[_key(here, key)]
    key = _key(here, path[-1])
    if isinstance(here, list) and key == len(here):
        here.append(value)
    else:
        here[key] = value


def _key(here: Any, key: str) -> Any:
    if not isinstance(here, list):
        return key
    if (place := whole_of(key)) is not None:
        return place
    return next(place for place, item in enumerate(here) if item["letter"] == key)


def _sentence(findings: list[Finding], open_count: int, before: Standing | None) -> str:
    if not findings:
        return "The designs can be compared: no rule finds a difference in kind."
    if open_count == 0 and len(findings) == 1:
        return "The one finding of the like-for-like check is accepted."
    if open_count == 0:
        return f"All {len(findings)} findings of the like-for-like check are accepted."
    turning = [item for item in findings if item.winner_after and item.accepted is None]
    plural = "s are" if open_count > 1 else " is"
    text = f"{open_count} finding{plural} neither fixed nor accepted"
    if before is None:
        return f"{text}."
    if turning:
        return f"{text}; fixing {len(turning)} of them alone makes another design the cheapest."
    return f"{text}; none alone makes another design the cheapest."


def _run(params: StudySpec, _context: Context) -> LikeForLike:
    return check(params)


def _points(study: StudySpec) -> int:
    """Amounts that one costing keeps at once: designs, months, and trials of each."""
    columns = len(study.designs) + (study.baseline is not None)
    return columns * (study.assumptions.horizon_months + 1) * max(min(study.draws_count, 1000), 1)


SPEC = ModelSpec(
    id="plans.like_for_like",
    version="1.29.0",
    title="Like-for-like check",
    summary="Says where the designs of a study are not alike, what that is worth, and what would "
    "make them so.",
    params=StudySpec,
    params_version=PARAMS_VERSION,
    upgrades=UPGRADES,
    result=LikeForLike,
    run=_run,
    citations=(Citation(text="Rules of comparing alternatives, engineering economics practice"),),
    formulas=(
        Formula(
            "money",
            "money = gap after the fix - gap before; gap = lowest mean of the rivals - mean "
            "of the leader",
            "means over the same simulations, the first thousand",
        ),
        Formula(
            "lease_or_buy",
            "difference = present value leased - present value bought",
            "the same hardware in the same simulations; a lease is an annuity, discounted "
            "at the cost of capital",
        ),
    ),
    limits=(
        "A finding about what no field holds is not made: a price that is introductory and not "
        "entered as credits, a tax law other than that of the United States.",
    ),
    stochastic=True,
    points=_points,
    point_limit=2_000_000,
)
