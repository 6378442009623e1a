"""Rule 32: time to move. Data are there before the place that they are moved from is left."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from capmodels.amounts import as_number
from capmodels.network.outside import (
    MBIT_PER_S_PER_TB_MONTH,
    OutsideParams,
    months_to_move,
    outside,
)
from capmodels.plans.check.rule import Change, Found, Rule, clouds, clusters, demand_of
from capmodels.plans.document.owned import OwnedCluster
from capmodels.plans.words import horizon_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.cloud import Cloud
    from capmodels.plans.document.study import StudySpec
    from capmodels.plans.document.workload import DemandWorkload


def find(study: StudySpec) -> Iterator[Found]:
    """Moves whose data take longer over their line than both places run."""
    work = demand_of(study)
    if work is None:
        return
    data_tb = work.block_tb + work.object_tb + work.archive_tb
    horizon = study.assumptions.horizon_months
    designs: list[Cloud | OwnedCluster] = [*clusters(study), *clouds(study)]
    for design in designs:
        move = design.migration
        lead = design.lead_time_months if isinstance(design, OwnedCluster) else 0
        both = max(as_number(move.parallel_months), float(lead))
        if move.parallel_letter is None or data_tb <= 0 or both <= 0:
            continue
        line = move.line_gbit_per_s or line_of(work)
        months = months_to_move(data_tb, line)
        if months <= both:
            continue
        at = f"/designs/{design.letter}/migration"
        named = "the line" if move.line_gbit_per_s else "the lines that the traffic needs"
        said = (
            f"{data_tb:,.6g} TB are moved to {design.letter} in {both:g} months; over {named}, "
            f"{line:g} Gbit/s, they take {horizon_words(ceil(months))}. "
        )
        wanted = ceil(line * months / both)
        if months > horizon:
            yield Found(
                f"{at}/line_gbit_per_s",
                f"{said}Enter a line of {wanted:,} Gbit/s, and its price in that of the data "
                "moved out.",
            )
            continue
        yield Found(
            f"{at}/parallel_months",
            f"{said}Fix: both run so long; or enter a line of {wanted:,} Gbit/s.",
            (Change(f"{at}/parallel_months", float(ceil(months))),),
        )


def line_of(work: DemandWorkload) -> float:
    """The lines that the traffic of a work needs outside, all together. [Gbit/s]"""
    sent = max(work.egress_tb_per_month, work.ingress_tb_per_month)
    found = outside(OutsideParams(mean_gbit_per_s=sent * MBIT_PER_S_PER_TB_MONTH / 1000.0))
    return found.port_gbit_per_s * found.ports_count


RULE = Rule(32, "Time to move", find)
