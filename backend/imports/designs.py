"""Designs that an import proposes: the same machines committed anew, own servers, a mix.

They are those of a new study, made for the work of the file and, of a bill, beside its own
machines; what they cost is the plan's answer.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from capmodels.errors import Fault, ParamsError
from capmodels.imports.baseline import lines_without_price
from capmodels.imports.billed_design import Billed, billed_design, work_said
from capmodels.imports.preview import Column, cents, table
from capmodels.plans.document.spreads import design_spreads, shared_spreads
from capmodels.providers import PROVIDERS
from imports.fleet_designs import FLEET, Fleet
from imports.sized_designs import WAYS, sized_design
from studies.documents import LETTERS, design_document, rented_from
from studies.proposals import alike
from studies.proposals.draft import Draft
from studies.proposals.propose import DEMANDS_OF_GROWTH
from studies.proposals.proposer import IN_WORDS, Candidate, Proposer, answered, made_alike
from studies.proposals.rented import STAFF, commit, price_the_rest
from studies.proposals.search import Explorer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from capmodels.imports.registry import Drafted, Options
    from capmodels.spec import JSONDict

_COLUMNS = (
    Column("Design", "title"),
    Column("Cost a month", "usd", "money", "USD"),
    Column("Against the baseline", "against_usd", "money", "USD"),
    Column("Meets the work", "meets"),
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which designs are asked for, and what is known of the work that the file does not say.

    ``options`` as in a proposal of a new study, and ``same``: the machines of the bill; ``server``
    is an entry of the catalogue that own servers are made of.
    """

    options: tuple[Mapping[str, Any], ...]
    busy_fraction: float | None = None
    server: str | None = None


@dataclass(frozen=True, slots=True)
class Ground:
    """What designs are proposed on: the work, the assumptions, and a baseline to beat."""

    workload: JSONDict
    assumptions: JSONDict
    letters: tuple[str, ...] = ()
    baseline: JSONDict | None = None


def with_designs(
    drafted: Drafted, preview: Mapping[str, Any], options: Options, wanted: Wanted, ground: Ground
) -> Drafted:
    """Add to what a file gives the designs that are asked for, with what they cost a month.

    Raises
    ------
    ParamsError
        When the file says nothing that a design could be sized to.
    """
    bill = None
    if "machines" in preview and "currency" in preview:
        bill = billed_design(preview, options, busy_fraction=wanted.busy_fraction)
    if bill is not None and "busy_cores_count" not in ground.workload:
        drafted.workload |= bill.work
        drafted.provenance |= bill.work_origins
    work = {**ground.workload, **drafted.workload}
    demands = (name for names in DEMANDS_OF_GROWTH.values() for name in names)
    if not any(work.get(name) for name in demands):
        message = "The file does not say how much work there is, so nothing can be sized to it."
        raise ParamsError([Fault("/designs", "no_work", message)])
    # A file that lists storage alone says that there are no machines.
    for name in ("busy_cores_count", "ram_gib"):
        if name not in ground.workload:
            work[name] = drafted.workload.setdefault(name, 0.0)
    assumptions = {**ground.assumptions, **drafted.assumptions}
    proposer = Explorer(work, assumptions)
    fleet = None
    if options.machines is not None and any(one["option"] in FLEET for one in wanted.options):
        fleet = Fleet(preview, options.machines(), proposer)
    held = _held(proposer, wanted, bill, fleet, drafted.in_types)
    own = drafted.designs
    taken = (*ground.letters, *(design["letter"] for design in own))
    drafted.designs = [*own, *_designs(held, taken)]
    baseline = drafted.baseline or ground.baseline
    made_alike(drafted.designs, proposer, today="T" if baseline else None)
    if "until_delivery" in ground.assumptions:
        drafted.assumptions["until_delivery"] = ground.assumptions["until_delivery"]
    waiting = lines_without_price(baseline["lines"]) if baseline else []
    if baseline and waiting:
        # what runs today is not held against designs until the price is entered
        lines = [
            {key: value for key, value in line.items() if key != "commitment_ends_on"}
            if line in waiting else line
            for line in baseline["lines"]
        ]  # fmt: skip
        baseline = {**baseline, "lines": lines}
    shared = {"workload": work, "assumptions": assumptions, "baseline": baseline}
    _equally_sure(drafted, shared)
    if bill is not None:
        drafted.open_points += work_said(bill, wanted.busy_fraction, ground.workload)
        drafted.open_points += bill.points
    drafted.open_points += proposer.notes
    drafted.tables.append(_costs(drafted.designs, shared, is_today_known=not waiting))
    return drafted


