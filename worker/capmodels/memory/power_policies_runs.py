"""Rows of the thesis that need a run: the workloads of SPEC, which its tables only sum up.

Their traces are not public. Ours are processes that take turns as often, each with its accesses
and in clusters of our choice (``MixTraffic``), so that nothing is fitted to the watts.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, get_args

from capmodels.memory.power_policies_checks import MIXED_STATES, name_of
from capmodels.memory.power_policies_params import PowerPoliciesParams
from capmodels.memory.states import CALIBRATED, THESIS, Technique, saved_fraction
from capmodels.memory.thesis import (
    ACCESS_SHARES,
    HIGH,
    LOW,
    MIXED_W,
    OBSERVED,
    PAGE_SHARES,
    Mix,
    Observed,
)
from capmodels.memory.traffic import MixTraffic, PoissonTraffic, Reshaping, SkewPoint
from capmodels.spec import Check

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    # Mean power under the one technique of a run. [W]
    Watts = Callable[[PowerPoliciesParams], float]

_SECOND_MS, _RESHAPED_MS = 1000.0, 60.0
_TABLES: dict[Mix, str] = {"low": "2.6 and 3.3", "high": "2.7 and 3.4"}
_TABLES |= {mix: f"3.{number}" for number, mix in enumerate(MIXED_W, start=6)}
# How far ours are off, in watts: nothing is left to tune.
_OFF_W: dict[Mix, dict[Technique, float]] = {
    "low": {"ISR": 3.13, "HW": 3.9, "HW_SW": 4.9},
    "high": {"ISR": 7.1, "HW": 4.4, "HW_SW": 5.0},
    "mixed_1": {"ISR": 4.15, "PAVM_IPD": 1.3, "HW": 2.8, "HW_SW": 4.8},
    "mixed_2": {"ISR": 10.1, "PAVM_IPD": 1.1, "HW": 2.2, "HW_SW": 3.5},
    "mixed_3": {"ISR": 6.35, "PAVM_IPD": 1.6, "HW": 3.4, "HW_SW": 4.8},
    "mixed_4": {"ISR": 9.65, "PAVM_IPD": 1.1, "HW": 2.4, "HW_SW": 4.1},
}


def skew_of(workload: str) -> tuple[SkewPoint, ...]:
    """Return table 4.1's row of the low or the high workload."""
    return tuple(
        SkewPoint(pages_fraction=pages, accesses_fraction=accesses)
        for pages, accesses in zip(PAGE_SHARES[workload], ACCESS_SHARES, strict=True)
    )


def _mix_w(watts: Watts, mix: Mix, technique: Technique) -> float:
    states = MIXED_STATES if mix in MIXED_W else CALIBRATED
    return watts(
        PowerPoliciesParams(
            memory=states,
            traffic=MixTraffic(mix=mix),
            techniques=(technique,),
            horizon_ms=_SECOND_MS,
        )
    )


def _reshaped_w(watts: Watts, mix: Mix, rate_per_s: float, moved_fraction: float) -> float:
    traffic = PoissonTraffic(rate_per_s=rate_per_s, skew=skew_of(mix))
    return watts(
        PowerPoliciesParams(
            traffic=traffic,
            techniques=("HW",),
            reshaping=Reshaping(migrate_fraction=moved_fraction),
            horizon_ms=_RESHAPED_MS,
            threshold_first_ratio=32.0,
        )
    )


def _reshaping_saves(watts: Watts, mix: Mix, seen: Observed) -> float:
    moved, before = (_reshaped_w(watts, mix, seen.rate_per_s, share) for share in (0.05, 0.0))
    return saved_fraction(moved, before)


def _directing_saves(watts: Watts, mix: Mix) -> float:
    return saved_fraction(_mix_w(watts, mix, "HW_SW"), _mix_w(watts, mix, "HW"))


def _title(mix: Mix) -> str:
    name = mix.replace("_", " ")
    return name.capitalize() if mix in MIXED_W else f"Workload {name}"


