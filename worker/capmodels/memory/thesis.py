"""Tables of Huang 2006 that the presets of traffic and the published checks are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from capmodels.memory.states import Technique

CLOCK_HZ = 1.6e9
Mix = Literal["low", "high", "mixed_1", "mixed_2", "mixed_3", "mixed_4"]


@dataclass(frozen=True, slots=True)
class Observed:
    """A workload as observed: cycles and accesses; power and response by technique."""

    cycles: float
    accesses: int
    power_w: dict[Technique, float]
    response_ns: dict[Technique, float]

    @property
    def duration_s(self) -> float:
        """Time of the trace. [s]"""
        return self.cycles / CLOCK_HZ

    @property
    def rate_per_s(self) -> float:
        """Accesses per second of the trace. [1/s]"""
        return self.accesses / self.duration_s


# Columns of the tables of power and response, and of those of run times.
_POLICIES: tuple[Technique, ...] = ("NOPM", "IPD", "ISR", "PAVM", "PAVM_IPD", "HW", "HW_SW")
_TIMED: tuple[Technique, ...] = ("IPD", "ISR", "HW", "PAVM", "PAVM_IPD", "HW_SW")


def _row(policies: tuple[Technique, ...], *values: float) -> dict[Technique, float]:
    return dict(zip(policies, values, strict=True))


# Tables 2.5 to 2.7, 3.2 to 3.4.
LOW = Observed(
    10_416_416_544,
    8_330_756 + 3_189_337,
    _row(_POLICIES, 49.97, 25.54, 6.23, 27.64, 14.72, 10.24, 8.81),
    _row(_POLICIES, 72.01, 82.17, 697.60, 72.29, 82.52, 90.14, 94.38),
)
HIGH = Observed(
    11_065_594_944,
    54_721_075 + 14_820_760,
    _row(_POLICIES, 52.15, 28.30, 14.47, 27.15, 16.19, 14.79, 13.58),
    _row(_POLICIES, 84.13, 92.19, 537.45, 84.59, 92.83, 93.21, 93.75),
)
SYNTHETIC = Observed(
    1.89e9,
    7_429_188 + 333,
    {"NOPM": 5.80, "IPD": 4.43, "ISR": 3.81, "HW": 3.88, "HW_SW": 3.45},
    {"NOPM": 60.53, "IPD": 65.59, "ISR": 555.15, "HW": 66.03, "HW_SW": 66.08},
)
# Printed normalised run times, in the order of the tables.
RUNTIMES: dict[str, dict[Technique, float]] = {
    "low": _row(_TIMED, 1.018, 2.107, 1.032, 1.001, 1.019, 1.039),
    "high": _row(_TIMED, 1.081, 5.558, 1.091, 1.005, 1.087, 1.097),
    "synthetic": {"IPD": 1.032, "ISR": 4.110, "HW": 1.035, "HW_SW": 1.035},
}
OBSERVED = {"low": LOW, "high": HIGH, "synthetic": SYNTHETIC}

# Tables 3.5 to 3.9: accesses per second, watts without management and with power-down.
MIXED = (
    (4.8038e6, 55.01, 30.82),
    (7.2889e6, 55.72, 31.61),
    (7.5953e6, 55.80, 31.73),
    (4.1099e6, 54.84, 30.59),
)

# Tables 3.6 to 3.9: watts of the other policies.
_OTHERS: tuple[Technique, ...] = ("ISR", "PAVM_IPD", "HW", "HW_SW")
MIXED_W: dict[Mix, dict[Technique, float]] = {
    "mixed_1": _row(_OTHERS, 9.47, 18.49, 16.92, 14.42),
    "mixed_2": _row(_OTHERS, 16.37, 18.22, 17.13, 15.13),
    "mixed_3": _row(_OTHERS, 12.79, 19.26, 17.58, 15.47),
    "mixed_4": _row(_OTHERS, 14.43, 17.92, 16.52, 14.36),
}

# Table 4.1: share of pages that receives 75, 90, 95 and 99% of the accesses.
ACCESS_SHARES = (0.75, 0.90, 0.95, 0.99)
PAGE_SHARES: dict[str, tuple[float, ...]] = {
    "low": (0.0568, 0.1427, 0.1860, 0.2581),
    "high": (0.0053, 0.0149, 0.0498, 0.1638),
}

# Tables 2.1 to 2.3: ranks that each of six processes uses.
ACTIVE_SETS = ((7, 7, 8, 10, 8, 5), (4, 4, 3, 7, 6, 4), (2, 2, 2, 3, 3, 4))

# Tables 2.5 and 3.5: cycles, accesses, context switches and (ours) ranks used, of 12. A row of
# SPECjbb stands for its eight threads together.
_JBB, _BZIP2_MCF, _CRAFTY, _ART = 9, 5, 3, 4
PROCESSES: dict[Mix, tuple[tuple[str, float, int, int, int], ...]] = {
    "low": (
        ("SPECjbb", 4_871_358_322, 5_669_849, 2_766, _JBB),
        ("bzip2", 2_591_125_601, 4_366_607, 1_258, _BZIP2_MCF),
        ("crafty", 2_714_572_432, 985_800, 1_259, _CRAFTY),
    ),
    "high": (
        ("SPECjbb", 6_025_499_914, 10_639_685, 5_249, _JBB),
        ("mcf", 2_853_500_163, 20_958_525, 1_089, _BZIP2_MCF),
        ("art", 2_163_757_139, 37_466_622, 1_089, _ART),
    ),
    "mixed_1": (
        ("SPECjbb", 6_014_087_558, 9_015_510, 8_317, _JBB),
        ("bzip2", 2_672_678_890, 5_815_775, 1_160, _BZIP2_MCF),
        ("mcf", 3_264_133_644, 21_392_234, 1_160, _BZIP2_MCF),
    ),
    "mixed_2": (
        ("SPECjbb", 6_067_584_241, 9_061_551, 8_391, _JBB),
        ("crafty", 2_627_355_852, 1_698_171, 1_159, _CRAFTY),
        ("art", 2_423_214_001, 40_462_570, 1_160, _ART),
    ),
    "mixed_3": (
        ("SPECjbb", 6_360_215_053, 10_000_538, 7_167, _JBB),
        ("bzip2", 2_494_274_438, 4_765_950, 1_094, _BZIP2_MCF),
        ("art", 2_315_027_158, 38_980_758, 1_094, _ART),
    ),
    "mixed_4": (
        ("SPECjbb", 6_338_868_649, 9_694_765, 6_146, _JBB),
        ("crafty", 2_496_272_177, 1_597_023, 1_077, _CRAFTY),
        ("mcf", 2_976_933_794, 19_339_627, 1_077, _BZIP2_MCF),
    ),
}