def complete_own(drafted: Drafted, ground: Ground) -> Drafted:
    """Give designs that a file describes the prices that it has not, people, and free letters.

    Raises
    ------
    ParamsError
        When the work of the file cannot be.
    """
    proposer = Proposer({**ground.workload, **drafted.workload}, ground.assumptions)
    held = []
    for design in drafted.designs:
        draft = Draft(proposer.entries)
        draft.spec, draft.origins = deepcopy(design["spec"]), deepcopy(design["provenance"])
        draft.take("/staff_fte", STAFF, "staff_fte")
        if draft.spec["provider"] in PROVIDERS:
            price_the_rest(draft, draft.spec["provider"])
        held.append(Candidate(design["title"], design["kind"], draft.spec, draft.origins))
    drafted.designs = _designs(held, ground.letters)
    return drafted


def _designs(held: Sequence[Candidate], taken: Sequence[str]) -> list[JSONDict]:
    """Return candidates as designs with letters that are free in the study."""
    free = [letter for letter in LETTERS if letter not in taken]
    designs = [item.lettered(letter) for item, letter in zip(held, free, strict=False)]
    heads = [(design["letter"], design["kind"]) for design in designs]
    # A mix was made of the candidates by their places, which are letters of another study.
    named = dict(zip(LETTERS, free, strict=False))
    for design in designs:
        spec = rented_from(design["kind"], design["spec"], heads)
        if design["kind"] == "hybrid":
            halves = ("owned_letter", "rented_letter")
            spec = {**spec, **{half: named[spec[half]] for half in halves}}
        design["spec"] = spec
    return designs


def _equally_sure(drafted: Drafted, shared: JSONDict) -> None:
    """Give what is certain in one cloud and has a range in another a range, in its origin."""
    if not drafted.designs:
        return
    documents = [design_document(design) for design in drafted.designs]
    ranges = [
        *shared_spreads("workload", shared["workload"], drafted.provenance),
        *(
            spread
            for design, document in zip(drafted.designs, documents, strict=True)
            for spread in design_spreads(document, design["provenance"])
        ),
    ]
    alike.equally_sure({**shared, "designs": documents, "ranges": ranges}, drafted.designs)


def _held(
    proposer: Explorer,
    wanted: Wanted,
    bill: Billed | None,
    fleet: Fleet | None,
    in_types: JSONDict | None,
) -> list[Candidate]:
    held: list[Candidate] = []
    for option in wanted.options:
        if fleet is not None and option["option"] in FLEET:
            found = fleet.whole() if option["option"] == "fleet" else fleet.fewer()
        elif option["option"] in WAYS:
            found = sized_design(proposer, in_types, option)
        else:
            found = _of(proposer, option, wanted, bill, held)
        if found is not None:
            held.append(found)
    return held


def _of(
    proposer: Explorer,
    option: Mapping[str, Any],
    wanted: Wanted,
    bill: Billed | None,
    held: Sequence[Candidate],
) -> Candidate | None:
    kind, term = option["option"], option.get("term_months", 36)
    if kind == "same":
        if bill is None:
            proposer.notes.append("The same machines: no size of theirs is known.")
            return None
        if bill.spec["instances"][0]["usd_per_h"] is None:
            proposer.notes.append(
                "The same machines: neither the file nor the catalogue says what they cost without "
                "their commitment."
            )
            return None
        return _same(proposer, bill, term)
    if kind == "hybrid":
        return proposer.hybrid(held)
    if kind != "owned":
        found = proposer.cloud(kind, term, option.get("region") or "")
    else:
        found = proposer.best("owned") if wanted.server is None else proposer.quoted(wanted.server)
    if found is not None and bill is not None and bill.kept_services:
        found.spec["services"] = [dict(line) for line in bill.kept_services]
    return found


def _same(proposer: Proposer, bill: Billed, term_months: int) -> Candidate | None:
    """The machines of the bill, with as much of them committed as costs least."""
    draft = Draft(proposer.entries)
    draft.spec, draft.origins = deepcopy(bill.spec), deepcopy(bill.origins)
    draft.take("/staff_fte", STAFF, "staff_fte")
    title = f"The same, {IN_WORDS[term_months]}"
    if bill.provider in PROVIDERS:
        price_the_rest(draft, bill.provider)
    if term_months:
        if bill.provider not in PROVIDERS:
            proposer.notes.append("The same, committed: the prices of its plans are not known.")
            return None
        commit(draft, PROVIDERS[bill.provider].commitments[term_months])
    return Candidate(title, "cloud", draft.spec, draft.origins)


def _costs(designs: Sequence[JSONDict], shared: JSONDict, *, is_today_known: bool) -> JSONDict:
    """What each costs a month, the mean over the horizon, beside the baseline."""
    columns = list(answered(designs, **shared)) if designs else []
    months = len(columns[0].cumulative_usd) - 1 if columns else 1
    if not is_today_known:
        columns = [column for column in columns if not column.is_baseline]
    today = next((column.total_usd for column in columns if column.is_baseline), None)
    rows = [
        {
            "title": column.title,
            "usd": cents(column.total_usd / months),
            "against_usd": None if today is None else cents((column.total_usd - today) / months),
            "meets": "yes" if column.carries_load else "no",
        }
        for column in columns
    ]
    note = "Mean of a month over the horizon, with people, as the plan answers it."
    return table("Designs proposed", _COLUMNS, rows, note)