def _tables(watts: Watts) -> Iterator[Check]:
    for mix in get_args(Mix):
        printed = MIXED_W.get(mix) or OBSERVED[mix].power_w
        for technique, off in _OFF_W[mix].items():
            yield Check(
                f"M11 {mix} {name_of(technique)}",
                f"{_title(mix)}, simulated: {name_of(technique)}",
                printed[technique],
                partial(_mix_w, watts, mix, technique),
                source=f"{THESIS}, table {_printed_in(mix, technique)}",
                printed=f"{printed[technique]:.2f}",
                kind="predicted",
                tests=f"memory.states.PowerStates.{_decides(technique)}",
                tolerance=off,
                wider="The traces are not public. Of processes that take turns as often, so far "
                "off is the model.",
                unit="W",
            )


def _printed_in(mix: Mix, technique: Technique) -> str:
    """Tables that print a technique's watts of a mix."""
    if mix == "high" and technique == "ISR":
        return "3.4 and 4.5; table 2.7 has 14.57"
    if technique == "PAVM_IPD":
        return f"{_TABLES[mix]}, as SW-only (PAVM)"
    if mix not in MIXED_W and technique == "HW_SW":
        return _TABLES[mix].split(" and ")[-1]
    return _TABLES[mix]


def _decides(technique: Technique) -> str:
    """What most of a technique's watts come of."""
    return "self_refresh_w" if technique == "ISR" else "peripheral_w"


_saving = partial(Check, tests="memory.states.saved_fraction", unit="fraction")


def _savings(watts: Watts) -> Iterator[Check]:
    chapter_3 = f"{THESIS}, section 3.4.2 and tables 3.3 and 3.4"
    off = {"low": 0.1135, "high": 0.05}
    rows: tuple[tuple[Mix, Observed, float, float], ...] = (
        ("low", LOW, 0.1402, 0.6813),
        ("high", HIGH, 0.0818, 0.4998),
    )
    for mix, seen, directed, alone in rows:
        printed = seen.power_w
        percent = f"{directed:.2%}"
        yield _saving(
            f"M12 {mix} printed",
            f"{_title(mix)}: HW-SW over HW, of the printed watts",
            directed,
            partial(saved_fraction, printed["HW_SW"], printed["HW"]),
            source=chapter_3,
            kind="arithmetic",
            printed=percent,
            tolerance=0.0008,
            wider="Of watts printed to a hundredth.",
        )
        yield _saving(
            f"M12 {mix} PAVM",
            f"{_title(mix)}: HW-SW over PAVM, of the printed watts",
            alone,
            partial(saved_fraction, printed["HW_SW"], printed["PAVM"]),
            source=f"{THESIS}, section 3.5 and tables 3.3 and 3.4",
            kind="arithmetic",
            printed=f"{alone:.2%}",
            tolerance=0.00005,
        )
        yield _saving(
            f"M12 {mix}",
            f"{_title(mix)}, simulated: HW-SW over HW",
            directed,
            partial(_directing_saves, watts, mix),
            source=chapter_3,
            kind="predicted",
            printed=percent,
            tolerance=off[mix],
            wider="The traces are not public. Of our processes the predictor alone does nearly as "
            "well.",
        )


def _reshaping(watts: Watts) -> Iterator[Check]:
    rows: tuple[tuple[Mix, Observed, float, str, float], ...] = (
        ("low", LOW, 0.3887, "4.4", 0.083),
        ("high", HIGH, 0.3563, "4.5", 0.09),
    )
    for mix, seen, saved, table, off in rows:
        yield _saving(
            f"M13 {mix}",
            f"{_title(mix)}: what moving 5% of the pages saves of HW",
            saved,
            partial(_reshaping_saves, watts, mix, seen),
            source=f"{THESIS}, table {table} and section 4.5.2",
            kind="predicted",
            printed=f"{saved:.2%}",
            tolerance=off,
            wider="Of accesses at random times to pages as popular as in table 4.1; the traces are "
            "not public.",
        )


def run_checks(watts: Watts) -> tuple[Check, ...]:
    """Return the rows, by what a run's last technique draws."""
    return (*_tables(watts), *_savings(watts), *_reshaping(watts))
