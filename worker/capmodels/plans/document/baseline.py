"""What runs today: lines of machines or instances, and commitments that run off."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from capmodels.plans.document.bounded import (
    Usd,
    UsdPerH,
    UsdPerMonth,
    UsdPerYear,
)
from capmodels.plans.document.fields import (
    Amount,
    Finding,
    Fte,
    HoursPerMonth,
    IsoDate,
    Months,
    Name,
    refuse,
    unused,
)
from capmodels.spec import Params, assumed, blank, derived, preset
from capmodels.units import HOURS_PER_MONTH


class BaselineLine(Params):
    """Some machines or instances of one type, as they are paid today."""

    type: Name
    count: Amount
    hours_per_month: HoursPerMonth = derived(
        HOURS_PER_MONTH, source="All hours of a month", title="Hours a month"
    )
    usd_per_h: UsdPerH = Field(
        title="Price", description="Price of an hour today, as committed where it is."
    )
    commitment_end_month: Months | None = blank(
        "Months from the start until the commitment has run off. Empty: none.",
        title="Commitment ends after month",
    )
    commitment_ends_on: IsoDate | None = blank("The same as its last day; needs the study's start.")
    after_usd_per_h: UsdPerH | None = blank(
        "On-demand price once the commitment has run off.", title="Price afterwards"
    )

    @model_validator(mode="after")
    def _price_afterwards(self) -> BaselineLine:
        ends = self.commitment_end_month is not None or self.commitment_ends_on is not None
        if ends and self.after_usd_per_h is None:
            sentence = (
                f"The commitment of {self.type} runs off, and no price is given for afterwards. "
                "Enter the on-demand price."
            )
            refuse([Finding(("after_usd_per_h",), "needed", sentence)])
        return self


class Baseline(Params):
    """The design that stands today, shown as a further column."""

    kind: Literal["today", "do_nothing"] = preset(
        "today",
        "today: what runs today, growing with the demand; do_nothing: the same "
        "machines for good, which meet no growth.",
    )
    title: Name = "What we run today"
    lines: tuple[BaselineLine, ...] = Field(default=(), max_length=500)
    other_usd_per_month: UsdPerMonth = unused(
        "Other cost", "Storage, transfer and everything else that is paid today."
    )
    commitments_owed_by_all: bool = assumed(
        False,
        "What is committed today is paid until it runs off, by designs that leave it too.",
        source="What runs off is paid where it runs",
        title="Commitments owed by every design",
    )
    book_value_usd: Usd = unused(
        "Book value",
        "What the books still hold of machines that stand today. It is spent whatever is "
        "decided, so no design is charged for it.",
    )
    resale_usd: Usd | None = blank(
        "What today's machines fetch when a design leaves them. Empty: unknown, not counted."
    )
    staff_fte: Fte = unused("Operations")
    staff_usd_per_year: UsdPerYear = unused("Staff, flat")
