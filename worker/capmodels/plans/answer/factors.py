"""Factors of carbon as sentences: of what year, basis and source each is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capmodels.plans.words import three_digits, time_span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from capmodels.plans.costing.designs import Costed
    from capmodels.plans.document.array_parts import ArrayEmbodied
    from capmodels.plans.document.array_spec import ArraySpec
    from capmodels.plans.document.assumptions import Carbon
    from capmodels.plans.document.cloud import CloudEnergy
    from capmodels.plans.document.hardware import Embodied, NodeGroup
from capmodels.plans.document.embodied import (
    VCPU_KGCO2E_PER_YEAR,
    VCPU_ORIGIN,
    FactorBasis,
    FactorOrigin,
)

_BASIS_WORDS = {
    "cradle_to_gate": "cradle to gate",
    "cradle_to_site": "cradle to site",
    "cradle_to_grave_without_use": "cradle to grave without use",
}


@dataclass(frozen=True, slots=True)
class Factor:
    """A factor of embodied carbon: of what, how much, and of what year, basis and source."""

    what: str
    amount: str
    year: int | None
    basis: FactorBasis | None
    source: str | None

    @property
    def is_bare(self) -> bool:
        """Whether nobody can check it."""
        return self.year is None or self.basis is None

    def __str__(self) -> str:
        """The factor as a sentence, with what is unknown of it."""
        told = (
            "basis not given" if self.basis is None else _BASIS_WORDS[self.basis],
            f"{self.year or 'year not given'}",
            self.source or "source not given",
        )
        return f"Making {self.what}: {self.amount} ({', '.join(told)})."


def factors_told(item: Costed, carbon: Carbon) -> str:
    """Say by which factors a design's emissions are counted, with what each is of."""
    groups = () if item.owned is None else [plan.group for plan in item.owned.plans]
    arrays = () if item.owned is None else [plan.array for plan in item.owned.arrays]
    energy = None if item.rented is None else item.rented.cloud.energy
    made = factors_of(groups, arrays, energy)
    return " ".join([_electricity(carbon), *(str(factor) for factor in made)])


def factors_of(
    groups: Iterable[NodeGroup], arrays: Iterable[ArraySpec], energy: CloudEnergy | None
) -> Iterator[Factor]:
    """Factors of embodied carbon that are entered for nodes, an array and what is rented."""
    for group in groups:
        if (made := group.embodied) is not None:
            yield _spread(f"a node of {group.name}", made.kgco2e, made)
    embodied = dict.fromkeys(array.embodied for array in arrays if array.embodied is not None)
    for made_array in embodied:
        yield _spread("a drive of the disk array", made_array.drive_kgco2e, made_array)
    if energy is not None and energy.embodied_kgco2e_per_vcpu_year is not None:
        yield _of_vcpus(energy, energy.embodied_kgco2e_per_vcpu_year)


def _spread(what: str, kgco2e: float, made: Embodied | ArrayEmbodied) -> Factor:
    amount = f"{three_digits(kgco2e)} kg CO2e over {time_span(made.life_months)}"
    return Factor(what, amount, made.year, made.basis, made.factor_source)


def _of_vcpus(energy: CloudEnergy, rate: float) -> Factor:
    """A factor left as it came has the origin that it came with."""
    amount = f"{three_digits(rate)} kg CO2e/vCPU-yr"
    origin = energy.embodied_origin
    if origin is None:
        origin = VCPU_ORIGIN if rate == VCPU_KGCO2E_PER_YEAR else FactorOrigin()
    return Factor("what is rented", amount, origin.year, origin.basis, origin.factor_source)


def _electricity(carbon: Carbon) -> str:
    place = f"{carbon.zone or 'zone not given'}, {carbon.year or 'year not given'}"
    how = carbon.basis.replace("_", " ")
    amount = "unknown" if carbon.gco2e_per_kwh is None else three_digits(carbon.gco2e_per_kwh)
    return f"Electricity: {amount} g CO2e/kWh ({place}, {how})."
