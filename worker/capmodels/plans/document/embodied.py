"""Of what year, basis and source factors of embodied carbon are, and how sentences say it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from capmodels.plans.document.fields import Name
from capmodels.spec import Params, blank
from capmodels.units import Whole

FactorYear = Annotated[Whole, Field(ge=1990, le=2100)]
# ISO 14040 and the GHG Protocol's product standard; use is counted apart, by the electricity.
FactorBasis = Literal["cradle_to_gate", "cradle_to_site", "cradle_to_grave_without_use"]
# What comes with a rented vCPU unless entered: 1,000-1,500 kg a server of 96 over 4 years.
VCPU_KGCO2E_PER_YEAR = 3.75


def year_field() -> Any:
    """Field for the year of a factor."""
    return blank("Year that it is of. Empty: unknown.", title="Year")


def basis_field() -> Any:
    """Field for what a factor counts."""
    return blank(
        "Cradle to gate: raw materials and making; to site: and transport; to grave "
        "without use: and disposal. Empty: unknown.",
        title="Basis",
    )


def source_field() -> Any:
    """Field for who says a factor."""
    return blank("Who says so. Empty: unknown.", title="Source")


class FactorOrigin(Params):
    """Of what year and basis a factor is, and who says so."""

    year: FactorYear | None = year_field()
    basis: FactorBasis | None = basis_field()
    factor_source: Name | None = source_field()


VCPU_ORIGIN = FactorOrigin(
    year=2023, basis="cradle_to_gate", factor_source="Cloud Carbon Footprint"
)
