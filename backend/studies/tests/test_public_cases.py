"""What companies published of leaving a cloud, against proposals for their public facts alone.

What is typed is what they printed of the work, nothing of prices, machines or people. Prices are
the catalogue's of today, theirs of 2016 to 2023: a figure that lies outside stands in
``docs/status.md`` with how far.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from capmodels.registry import get_model
from capmodels.spec import Context, validate
from studies.documents import PLAN
from studies.proposals.propose import Option, document_of
from studies.tests.test_proposals_alike import alices, proposed

if TYPE_CHECKING:
    from capmodels.plans.comparison import DesignResult
    from capmodels.spec import JSONDict

__all__ = ["alices"]

pytestmark = pytest.mark.db

# So many times its 10th percentile is the 90th at most.
WIDE = 1.6


@dataclass(frozen=True)
class Case:
    """A figure that was published, and how many times the nearest end of our range it is."""

    work: JSONDict
    option: Option
    months: int
    usd_per_year: float
    off_ratio: float
    region: str = ""


def objects(petabytes: float) -> JSONDict:
    return {"busy_cores_count": 0, "ram_gib": 0, "object_tb": petabytes * 1000.0}


CASES = {
    # Dropbox, Form S-1 (2018-02-23): the third party's bill of 2016 fell by $92.5 M; as quoted,
    # 500 PB, of which over 90% moved (fool.com, 2018-02-28).
    "Dropbox, rented": Case(objects(450), Option("aws"), 36, 92.5e6, off_ratio=0.97),
    # The same: its own data centres cost $53.0 M more in that year, with drives of 4 to 8 TB.
    "Dropbox, owned": Case(objects(450), Option("owned"), 36, 53.0e6, off_ratio=2.37),
    # 37signals, "We stand to save $7m over five years from our cloud exit" (2023-02-21): just under
    # a million a year for 8 PB in S3, in classes and at a discount that were not published.
    "37signals, objects": Case(objects(8), Option("aws"), 12, 1.0e6, off_ratio=0.50),
    # Ahrefs, "How Ahrefs saved US$400M in 3 years by not going to the cloud" (2023-03): $5,606 for
    # instances and $464 for transfer a month in place of each of 850 servers with 2 TB of memory.
    # Memory-rich instances are not held for Singapore.
    "Ahrefs, instances": Case(
        {"busy_cores_count": 0, "ram_gib": 850 * 2048.0},
        Option("aws", 36),
        36,
        850 * 12 * (5606.0 + 464.0),
        off_ratio=0.50,
        region="Singapore",
    ),
}


def column_of(case: Case) -> DesignResult:
    given = proposed(
        {"kind": "demand", **case.work},
        [case.option],
        (case.region, "USD"),
        horizon_months=case.months,
        ranked_by="cash",
    )
    document = {**document_of(given), "draws_count": 2000}
    plan = get_model(PLAN)
    found: DesignResult = plan.run(validate(plan, document), Context(seed=1)).designs[0]
    return found


@pytest.mark.usefixtures("alices")
@pytest.mark.parametrize("name", CASES)
def test_what_was_published_lies_where_it_is_said_to(name: str) -> None:
    case = CASES[name]
    found = column_of(case)
    assert found.p10_usd
    assert found.p90_usd
    assert found.p90_usd / found.p10_usd < WIDE
    published = case.usd_per_year * case.months / 12
    low, high = found.p10_usd, found.p90_usd
    off = published / min(max(published, low), high)
    assert off == pytest.approx(case.off_ratio, rel=0.05)


@pytest.mark.usefixtures("alices")
def test_servers_for_the_cores_of_37signals_cost_three_quarters_of_theirs() -> None:
    """4,000 vCPUs on two sites for "about $700,000 in the end" (2024-10-17), half of each core."""
    cores = 4000 / 2
    work = {"busy_cores_count": cores, "p99_ratio": 1.0, "ram_gib": 0}
    full = {**work, "headroom": {"cores_target_fraction": 1.0}}
    found = column_of(Case(full, Option("owned"), 60, 700e3, 1.0))
    (hardware,) = (one.amount_usd for one in found.causes if one.cause == "hardware")
    assert hardware / 700e3 == pytest.approx(0.74, rel=0.05)
