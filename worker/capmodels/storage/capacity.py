"""Usable space of a replicated store, when it is full, and what listing it takes.

After the long-term store of Zaranek et al. 2008 ("Free Factories").
"""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, ValidationInfo, field_validator

from capmodels.spec import (
    Check,
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    assumed,
    default,
    one_point,
    refusal,
)
from capmodels.units import (
    BYTES_PER_MB,
    BYTES_PER_TB,
    CountFromOne,
    DataTb,
    DurationS,
    Fraction,
    GrowthFractionPerYear,
    Real,
    of_unit,
)

# A block of the store has this many candidate servers.
CANDIDATE_SERVERS_COUNT = 8

PositiveTb = Annotated[Real, of_unit("TB", gt=0)]
FillFraction = Annotated[Fraction, Field(gt=0)]
RatioFromOne = Annotated[Real, of_unit("ratio", ge=1)]
BlockMb = Annotated[Real, of_unit("MB", gt=0)]
NamesPerS = Annotated[Real, of_unit("1/s", gt=0)]
Years = Annotated[Real, of_unit("yr", ge=0)]
BlocksCount = Annotated[Real, of_unit("count", ge=0)]


def usable_tb(*, raw_tb: float, fill_fraction: float, copies_count: int) -> float:
    """Space for data that is kept in several copies. [TB]

    >>> usable_tb(raw_tb=96.0, fill_fraction=1.0, copies_count=2)
    48.0
    """
    return raw_tb * fill_fraction / copies_count


def years_left(
    *, usable_tb: float, used_tb: float, growth_fraction_per_year: float
) -> float | None:
    """Time until the data fill the store; None when they never do. [yr]"""
    if used_tb >= usable_tb:
        return 0.0
    if used_tb == 0 or growth_fraction_per_year <= 0:
        return None
    years = math.log(usable_tb / used_tb) / math.log1p(growth_fraction_per_year)
    return years if math.isfinite(years) else None


def blocks_count(*, data_tb: float, mean_block_mb: float) -> float:
    """Blocks that hold an amount of data. [count]"""
    return data_tb * BYTES_PER_TB / (mean_block_mb * BYTES_PER_MB)


def mean_block_mb(*, data_tb: float, blocks_count: float) -> float:
    """Mean size of the blocks that hold an amount of data. [MB]

    >>> round(mean_block_mb(data_tb=11.0, blocks_count=588_000), 2)
    18.71
    """
    return data_tb * BYTES_PER_TB / BYTES_PER_MB / blocks_count


def appended_tb(*, old_tb: float, new_tb: float, referenced: bool) -> float:
    """Space that appending takes: the old block is written again unless referenced. [TB]"""
    return new_tb if referenced else old_tb + new_tb


def _stated(value: Any, description: str, *, section: str, **facets: Any) -> Any:
    source = f"Zaranek et al. 2008, section {section}"
    return default(value, source=source, as_of="2008", description=description, **facets)


class CapacityParams(Params):
    """Nodes and disks of a store, how it keeps data, and how much there is."""

    model_config = ConfigDict(validate_default=True)

    nodes_count: CountFromOne = _stated(48, "Servers of the store.", section="2.1")
    disks_per_node_count: CountFromOne = _stated(
        2, "Disks of a server that belong to this store.", section="2.1"
    )
    disk_tb: PositiveTb = _stated(1.0, "Size of one disk.", section="2.1", title="Disk size")
    copies_count: CountFromOne = _stated(
        2, "Copies kept of each block, on different servers.", section="2.3"
    )
    fill_fraction: FillFraction = assumed(
        1.0, "Share of the space that may be filled; 0.85 leaves room to work.", low=0.8, high=1.0
    )
    dedupe_ratio: RatioFromOne = assumed(
        1.0, "Data as named over data as stored, when equal blocks are stored once."
    )
    used_tb: DataTb = _stated(24.0, "Data stored now, counted once.", section="2.1")
    growth_fraction_per_year: GrowthFractionPerYear = assumed(
        0.0, "Yearly growth of the stored data."
    )
    mean_block_mb: BlockMb = _stated(
        18.7, "Mean size of a stored block.", section="2.3", quality="derived"
    )
    names_per_s: NamesPerS = _stated(
        8_400.0, "Block names listed in a second.", section="2.3", quality="derived"
    )
    append_old_tb: DataTb = assumed(0.0, "Size of the block that is appended to.")
    append_new_tb: DataTb = assumed(0.0, "Size of what is appended.")
    append_referenced: bool = default(
        False,
        "Whether the writer points to the old block instead of writing it again.",
        source="Zaranek et al. 2008, section 2.3",
        strict=True,
    )

    @field_validator("copies_count")
    @classmethod
    def _a_server_for_each_copy(cls, value: int, info: ValidationInfo) -> int:
        nodes = info.data.get("nodes_count")
        if nodes is not None and value > nodes:
            raise refusal(
                "copies_exceed_servers",
                f"There are not enough servers for the copies. Enter at most {nodes}.",
            )
        return value


