"""What Huang 2006 states of ranks, breaking even and the figure of merit, by closed form."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from capmodels.memory.states import (
    CALIBRATED,
    PRESETS,
    all_self_refresh_w,
    break_even_ns,
    ipd_w,
    nopm_w,
)
from capmodels.tests.memory.thesis_tables import observed_pdd_w

if TYPE_CHECKING:
    from capmodels.memory.states import Technique


@pytest.mark.decisive
def test_self_refresh_breaks_even_after_1_70_microseconds_not_19() -> None:
    assert break_even_ns(0.167, 4.125, 1000.0) == pytest.approx(1_700.0, rel=5e-3)


@pytest.mark.parametrize(
    ("preset", "watts"),
    [("thesis_calibrated", (49.500, 24.828, 2.004)), ("thesis_16rank", (49.504, 25.216, 2.672))],
)
def test_without_traffic_the_presets_draw_what_their_parts_add_up_to(
    preset: str, watts: tuple[float, float, float]
) -> None:
    states = CALIBRATED if preset == "thesis_calibrated" else PRESETS["thesis_16rank"]
    found = (nopm_w(states, 0.0), ipd_w(states, 0.0), all_self_refresh_w(states))
    assert found == pytest.approx(watts, rel=1e-6)


@pytest.mark.parametrize(
    ("workload", "technique", "watts"),
    [
        ("low", "NOPM", 49.97), ("low", "IPD", 29.67), ("low", "ISR", 127.16),
        ("low", "PAVM", 27.78), ("low", "PAVM_IPD", 17.19), ("low", "HW", 13.23),
        ("low", "HW_SW", 12.00), ("high", "NOPM", 52.15), ("high", "IPD", 33.52),
        ("high", "ISR", 513.78), ("high", "PAVM", 27.43), ("high", "PAVM_IPD", 19.42),
        ("high", "HW", 17.88), ("high", "HW_SW", 16.60), ("synthetic", "NOPM", 5.80),
        ("synthetic", "IPD", 4.95), ("synthetic", "ISR", 143.62), ("synthetic", "HW", 4.38),
        ("synthetic", "HW_SW", 3.90),
    ],
)  # fmt: skip
def test_the_printed_tables_give_the_figure_of_merit(
    workload: str, technique: Technique, watts: float
) -> None:
    assert observed_pdd_w(workload, technique) == pytest.approx(watts, rel=5e-3)
