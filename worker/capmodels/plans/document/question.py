"""What a study asks: its designs and ranges, and all that faults and equations read of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Protocol

from pydantic import Field

from capmodels.plans.document.cloud import Cloud
from capmodels.plans.document.disk_array import DiskArray
from capmodels.plans.document.fields import Name, Pointer
from capmodels.plans.document.hybrid import Hybrid
from capmodels.plans.document.owned import OwnedCluster
from capmodels.spec import Params, blank
from capmodels.units import Real

if TYPE_CHECKING:
    from capmodels.plans.document.assumptions import Assumptions
    from capmodels.plans.document.baseline import Baseline
    from capmodels.plans.document.workload import Workload

Design = Annotated[OwnedCluster | Cloud | Hybrid | DiskArray, Field(discriminator="kind")]


class Range(Params):
    """How far a number may be off: least and most, with the number itself most likely."""

    pointer: Pointer = Field(
        title="Input", description="JSON pointer; designs by letter, /designs/D/staff_fte."
    )
    low: Real = Field(title="Lowest")
    high: Real = Field(title="Highest")
    quantity: Name | None = blank(
        "The unknown that it is sampled with. Empty: by rule. The same name joins "
        "inputs, a name of its own splits one off."
    )


class Question(Protocol):
    """What the equations read of a study."""

    @property
    def designs(self) -> tuple[Design, ...]:
        """Designs that the equations may look up."""

    @property
    def baseline(self) -> Baseline | None:
        """What runs today."""

    @property
    def workload(self) -> Workload:
        """What is to be carried."""

    @property
    def assumptions(self) -> Assumptions:
        """What holds for all designs."""


class RangedQuestion(Question, Protocol):
    """What the faults of a study are found in."""

    @property
    def ranges(self) -> tuple[Range, ...]:
        """Inputs that may be off."""
