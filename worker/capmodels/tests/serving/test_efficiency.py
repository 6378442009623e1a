"""What kernels reach on cards that were not measured: by power, and by what joins them."""

from __future__ import annotations

import pytest

from capmodels.serving.accelerators import ACCELERATORS
from capmodels.serving.fitted import KERNELS, efficiency_of, sustained_share


@pytest.mark.parametrize(
    ("card", "least", "most"),
    [
        # Measured beside its kin in MLPerf 3.1 to 4.1, Offline: BERT, GPT-J, ResNet-50, SDXL.
        ("NVIDIA A100 PCIe 80 GB", 0.89, 0.93),
        ("NVIDIA H100 PCIe", 0.78, 0.87),
        ("NVIDIA H100 NVL", 0.81, 0.90),
        ("NVIDIA L4", 0.80, 0.89),
    ],
)
def test_cards_of_less_power_sustain_as_much_as_mlperf_measured(
    card: str, least: float, most: float
) -> None:
    assert least - 0.01 <= sustained_share(ACCELERATORS[card]) <= most + 0.01


def test_what_was_measured_and_what_draws_more_is_as_its_sheet_says() -> None:
    for name in (*KERNELS, "NVIDIA GB300", "NVIDIA H200 NVL", "AMD MI300X"):
        assert sustained_share(ACCELERATORS[name]) == 1.0


def test_ranks_in_slots_reduce_as_those_measured_in_such_slots() -> None:
    for card, measured in (
        ("NVIDIA H100 PCIe", "NVIDIA RTX PRO 6000"), ("NVIDIA A100 PCIe 80 GB", "NVIDIA L40S"),
        ("NVIDIA H100 NVL", "NVIDIA H100 SXM"),
    ):  # fmt: skip
        assert efficiency_of(ACCELERATORS[card], "bf16").link == KERNELS[measured].link
