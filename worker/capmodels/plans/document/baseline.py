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
from capmodels.plans.document.capacity_plan import CapacityPlan
from capmodels.plans.document.fields import (
    Amount,
    Finding,
    Fte,
    HoursPerMonth,
    IsoDate,
    Months,
    MonthsFromOne,
    Name,
    PositiveCores,
    PositiveRam,
    refuse,
    unused,
    whole_months,
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
        "On-demand price once the commitment has run off, or of what takes the place of machines "
        "that are taken out.",
        title="Price afterwards",
    )
    busy_cores_count: PositiveCores | None = blank(
        "What one carries. A plan of purchases keeps what is committed, and machines that are "
        "taken out, as long as they are there. Empty: it leaves them out.",
        title="Busy cores of one", exclude_if=lambda given: given is None,
    )  # fmt: skip
    ram_gib: PositiveRam | None = blank(
        "Built into one. Empty: a plan of purchases takes it to hold what the work needs that its "
        "cores are busy with.",
        title="RAM of one", exclude_if=lambda given: given is None,
    )  # fmt: skip
    until_month: MonthsFromOne | None = blank(
        "Months from the start until these machines, which are owned, are taken out. Empty: they "
        "are not owned.",
        title="Taken out after month", exclude_if=lambda given: given is None,
    )  # fmt: skip

    @model_validator(mode="after")
    def _ends_once(self) -> BaselineLine:
        ends = self.commitment_end_month is not None or self.commitment_ends_on is not None
        if ends and self.until_month is not None:
            sentence = (
                f"{self.type} is committed for a time and taken out after one. Enter what is "
                "rented and what is owned in lines of their own."
            )
            refuse([Finding(("until_month",), "not_both", sentence)])
        if self.after_usd_per_h is None and (ends or self.until_month is not None):
            sentence = (
                f"The commitment of {self.type} runs off, and no price is given for afterwards. "
                "Enter the on-demand price."
                if ends
                else f"{self.type} is taken out, and no price is given for what takes its place. "
                "Enter what an hour of that costs."
            )
            refuse([Finding(("after_usd_per_h",), "needed", sentence)])
        return self

    @property
    def is_kept(self) -> bool:
        """Whether a plan of purchases has it among what is there for a time."""
        ends = (self.commitment_end_month, self.commitment_ends_on, self.until_month)
        return self.busy_cores_count is not None and any(ends)

    def committed_months(self, starts_on: str | None) -> int | None:
        """Months from the start until the commitment has run off; None without one."""
        if self.commitment_end_month is not None:
            return self.commitment_end_month
        if self.commitment_ends_on is None or starts_on is None:
            return None
        return whole_months(starts_on, self.commitment_ends_on)


def left_by(baseline: Baseline, plan: CapacityPlan | None) -> Baseline:
    """What of today a design leaves: all, but for what its plan keeps."""
    if plan is None or not plan.kept:
        return baseline
    lines = tuple(line for line in baseline.lines if not line.is_kept)
    return baseline.model_copy(update={"lines": lines})


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
