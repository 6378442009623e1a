"""People who run what is there: owned, rented or both by one law, concave in what is run."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

from pydantic import Field

from capmodels.spec import (
    Check,
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    assumed,
    derived_check,
    one_point,
)
from capmodels.units import Count, Real, of_unit

Weight = Annotated[Real, of_unit("ratio", ge=0, le=100)]
Many = Annotated[Count, Field(le=100_000_000)]
Fte = Annotated[Real, of_unit("FTE", ge=0)]
Work = Annotated[Real, of_unit("count", ge=0)]
AT = 100.0
# How far off a team may be, one unknown for all designs.
LOW_RATIO, HIGH_RATIO = 0.55, 1.55


class PeopleParams(Params):
    """What is run, and how much work each is beside a server of one kind among many."""

    hosts_count: Many = assumed(40, "Servers of like kind.")
    storage_hosts_count: Many = assumed(0, "Servers full of drives.")
    gpu_hosts_count: Many = assumed(0, "GPU servers with their network.")
    racks_count: Many = assumed(2, "Owned racks.")
    switches_count: Many = assumed(6, "Switches and routers.")
    sites_count: Annotated[Count, Field(le=1000)] = assumed(1, "Places with owned machines.")
    instances_count: Many = assumed(0, "Rented instances.")
    gpu_instances_count: Many = assumed(0, "Rented instances with GPUs.")
    providers_count: Annotated[Count, Field(le=100)] = assumed(
        0, "Clouds: accounts, bills, commitments, networks."
    )
    services_count: Annotated[Count, Field(le=100_000)] = assumed(0, "Managed services.")
    storage_host_ratio: Weight = assumed(1.5, "Drives fail and are replaced.", low=1.0, high=2.0)
    gpu_host_ratio: Weight = assumed(3.0, "GPUs, links and jobs that fail.", low=2.0, high=4.0)
    rack_ratio: Weight = assumed(1.0, low=0.5, high=1.5)
    switch_ratio: Weight = assumed(0.5, low=0.25, high=0.75)
    site_ratio: Weight = assumed(5.0, "Contract, access, hands.", low=2.0, high=8.0)
    instance_ratio: Weight = assumed(
        0.05, "Made by templates; nobody repairs them.", low=0.02, high=0.08
    )
    gpu_instance_ratio: Weight = assumed(1.0, "Jobs and links fail there too.", low=0.5, high=1.5)
    provider_ratio: Weight = assumed(2.0, low=1.0, high=3.0)
    service_ratio: Weight = assumed(0.5, low=0.25, high=0.75)
    people_fte: Annotated[Real, of_unit("FTE", gt=0, le=100)] = assumed(
        1.5,
        "People for a hundred servers. One unknown for all designs: how good the team is.",
        source="1 for 50 to 500 servers in enterprises; 17 images an administrator in 2010",
        low=1.5 * LOW_RATIO,
        high=1.5 * HIGH_RATIO,
        title="People for a hundred servers",
    )
    exponent: Annotated[Real, of_unit("1", gt=0, le=1)] = assumed(
        0.6,
        "One for 67 servers at a hundred, one for 1,600 at 300,000.",
        source="Microsoft 2009: 1,000 to 2,000 servers an administrator",
        low=0.5,
        high=0.7,
    )
    on_call: Literal["shared", "own"] = assumed(
        "shared", "Round the clock: shared with a rota that exists, or people of its own."
    )
    on_call_fte: Fte = assumed(
        1.0, "Part of a rota of five that an own one takes at least.", low=0.5, high=1.5
    )


class PeopleResult(Result):
    """People, and of what they are."""

    work_count: Work = Field(description="As many servers of like kind would be the same work.")
    fte: Fte = Field(title="People")
    low_fte: Fte
    high_fte: Fte
    hosts_per_person_count: Work | None = Field(description="Empty: no hosts, or nobody.")
    sentence: str


def people(params: PeopleParams) -> PeopleResult:
    """Return the people that run what is there.

    Notes
    -----
    people = p (work / 100)^e with work in servers of like kind: ratios of servers to people grow
    with the number of them, from 17 images (Metrics Based Assessments, 2010) over 1,000 to 2,000
    (Microsoft, 2009) to 20,000 (Facebook's hands in the hall, 2013).
    """
    parts = (
        params.hosts_count,
        params.storage_hosts_count * params.storage_host_ratio,
        params.gpu_hosts_count * params.gpu_host_ratio,
        params.racks_count * params.rack_ratio,
        params.switches_count * params.switch_ratio,
        params.sites_count * params.site_ratio,
        params.instances_count * params.instance_ratio,
        params.gpu_instances_count * params.gpu_instance_ratio,
        params.providers_count * params.provider_ratio,
        params.services_count * params.service_ratio,
    )
    work = math.fsum(parts)
    scaled = (work / AT) ** params.exponent if work else 0.0
    own = params.on_call_fte if params.on_call == "own" and work else 0.0
    fte = params.people_fte * scaled + own
    hosts = params.hosts_count + params.storage_hosts_count + params.gpu_hosts_count
    return PeopleResult(
        work_count=work,
        fte=fte,
        low_fte=fte * LOW_RATIO,
        high_fte=fte * HIGH_RATIO,
        hosts_per_person_count=hosts / fte if hosts and fte else None,
        sentence=f"{fte:.2g} people for the work of {work:,.3g} servers of like kind.",
    )


def _run(params: PeopleParams, _context: Context) -> PeopleResult:
    return people(params)


def _of(**fields: Any) -> PeopleResult:
    none = {"hosts_count": 0, "racks_count": 0, "switches_count": 0, "sites_count": 0}
    return people(PeopleParams.model_validate({**none, **fields}))


SPEC = ModelSpec(
    id="cost.people",
    version="1.0.0",
    title="People to run it",
    summary="How many people run servers, racks, sites, instances and clouds: fewer for each the "
    "more there are, by the same law for what is owned and what is rented.",
    params=PeopleParams,
    result=PeopleResult,
    run=_run,
    points=one_point,
    citations=(
        Citation(text="Metrics Based Assessments in Computerworld, 2011: images an administrator"),
        Citation(text="Data Center Knowledge, 2009: Microsoft, Facebook; D. Eberly, 7x24, 2013"),
    ),
    formulas=(
        Formula(
            "people",
            "people = p * (work / 100) ^ e + own rota",
            "a power law through published ratios; p is one unknown for all designs",
        ),
        Formula("work", "work = sum of what is run * its weight", "weights are assumed"),
    ),
    checks=(
        Check(
            "microsoft-2009",
            "Servers a person, of 300,000",
            1500.0,
            lambda: _of(hosts_count=300_000).hosts_per_person_count or 0.0,
            source="Data Center Knowledge, 2009: 1,000 to 2,000 servers an administrator",
            tolerance=500.0,
            unit="count",
            params=lambda: {
                "hosts_count": 300_000,
                "racks_count": 0,
                "switches_count": 0,
                "sites_count": 0,
            },
            kind="fitted",
            tests="cost.people.PeopleParams.exponent",
            printed="1,000 to 2,000",
            fitted_to="This band: the exponent keeps a power law from 1 in 67 at a hundred in it.",
        ),
        derived_check(
            "doubled",
            "Twice the servers: people over people",
            2.0**0.6,
            lambda: _of(hosts_count=800).fte / _of(hosts_count=400).fte,
            source="2^e",
            tolerance=1e-9,
            unit="ratio",
            tests="cost.people.PeopleParams.exponent",
        ),
    ),
    limits=(
        "Only people whom infrastructure needs: those who write and run applications are the "
        "same on every side and not counted.",
        "Published ratios are of 2009 to 2014, and count different jobs; none after 2015 was at "
        "hand.",
    ),
)
