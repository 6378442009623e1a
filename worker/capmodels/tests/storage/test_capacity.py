"""Usable storage against the paper's two tiers, growth loops and listing times."""

from __future__ import annotations

import pytest

from capmodels.storage.capacity import appended_tb, blocks_count
from capmodels.tests.asking import ask, faults

MODEL = "storage.capacity"


@pytest.mark.decisive
def test_24_terabytes_are_half_of_the_long_term_store() -> None:
    result = ask(MODEL)
    assert (result.raw_tb, result.usable_tb, result.used_fraction) == (96, 48, 0.5)


@pytest.mark.parametrize(("used_tb", "fill"), [(30.0, 0.98), (10.0, 0.73)])
def test_two_copies_of_the_caches_fill_what_the_paper_says(used_tb: float, fill: float) -> None:
    allocated = 2 * used_tb / fill
    result = ask(MODEL, nodes_count=47, disks_per_node_count=1, disk_tb=allocated / 47,
                 used_tb=used_tb)  # fmt: skip
    assert result.used_fraction == pytest.approx(fill)


def test_growth_fills_the_store_when_a_loop_over_days_says_so() -> None:
    result = ask(MODEL, growth_fraction_per_year=0.4)
    data, days = 24.0, 0
    while data < 48.0:
        data, days = data * 1.4 ** (1 / 365), days + 1
    assert result.full_in_years == pytest.approx(days / 365, abs=1.5 / 365)


@pytest.mark.parametrize(
    ("used_tb", "growth", "years", "reason"),
    [
        (48.0, 0.2, 0.0, "full_now"),
        (60.0, 0.0, 0.0, "full_now"),
        (24.0, 0.0, None, "no_growth"),
        (24.0, -0.1, None, "no_growth"),
        (0.0, 0.5, None, "no_data"),
    ],
)
def test_never_and_now_are_values_with_reasons(
    used_tb: float, growth: float, years: float | None, reason: str
) -> None:
    result = ask(MODEL, used_tb=used_tb, growth_fraction_per_year=growth)
    assert (result.full_in_years, result.full_reason) == (years, reason)


def test_listing_48_terabytes_at_the_paper_s_mix() -> None:
    result = ask(MODEL, used_tb=48.0, mean_block_mb=11e6 / 588_000)
    assert result.blocks_count == pytest.approx(2.57e6, rel=0.002)
    assert result.listing_s == pytest.approx(305, abs=0.6)


def test_full_blocks_make_listing_shorter() -> None:
    blocks = blocks_count(data_tb=48.0, mean_block_mb=64 * 2**20 / 1e6)
    assert blocks == pytest.approx(715_256, abs=1)
    assert blocks / 8400 == pytest.approx(85, abs=0.2)


def test_appending_writes_the_old_block_again_unless_it_is_referenced() -> None:
    # 32 MiB, then appended to 48 MiB: 80 MiB in all, or 48 with a reference.
    mib = 2**20 / 1e12
    again = appended_tb(old_tb=32 * mib, new_tb=48 * mib, referenced=False)
    assert again == pytest.approx(80 * mib, rel=1e-12)
    assert appended_tb(old_tb=32 * mib, new_tb=48 * mib, referenced=True) == 48 * mib


def test_equal_blocks_are_stored_once() -> None:
    assert ask(MODEL, dedupe_ratio=1.5).logical_tb == pytest.approx(72)


def test_more_copies_than_candidates_is_warned_about() -> None:
    assert ask(MODEL, copies_count=8).warnings == ()
    assert "8 candidate servers" in ask(MODEL, copies_count=9).warnings[0]


def test_more_copies_than_servers_is_refused() -> None:
    found = faults(MODEL, {"nodes_count": 1})
    assert found == {"/copies_count": "copies_exceed_servers"}


def test_all_faults_come_at_once() -> None:
    document = {
        "nodes_count": 0,
        "disk_tb": 0.0,
        "copies_count": 1.5,
        "fill_fraction": 0.0,
        "dedupe_ratio": 0.9,
        "used_tb": -1.0,
        "growth_fraction_per_year": -1.0,
        "mean_block_mb": 0.0,
        "names_per_s": None,
        "append_referenced": 1,
    }
    assert faults(MODEL, document) == {
        "/nodes_count": "out_of_range",
        "/disk_tb": "out_of_range",
        "/copies_count": "wrong_type",
        "/fill_fraction": "out_of_range",
        "/dedupe_ratio": "out_of_range",
        "/used_tb": "out_of_range",
        "/growth_fraction_per_year": "out_of_range",
        "/mean_block_mb": "out_of_range",
        "/names_per_s": "wrong_type",
        "/append_referenced": "wrong_type",
    }


def test_no_copy_at_all_is_refused() -> None:
    assert faults(MODEL, {"copies_count": 0}) == {"/copies_count": "out_of_range"}
