"""The published day, known by its own values: the simulator's rows beside ours."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from capmodels.consolidation.dynamic_params import DynamicParams
from capmodels.measured import Measured
from capmodels.numbers import grouped
from capmodels.spec import Check
from capmodels.told import Table, TableRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.consolidation.dynamic_load import Load
    from capmodels.consolidation.dynamic_params import DayResult

# PlanetLab, 3 March 2011: 1,052 machines by 288 steps in percent, whatever their order.
_DAY = "3bbbae09f5dd27c782cc179d64828ff26ee2ab3840268e92193aa34f1d504ce0"
# CloudSim 3.0.3, PlanetLab experiment: kWh and migrations.
PUBLISHED = {
    "NPA": (2410.80, 0),
    "DVFS": (802.75, 0),
    "THR-MMT-0.8": (192.62, 26_711),
}
# What we gave of the same day, as far as it is printed, when it was last at hand.
_MEASURED = {
    "NPA": (2410.80, 0),
    "DVFS": (802.75, 0),
    "THR-MMT-0.8": (192.62, 26_711),
}
_SOURCE = "CloudSim 3.0.3, PlanetLab experiment"
_NEEDS = (
    "Needs the public PlanetLab day of 3 March 2011, which is not shipped: drop it under Traces "
    "and replay it with the published hosts to have this row anew."
)
# As far as the simulator prints it.
_PRINTED_KWH = 0.005
# What the experiment is run with.
_AS_PUBLISHED = (
    "hosts",
    "machine_types",
    "step_s",
    "duration_h",
    "idle_ends_machine",
    "memory_limits",
    "fallback_fraction",
)


def is_published_day(load: Load) -> bool:
    """Whether this is the load of the published day."""
    import numpy as np

    percent = np.rint(load.cpu_fraction * 100).astype(np.uint8)
    rows = b"".join(sorted(row.tobytes() for row in percent))
    return hashlib.sha256(rows).hexdigest() == _DAY


def published_rows(
    params: DynamicParams, load: Load, days: Sequence[DayResult]
) -> tuple[Table, ...]:
    """The rows that the simulator prints beside ours, where its experiment is run."""
    fields = DynamicParams.model_fields
    same = all(getattr(params, name) == fields[name].default for name in _AS_PUBLISHED)
    printed = [(day, *PUBLISHED[day.policy]) for day in days if day.policy in PUBLISHED]
    if not (same and printed and is_published_day(load)):
        return ()
    rows = tuple(
        TableRow(
            head=day.policy,
            cells=(
                f"{grouped(day.energy_kwh, 2)} kWh",
                f"{grouped(kwh, 2)} kWh",
                f"{day.migrations_count:,}",
                f"{moves:,}",
                "agrees" if agrees(day) else "differs",
            ),
        )
        for day, kwh, moves in printed
    )
    return (
        Table(
            title="The published day, PlanetLab 3 March 2011",
            columns=("Policy", "Energy", "Published", "Moves", "Published moves", "Check"),
            rows=rows,
            note=f"{_SOURCE}. The day is known by its own values.",
        ),
    )


def day_checks(version: str, as_of: str) -> tuple[Check, ...]:
    """The rows of the published day, as they were when a version was held against it."""

    def kept(ours: float) -> Measured:
        return Measured(ours, version, as_of, _NEEDS)

    energy = (
        Check(
            f"{policy}-kWh",
            f"{policy}, 3 March 2011: energy",
            kwh,
            kept(_MEASURED[policy][0]),
            source=_SOURCE,
            kind="predicted",
            tests="consolidation.dynamic_params.HostType.power_w",
            printed=f"{kwh:,.2f}",
            tolerance=_PRINTED_KWH,
            unit="kWh",
        )
        for policy, (kwh, _) in PUBLISHED.items()
    )
    moves = Check(
        "THR-MMT-0.8-moves",
        "THR-MMT-0.8, 3 March 2011: migrations",
        float(PUBLISHED["THR-MMT-0.8"][1]),
        kept(float(_MEASURED["THR-MMT-0.8"][1])),
        source=_SOURCE,
        kind="predicted",
        tests="consolidation.dynamic_params.DynamicParams.policies",
        unit="count",
    )
    return (*energy, moves)


def agrees(day: DayResult) -> bool:
    """Whether a day's energy and moves are those printed."""
    kwh, moves = PUBLISHED[day.policy]
    return abs(day.energy_kwh - kwh) <= _PRINTED_KWH and day.migrations_count == moves
