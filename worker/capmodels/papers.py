"""The papers that models come from: the question of each, and its experiment run by our models.

What a page of a paper shows is drawn from the declared checks: a figure as printed, ours beside
it, and how far the two are apart.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import median
from typing import Literal

from capmodels.citations import HUANG_2006
from capmodels.errors import UnknownModel
from capmodels.numbers import counted, significant
from capmodels.registry import all_models, get_model, model_ids
from capmodels.spec import AnyModel, Check, JSONDict, Result
from capmodels.told import Axis, Figure, Series

OURS, APART, PRINTED = "Our model", "Our model, further off than print allows", "Printed"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Paper:
    """A paper, as *Method* shows it.

    ``cited`` are words of which a check's source has one if it is of this paper, ``within`` the
    beginnings of the models' ids that are meant, where one work has several papers. ``models``
    run its experiment, the first leading; ``drawn`` are the checks of the chart, by model, which
    count ``measure``. ``tool`` opens with the planner's own numbers, or ``study`` does, or else
    ``model``.
    """

    id: str
    title: str
    citation: str
    question: str
    cited: tuple[str, ...]
    models: tuple[str, ...]
    drawn: Mapping[str, tuple[str, ...]]
    measure: str
    within: tuple[str, ...] = ("",)
    opens: Literal["tool", "study", "model"] = "tool"
    tool: str = ""
    model: str = ""

    def has(self, spec: AnyModel, check: Check) -> bool:
        """Whether a check holds a figure of this paper."""
        return self.is_cited(check.source) and spec.id.startswith(self.within)

    def is_behind(self, spec: AnyModel) -> bool:
        """Whether a check or an equation of a model is of this paper."""
        sources = [*(one.source for one in spec.checks), *(one.source for one in spec.formulas)]
        return spec.id.startswith(self.within) and any(map(self.is_cited, sources))

    def is_cited(self, text: str) -> bool:
        """Whether a source names this paper."""
        return any(words in text for words in self.cited)


_KINDS = {"predicted": "took no part in making ours", "fitted": "an input was fitted to"}

PAPERS = (
    Paper(
        id="free-factories",
        title="Free Factories",
        citation="Zaranek, Clegg, Vandewege, Church, USENIX ATC 2008",
        question="From which utilization on is an owned cluster cheaper than renting?",
        cited=("Zaranek et al. 2008", "A. W. Zaranek"),
        models=("cost.owned_vs_cloud", "cost.batch_utilization", "performance.cluster_io"),
        drawn={
            "cost.owned_vs_cloud": ("A1", "A4", "A5", "A2", "A3", "A8", "A17"),
            "cost.batch_utilization": ("A16",),
        },
        measure="Cost",
        opens="study",
    ),
    Paper(
        id="seamicro",
        title="Cluster in a box (SeaMicro)",
        citation="Sudan et al., Hadoop on the SeaMicro SM10000, after 2012",
        question="How much time and energy does a box of 384 small cores save on a batch job?",
        cited=("Sudan et al.",),
        models=("performance.cluster_job", "cost.cluster_tco"),
        drawn={
            "performance.cluster_job": tuple(
                f"{job} {part}"
                for part in ("time", "energy")
                for job in ("WordCount", "TeraSort", "TeraGen", "GridMix2")
            )
        },
        measure="Time and energy saved against the i7 cluster",
        tool="scaling",
    ),
    Paper(
        id="fawn",
        title="FAWN, a fast array of wimpy nodes",
        citation="Vasudevan, 2010; Andersen et al., CACM 54(7), 2011",
        question="Which work takes less energy on many slow nodes, and which node fits which data?",
        cited=(
            *("Vasudevan 2010", "FAWNSort", "Andersen et al. 2011", "as FAWN"),
            "node table estimated from memory",
        ),
        models=(
            *("performance.kv_node_choice", "performance.interrupt_model"),
            *("power.proportionality", "performance.device_trends"),
        ),
        drawn={
            "performance.interrupt_model": ("D16", "D17", "D18", "D20", "D21", "D22"),
        },
        measure="Small reads a second",
        tool="nodes",
    ),
    Paper(
        id="raid-ssd",
        title="RAID with an SSD cache",
        citation="Lee, Lee, Noh, HotPower 2008",
        question="How much energy does a solid-state cache save in front of a RAID-5 of disks?",
        cited=("Lee, Lee and Noh 2008",),
        models=("storage.ssd_cache", "storage.array"),
        drawn={
            "storage.ssd_cache": ("hp08-saving", "hp08-reads", "S24"),
            "storage.array": ("S22",),
        },
        measure="Energy saved",
        tool="arrays",
    ),
    Paper(
        id="laptop-arrays",
        title="Arrays of laptop disks",
        citation="Papathanasiou, Scott, University of Rochester, TR 837, 2004",
        question="What does replacing a server disk by three mirrored laptop disks save?",
        cited=("Papathanasiou and Scott 2004", "TR 837"),
        models=("storage.alternatives", "storage.array_instant", "storage.array"),
        drawn={
            "storage.alternatives": ("S10", "S10 busy"),
            "storage.array_instant": ("S6a", "S6b", "S7"),
        },
        measure="Share of energy, power or load",
        tool="arrays",
    ),
    Paper(
        id="fs2",
        title="FS2, copies in free space",
        citation=f"{HUANG_2006}, chapter 5; SOSP 2005",
        question="How much faster and leaner is a disk that keeps copies in its free space?",
        cited=("Huang 2006",),
        within=("storage.fs2",),
        models=("storage.fs2", "storage.fs2_layer"),
        drawn={
            "storage.fs2": (
                *("S16a", "S16b", "S16c", "S16d", "S17a", "S17b", "S17c"),
                *("S17h", "S17i", "S17j", "S17f"),
                *("S17n", "S17o", "S17p", "S17q"),
                *("S16e", "S16f", "S17k", "S17l", "S17m"),
            )
        },
        measure="Change by FS2; share of time busy",
        opens="model",
        model="storage.fs2_layer",
    ),
    Paper(
        id="disk-failures",
        title="Where disks fail",
        citation=f"{HUANG_2006}, chapter 6",
        question="How near may a copy stand to its block and still survive a defect of the disk?",
        cited=("Huang 2006",),
        within=("storage.disk_geometry", "reliability."),
        models=(
            *("reliability.replica_placement", "reliability.defect_patterns"),
            *("storage.disk_geometry", "reliability.array_loss"),
        ),
        drawn={
            "storage.disk_geometry": ("S30a", "S30b"),
            "reliability.defect_patterns": ("S30c", "S31"),
        },
        measure="Sectors between neighbors",
        opens="model",
        model="reliability.replica_placement",
    ),
    Paper(
        id="dram-power",
        title="Power-aware memory",
        citation=f"{HUANG_2006}, chapters 2 to 4; USENIX ATC 2003",
        question="Which policy puts idle memory to sleep at least power?",
        cited=("Huang 2006",),
        within=("memory.",),
        models=("memory.power_policies_instant", "memory.power_policies"),
        drawn={
            "memory.power_policies_instant": (
                *(f"M3 {load} {way}" for load in ("low", "high") for way in ("NOPM", "IPD")),
                *(f"M9 {load} {way}" for load in ("low", "high") for way in ("PAVM", "PAVM+IPD")),
                *(f"M4 {mix} {way}" for mix in "1234" for way in ("NOPM", "IPD")),
                *(f"M5 {way}" for way in ("NOPM", "IPD", "ISR", "HW", "HW-SW")),
            ),
            "memory.power_policies": (
                *(
                    f"M11 {load} {way}"
                    for load in ("low", "high")
                    for way in ("ISR", "HW", "HW-SW")
                ),
                *(
                    f"M11 mixed_{mix} {way}"
                    for mix in "1234"
                    for way in ("ISR", "PAVM+IPD", "HW", "HW-SW")
                ),
            ),
        },
        measure="Power of the memory",
        opens="model",
        model="memory.power_policies_instant",
    ),
    Paper(
        id="consolidation",
        title="Energy-aware consolidation",
        citation="Srikantaiah, Kansal, Zhao, HotPower 2008",
        question="How full should servers be, so that the work takes least energy?",
        cited=("Srikantaiah et al. 2008",),
        models=("consolidation.plan", "consolidation.surface", "consolidation.servers"),
        drawn={
            "consolidation.plan": (*("A before", "A after", "B before", "B after", "B1", "B2"),)
        },
        measure="Room left",
        tool="consolidation",
    ),
)


class PaperError(Result):
    """How far ours is from the printed figures of a kind, of those that are drawn."""

    kind: str
    checks_count: int
    apart_count: int
    unit: str
    median_off: float
    most_off: float
    said: str


def get_paper(paper_id: str) -> Paper:
    """Return a paper by its id.

    Raises
    ------
    UnknownModel
        When there is none.
    """
    found = next((paper for paper in PAPERS if paper.id == paper_id), None)
    if found is None:
        raise UnknownModel(paper_id)
    return found


@cache
def checks_in(paper: Paper) -> Mapping[str, tuple[str, ...]]:
    """Ids of the checks that hold a figure of a paper, by model; those of its models first.

    The whole plan meets the same figures once more; they stand on its own page.
    """
    order = {model: at for at, model in enumerate(paper.models)}
    parts = [spec for spec in all_models() if spec.family != "plans"]
    specs = sorted(parts, key=lambda spec: order.get(spec.id, len(order)))
    found = {s.id: tuple(c.id for c in s.checks if paper.has(s, c)) for s in specs}
    return {model: ids for model, ids in found.items() if ids}


_MODEL_ID = re.compile(r"[a-z]+\.[a-z_0-9]+")


def models_in(source: str) -> tuple[str, ...]:
    """Return the models that the source of an equation names.

    >>> models_in("reliability.array_loss; wear beyond the rating is our choice")
    ('reliability.array_loss',)
    """
    known = set(model_ids())
    return tuple(dict.fromkeys(one for one in _MODEL_ID.findall(source) if one in known))


def papers_behind(model_id: str, source: str) -> tuple[Paper, ...]:
    """Return the papers that an equation of a model rests on: first those that its source names.

    Behind them stand the papers of the other models that the source names.
    """
    named = [p for p in PAPERS if p.is_cited(source) and model_id.startswith(p.within)]
    of_models = [p for one in models_in(source) if one != model_id for p in papers_of(one)]
    return tuple(dict.fromkeys((*named, *of_models)))


@cache
def papers_of(model_id: str) -> tuple[Paper, ...]:
    """Return the papers whose experiment a model runs, or whose figures or equations it has."""
    spec = get_model(model_id)
    return tuple(p for p in PAPERS if model_id in p.models or p.is_behind(spec))


def figure_of(paper: Paper, rows: Sequence[JSONDict], others: Sequence[JSONDict] = ()) -> Figure:
    """Draw the printed figures and ours together, of the checks as they ran.

    ``others`` are the paper's checks that are not drawn; those that are off count in the title.
    """
    errors = errors_of(rows)

    def ours(name: str, role: str, apart: bool) -> Series:
        held = [row["ours"] if row["is_apart"] is apart else None for row in rows]
        return Series(name=name, role=role, values=tuple(held))

    apart = sum(row["is_apart"] for row in rows)
    printed = Series(
        name=PRINTED,
        role="printed",
        values=tuple(row["published"] for row in rows),
        low=tuple(row["published"] - row["in_print"] for row in rows),
        high=tuple(row["published"] + row["in_print"] for row in rows),
    )
    units = {row["unit"] for row in rows}
    return Figure(
        kind="ranges",
        name="Printed and ours",
        title=_title_of(rows, others),
        along=Axis(title=paper.measure, unit=units.pop() if len(units) == 1 else ""),
        rows=tuple(row["title"] for row in rows),
        series=(
            *([ours(OURS, "", apart=False)] if apart < len(rows) else []),
            *([ours(APART, "apart", apart=True)] if apart else []),
            printed,
        ),
        note=" ".join(error.said for error in errors),
    )


def _title_of(rows: Sequence[JSONDict], others: Sequence[JSONDict]) -> str:
    """How many of the figures drawn are off, of which kinds they are, and how many others are."""
    apart, drawn = sum(row["is_apart"] for row in rows), counted(len(rows), "figure")
    if 0 < apart < len(rows):
        told = f"{apart} of {drawn} further off than print allows"
    elif len(rows) == 1:
        told = f"The figure is {'further off than print allows' if apart else 'met as printed'}"
    else:
        told = f"All {drawn} {'further off than print allows' if apart else 'are met as printed'}"
    kinds = ", ".join(f"{error.checks_count} {error.kind}" for error in errors_of(rows))
    off = sum(row["is_apart"] for row in others)
    beside = f"; {off} of {len(others)} not drawn are further off" if off else ""
    return f"{told} ({kinds}){beside}"


def errors_of(rows: Sequence[JSONDict]) -> tuple[PaperError, ...]:
    """How far ours is from the printed figures, kind by kind: what counts most first."""
    kinds = ("predicted", "fitted", "arithmetic")
    found = ((kind, [row for row in rows if row["kind"] == kind]) for kind in kinds)
    return tuple(_error(kind, own) for kind, own in found if own)


def _error(kind: str, rows: Sequence[JSONDict]) -> PaperError:
    is_share = all(row["unit"] == "fraction" for row in rows)
    offs = [
        abs(row["ours"] - row["published"]) / (1.0 if is_share else abs(row["published"]))
        for row in rows
    ]
    if kind == "arithmetic":
        what = f"{counted(len(rows), 'figure')} recombined from numbers of the source"
    else:
        what = f"{counted(len(rows), 'figure')} that {_KINDS[kind]}"
    middle, most = median(offs), max(offs)
    apart = [row["ours"] > row["published"] for row in rows if row["is_apart"]]
    side = "" if len(set(apart)) != 1 else ", too high" if apart[0] else ", too low"
    return PaperError(
        kind=kind,
        checks_count=len(rows),
        apart_count=sum(row["is_apart"] for row in rows),
        unit="points" if is_share else "fraction",
        median_off=middle,
        most_off=most,
        said=f"{what}, off by {_off_said(middle, most, is_share, one=len(rows) == 1)}{side}.",
    )


def _off_said(middle: float, most: float, is_share: bool, *, one: bool) -> str:
    """How far figures are off in the median and at most; below a thousandth it is not told."""
    unit = " percentage points" if is_share else "%"
    if most < 0.001:
        return f"less than 0.1{unit}"
    at_most, typical = (significant(off * 100, 2) for off in (most, middle))
    if one:
        return f"{at_most}{unit}"
    if middle < 0.001:
        typical = "less than 0.1"
    return f"{typical}{unit} in the median, {at_most}{unit} at most"


def run_of(paper: Paper, rows: Sequence[JSONDict]) -> JSONDict:
    """Return what a page of a paper shows, of its checks as they ran."""
    by_check = {(row["model"], row["check"]): row for row in rows}
    drawn = [by_check[model, check] for model, ids in paper.drawn.items() for check in ids]
    others = [row for row in rows if row not in drawn]
    return {
        "figure": figure_of(paper, drawn, others).model_dump(mode="json"),
        "errors": [error.model_dump(mode="json") for error in errors_of(drawn)],
        "rows": rows,
        "behind": [
            {"id": spec.id, "title": spec.title, "summary": spec.summary, "limits": spec.limits}
            for spec in map(get_model, paper.models)
        ],
    }