class CapacityResult(Result):
    """Space, time until full, and the time to list every block."""

    raw_tb: DataTb
    usable_tb: DataTb
    logical_tb: DataTb
    used_fraction: Annotated[Real, of_unit("fraction", ge=0)]
    full_in_years: Years | None
    full_reason: Literal["full_now", "no_growth", "no_data"] | None
    blocks_count: BlocksCount
    listing_s: DurationS
    appended_tb: DataTb
    warnings: tuple[str, ...]


def _full_reason(
    params: CapacityParams, usable: float
) -> Literal["full_now", "no_growth", "no_data"] | None:
    if params.used_tb >= usable:
        return "full_now"
    if params.used_tb == 0:
        return "no_data"
    return "no_growth" if params.growth_fraction_per_year <= 0 else None


def _run(params: CapacityParams, _context: Context) -> CapacityResult:
    raw = params.nodes_count * params.disks_per_node_count * params.disk_tb
    usable = usable_tb(
        raw_tb=raw, fill_fraction=params.fill_fraction, copies_count=params.copies_count
    )
    blocks = blocks_count(data_tb=params.used_tb, mean_block_mb=params.mean_block_mb)
    crowded = params.copies_count > CANDIDATE_SERVERS_COUNT
    return CapacityResult(
        raw_tb=raw,
        usable_tb=usable,
        logical_tb=usable * params.dedupe_ratio,
        used_fraction=params.used_tb / usable,
        full_in_years=years_left(
            usable_tb=usable,
            used_tb=params.used_tb,
            growth_fraction_per_year=params.growth_fraction_per_year,
        ),
        full_reason=_full_reason(params, usable),
        blocks_count=blocks,
        listing_s=blocks / params.names_per_s,
        appended_tb=appended_tb(
            old_tb=params.append_old_tb,
            new_tb=params.append_new_tb,
            referenced=params.append_referenced,
        ),
        warnings=("A block has 8 candidate servers, fewer than the copies.",) if crowded else (),
    )


def _listing_588_000_s() -> float:
    size = mean_block_mb(data_tb=11.0, blocks_count=588_000)
    return _run(CapacityParams(used_tb=11.0, mean_block_mb=size), Context()).listing_s


SPEC = ModelSpec(
    id="storage.capacity",
    version="1.0.0",
    title="Usable storage",
    summary="Raw, usable and logical space of a replicated store, when growth fills it, and "
    "how long it takes to list every block.",
    params=CapacityParams,
    result=CapacityResult,
    run=_run,
    points=one_point,
    citations=(
        Citation(
            text="A. W. Zaranek, T. Clegg, W. Vandewege, G. M. Church, Free Factories: "
            "Unified Infrastructure for Data Intensive Web Services, USENIX ATC 2008",
            section="2.1, 2.3 (Keep)",
        ),
    ),
    formulas=(
        Formula(
            "usable",
            "usable = nodes * disks * TB * fill / copies",
            "Zaranek et al. 2008, section 2.1; derived",
            {"fill": "fill_fraction", "copies": "copies_count"},
        ),
        Formula(
            "full_in",
            "full in = ln(usable / used) / ln(1 + g)",
            "compound growth",
            {"g": "growth_fraction_per_year", "used": "used_tb"},
        ),
        Formula(
            "listing",
            "listing = used / mean block / names per second",
            "Zaranek et al. 2008, section 2.3; linear in the blocks",
            {"mean block": "mean_block_mb", "names per second": "names_per_s"},
        ),
    ),
    checks=(
        Check(
            "A30",
            "Half of the long-term store of 48 nodes with two 1 TB disks, two copies",
            24.0,
            lambda: _run(CapacityParams(), Context()).usable_tb / 2,
            source="Zaranek et al. 2008, section 2.1",
            printed="24 TB",
            unit="TB",
            kind="arithmetic",
            tests="storage.capacity.CapacityParams.copies_count",
        ),
        Check(
            "A31",
            "Listing 588,000 names",
            70.0,
            _listing_588_000_s,
            source="Zaranek et al. 2008, section 2.3",
            tolerance=0.5,
            unit="s",
            kind="fitted",
            tests="storage.capacity.CapacityParams.names_per_s",
            fitted_to="This time: names a second are 588,000 over it.",
        ),
        Check(
            "A32",
            "Mean stored block, 11 TB in 588,000 blocks",
            18.71,
            lambda: mean_block_mb(data_tb=11.0, blocks_count=588_000),
            source="Zaranek et al. 2008, section 2.3",
            tolerance=0.01,
            unit="MB",
            kind="arithmetic",
            tests="storage.capacity.mean_block_mb",
            basis="derived",
        ),
    ),
    limits=(
        "Disks are alike and spread evenly; a failed disk's rebuild space is what the fill "
        "share leaves.",
        "Listing is taken to grow in proportion to the blocks, from one measured point.",
        "On the paper's prototypes the cache and the store still shared disks.",
    ),
)
