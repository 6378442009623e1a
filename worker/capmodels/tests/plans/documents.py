"""Studies to test with: the examples as documents, and small ones of each kind."""

from __future__ import annotations

import copy
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from capmodels.plans.compare import SPEC, compare
from capmodels.plans.document.pointers import substitute
from capmodels.plans.document.upgrades import STILL
from capmodels.spec import validate

if TYPE_CHECKING:
    from capmodels.plans.comparison import Comparison, DesignResult
    from capmodels.plans.document.study import StudySpec

EXAMPLES = Path(__file__).resolve().parents[4] / "fixtures" / "examples"
SLUGS = ("free-factories", "free-factories-prototypes", "rent-or-own")

JSONDict = dict[str, Any]


@cache
def _file(slug: str) -> JSONDict:
    text = (EXAMPLES / f"{slug}.yaml").read_text("utf-8")
    study: JSONDict = yaml.load(text, Loader=yaml.CSafeLoader)["study"]
    return study


def file_of(slug: str) -> JSONDict:
    """What stands under ``study`` in an example's file."""
    return copy.deepcopy(_file(slug))


def document(slug: str, *, draws_count: int = 0, version: str | None = None) -> JSONDict:
    """An example as the plan takes it; ``version`` names a version of its design D."""
    study = file_of(slug)
    designs = []
    for part in study["designs"]:
        spec = part["spec"]
        if version is not None and part["letter"] == "D":
            spec = next(item["spec"] for item in part["versions"] if item["name"] == version)
        designs.append({**{key: part[key] for key in ("letter", "title", "kind")}, **spec})
    return {
        "designs": designs,
        "workload": study["workload"],
        "assumptions": study["assumptions"],
        "baseline": study["baseline"],
        "ranges": study["ranges"],
        "draws_count": draws_count,
        "seed": study["seed"],
    }


def settled(study: JSONDict) -> JSONDict:
    """A study that leaves neither its end nor the life of hardware open."""
    ranges = [one for one in study["ranges"] if not one["pointer"].endswith("/life_months")]
    return {**study, "ranges": ranges, "assumptions": {**study["assumptions"], "choices": []}}


def in_hindsight(study: StudySpec) -> StudySpec:
    """The study with every simulation sized to its own demand, as a point is."""
    return substitute(study, {("assumptions", "foresight"): True})


def study_of(document_: JSONDict) -> StudySpec:
    """A document as the plan's params."""
    return validate(SPEC, document_)


def answer(document_: JSONDict) -> Comparison:
    """The plan's answer to a document."""
    return compare(study_of(document_))


def column(result: Comparison, letter: str) -> DesignResult:
    """One design's column."""
    return next(item for item in result.designs if item.letter == letter)


def cause_usd(design: DesignResult, cause: str, side: str | None = None) -> float:
    """What a cause costs over the horizon; 0 when the design has none."""
    return sum(
        item.amount_usd
        for item in design.causes
        if item.cause == cause and side in {None, item.side}
    )


def demand(**changes: Any) -> JSONDict:
    """A small flat workload without growth or headroom."""
    return {
        "kind": "demand",
        "busy_cores_count": 100,
        "p99_ratio": 1.0,
        "ram_gib": 0,
        "headroom": {
            "cores_target_fraction": 1.0,
            "ram_headroom_fraction": 0.0,
            "disk_fill_fraction": 1.0,
            "io_target_fraction": 1.0,
        },
        "availability": {"spare_nodes_count": 0},
        **changes,
    }


def owned(letter: str = "A", **changes: Any) -> JSONDict:
    """A cluster of plain nodes of 10 cores at $1,000 that draw nothing."""
    group = {
        "name": "nodes",
        "role": "compute",
        "cores_per_node_count": 10,
        "ram_gib": 64,
        "price": {"kind": "typed", "unit_price_usd": 1000},
        "power": {"kind": "constant", "power_w": 0},
    }
    group |= changes.pop("group", {})
    return {
        "letter": letter,
        "title": f"Own {letter}",
        "kind": "owned_cluster",
        "node_groups": [group],
        **changes,
    }


def cloud(letter: str = "B", **changes: Any) -> JSONDict:
    """Instances of 10 vCPUs at $1 an hour, nothing else."""
    item = {"name": "vm", "usd_per_h": 1.0, "vcpu_count": 10, "ram_gib": 64}
    item |= changes.pop("item", {})
    return {
        "letter": letter,
        "title": f"Rent {letter}",
        "kind": "cloud",
        "instances": [item],
        **changes,
    }


def plain(
    designs: list[JSONDict], workload: JSONDict | None = None, **assumptions: Any
) -> JSONDict:
    """A study of one year without price of energy, people or carbon; orders are by the year."""
    return {
        "designs": designs,
        "workload": workload or demand(),
        "assumptions": {
            "horizon_months": 12,
            "ranked_by": "cash",
            "end": "work_stops",
            "electricity": {"kind": "flat", "usd_per_kwh": 0.0},
            "pue": 1.0,
            "price_changes": STILL,
            "ordering_interval": "year",
            **assumptions,
        },
    }
