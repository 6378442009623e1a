"""What a report is drawn from: one frozen object, filled from stored rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from capmodels.plans.figures.compared import Compared
from capmodels.plans.figures.kept import Kept

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from capmodels.numbers import Currency

JSONDict = dict[str, Any]
Format = Literal["pdf", "xlsx", "csv"]
Paper = Literal["a4", "letter"]
# Stands beside the causes of a design's years: what the books write off.
DEPRECIATION = "depreciation"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultHash:
    """Which stored result a report shows: the model, its version and the hash of its inputs."""

    label: str
    model: str
    version: str
    inputs_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What a tool found for the study, by reference; ``stale`` says why it is out of date."""

    letter: str
    title: str
    headline: str
    model: str
    version: str
    inputs_hash: str
    stale: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PurchasePlan:
    """The plan of purchases that a study refers to, with its stored result.

    ``notes`` say what the study's question counts and what it does not.
    """

    result: JSONDict
    model: str
    version: str
    inputs_hash: str
    stale: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptRun(Kept):
    """A run of the study that was kept: what it found when, with what."""

    version: str
    snapshot: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Driver:
    """An input to change, and what amounts change by at each of its knots, which ascend.

    ``amounts`` holds for a design's letter and a cause, knot by knot, the change of each
    year. [USD]
    """

    part: str
    label: str
    unit: str
    pointer: str
    value: float
    knots: tuple[float, ...]
    amounts: Mapping[tuple[str, str], tuple[tuple[float, ...], ...]]


@dataclass(frozen=True, kw_only=True)
class ReportInput:
    """Everything that a report says.

    ``comparison`` is the result of ``plans.compare``, ``document`` its params,
    ``schema`` the JSON schema of those params. ``provenance`` says of a pointer into the
    document where its value is from. ``checks`` are the rows of ``capmodels.spec.run_check``
    for the models used; ``tools`` what tools found for the study; ``purchase`` the plan of
    purchases among them; ``explored`` what a search of the catalogue finds for the work;
    ``kept_runs`` what earlier runs found, the newest first; ``actuals`` what
    the approved design cost in fact (``answer.actuals``); ``like_for_like`` the findings of the
    like-for-like check;
    ``leases`` what each owned design would cost leased beside bought;
    ``drivers`` what a workbook's formulas follow; ``with_appendix`` whether a PDF has parts that
    are of the appendix.
    """

    title: str
    question: str
    comparison: JSONDict
    document: JSONDict
    schema: JSONDict
    created_at: datetime
    provenance: Mapping[str, JSONDict] = field(default_factory=dict)
    checks: Sequence[JSONDict] = ()
    hashes: Sequence[ResultHash] = ()
    tools: Sequence[ToolResult] = ()
    purchase: PurchasePlan | None = None
    explored: JSONDict | None = None
    kept_runs: Sequence[KeptRun] = ()
    actuals: JSONDict | None = None
    snapshot: str | None = None
    like_for_like: Sequence[JSONDict] = ()
    leases: Sequence[str] = ()
    drivers: Sequence[Driver] = ()
    with_appendix: bool = True

    @cached_property
    def compared(self) -> Compared:
        """The comparison as its figures read it."""
        return Compared(self.comparison)

    @property
    def currency(self) -> Currency:
        """The currency in which the study's amounts are shown."""
        return self.compared.currency

    @property
    def designs(self) -> Sequence[JSONDict]:
        """The designs' results, in the order of their letters."""
        return self.compared.designs

    @property
    def by_value(self) -> bool:
        """Whether designs are ranked by present value instead of what is paid."""
        return self.compared.by_value

    def rank_usd(self, design: JSONDict) -> float:
        """Return the amount by which a design is ranked; its P10 and P90 are of the same kind."""
        amount: float = design["ranked_usd"]
        return amount

    @property
    def cheapest(self) -> list[str]:
        """The letters of the designs that cost least, several where they cost the same."""
        return self.compared.cheapest

    @property
    def cost_words(self) -> str:
        """What designs are ranked by, in words: ``Present value over 3 years, mean``."""
        return self.compared.measure

    def design(self, letter: str | None) -> JSONDict | None:
        """Return one design's result, or nothing where no design has the letter."""
        return self.compared.design(letter)

    @property
    def years(self) -> str:
        """The horizon in words: ``3 years``, ``18 months``."""
        return self.compared.years
