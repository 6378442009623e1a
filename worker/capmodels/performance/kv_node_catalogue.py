"""Node types of the FAWN papers.

The table is recalled after Andersen et al. 2011. Base servers, device counts, watts and
rates of the disk and DRAM rows agree with that article's text; the price of the
Traditional+SSD row is ambiguous there (3,000 USD each or together).
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from capmodels.spec import Params
from capmodels.units import PowerW, Real, Usd

PositiveGb = Annotated[Real, Field(gt=0, json_schema_extra={"unit": "GB"})]
PositiveRate = Annotated[Real, Field(gt=0, json_schema_extra={"unit": "1/s"})]


class NodeType(Params):
    """A node: what it costs, draws, serves and holds."""

    name: str = Field(min_length=1, max_length=120, description="How it is called.")
    price_usd: Usd = Field(description="Price of one node.")
    power_w: PowerW = Field(description="Power of one node at work.")
    rate_per_s: PositiveRate = Field(description="Queries that one node serves.")
    capacity_gb: PositiveGb = Field(description="Data that one node holds.")


def _node(
    name: str, price_usd: float, power_w: float, rate_per_s: float, capacity_gb: float
) -> NodeType:
    return NodeType(
        name=name,
        price_usd=price_usd,
        power_w=power_w,
        rate_per_s=rate_per_s,
        capacity_gb=capacity_gb,
    )


PAPER_NODES: tuple[NodeType, ...] = (
    _node("Traditional+Disk", 2000.0, 250.0, 1_500.0, 10_000.0),
    _node("Traditional+SSD", 8000.0, 220.0, 200_000.0, 160.0),
    _node("Traditional+DRAM", 3000.0, 280.0, 1_000_000.0, 64.0),
    _node("FAWN+Disk", 350.0, 20.0, 250.0, 2_000.0),
    _node("FAWN+SSD", 500.0, 15.0, 35_000.0, 32.0),
    _node("FAWN+DRAM", 250.0, 15.0, 100_000.0, 2.0),
)
