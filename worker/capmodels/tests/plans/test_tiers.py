"""Arrays whose data are placed by age, against cohorts counted month by month."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.amounts import as_number
from capmodels.errors import ParamsError
from capmodels.plans.costing.array_tiers import moved_tb, older_tb
from capmodels.tests.plans.arrays import DESKTOP, FLASH, array, stored
from capmodels.tests.plans.documents import answer

if TYPE_CHECKING:
    from capmodels.amounts import Amount

JSONDict = dict[str, Any]


def _tiered(*, count: int | None = None, replaced: float = 0.3, **changes: Any) -> JSONDict:
    """Flash for a month, desktop drives for a year, wide parity for what is older."""
    disks = {"drive": DESKTOP, "drive_price_usd": 100.0, "layout": "raid6", "count": count}
    colder = [
        {
            "name": "Warm",
            "from_days": 30.0,
            "older_reads_fraction": 0.2,
            "array": {**disks, "disks_count": 8},
        },
        {
            "name": "Cold",
            "from_days": 365.0,
            "older_reads_fraction": 0.05,
            "array": {**disks, "disks_count": 16},
        },
    ]
    hot: JSONDict = {"drive": FLASH, "drive_price_usd": 900.0, "disks_count": 6, "count": count}
    tiering = {"replaced_fraction_per_year": replaced, "colder": colder}
    return array(design={"tiering": tiering, "pue": 1.0}, **(hot | changes))


def _study(*designs: JSONDict, **work: Any) -> JSONDict:
    return {
        "designs": list(designs),
        "workload": stored(**work),
        "assumptions": {
            "horizon_months": 24,
            "starts_on": "2026-12-01",
            "electricity": {"kind": "flat", "usd_per_kwh": 0.1},
        },
    }


@pytest.mark.parametrize(("growth", "replaced"), [(0.0, 0.5), (0.4, 0.0), (0.8, 1.5), (-0.2, 0.9)])
def test_data_by_age_are_what_cohorts_leave(growth: float, replaced: float) -> None:
    """Data come in day by day, and of each day's an equal share goes every day."""
    day, kept = 1 / 365, math.exp(-replaced / 365)

    def whole(month: float) -> float:
        return 100.0 * (1 + growth) ** (month / 12)

    def stored(month: Amount) -> Amount:
        return whole(as_number(month))

    start = -40 * 365
    cohorts, total = [whole(start * day * 12)], whole(start * day * 12)
    older: dict[int, float] = {}
    for at in range(start + 1, 366):
        total *= kept
        after = whole(at * day * 12)
        cohorts.append(after - total)
        total = after
    ages = range(len(cohorts))
    for back in (365, 0):
        now = [cohorts[at] * kept ** (len(cohorts) - 1 - back - at) for at in ages]
        older[back] = math.fsum(now[: len(cohorts) - back - 90])
    assert older_tb(stored, 0.0, 90.0, replaced) == pytest.approx(older[365], rel=0.01)
    assert older_tb(stored, 12.0, 90.0, replaced) == pytest.approx(older[0], rel=0.01)
    # What turns 90 days old in the year is what came in the year that ends 90 days before.
    came = math.fsum(cohorts[-1 - 90 - 365 : -1 - 90]) * kept**90
    assert moved_tb(stored, 12.0, 90.0, replaced) == pytest.approx(came, rel=0.01)


def test_tiers_hold_all_data_and_get_all_requests() -> None:
    growth = {"block_fraction_per_year": 0.5}
    work = {"block_tb": 300.0, "block_io_per_s": 4000.0, "growth": growth}
    work["block_mix"] = {"read_fraction": 0.8}
    found = answer(_study(_tiered(), **work)).designs[0]
    hot, warm, cold = found.tiers
    assert math.fsum(tier.data_tb for tier in found.tiers) == pytest.approx(300 * 1.5**2)
    asked = [tier.array.requests_per_s for tier in found.tiers]
    peak = 4000 * 1.5**2
    assert asked == pytest.approx([peak * (0.2 + 0.8 * 0.8), peak * 0.8 * 0.15, peak * 0.8 * 0.05])
    for tier in found.tiers:
        assert tier.data_tb <= tier.array.usable_tb + 1e-9
    assert hot.moved_out_tb_per_year == warm.moved_in_tb_per_year > 0
    assert warm.moved_out_tb_per_year == cold.moved_in_tb_per_year > 0
    # In a year the cold one takes what came to a year's age, and loses its share of what goes.
    before = answer({**_study(_tiered(), **work), "assumptions": {"horizon_months": 12}})
    then = before.designs[0].tiers[2].data_tb
    gone = 0.3 * (cold.data_tb - then) / math.log(cold.data_tb / then)
    assert cold.data_tb - then == pytest.approx(cold.moved_in_tb_per_year - gone, rel=1e-3)


def test_the_whole_is_the_sum_of_its_tiers() -> None:
    found = answer(_study(_tiered(), block_tb=300.0, block_io_per_s=4000.0)).designs[0]
    whole, tiers = found.array, found.tiers
    assert whole is not None
    for name in ("usable_tb", "drives_count", "mean_w", "failures_per_year", "requests_per_s"):
        total = math.fsum(getattr(tier.array, name) for tier in tiers)
        assert getattr(whole, name) == pytest.approx(total)
    bought = {cause.cause: cause.amount_usd for cause in found.causes}
    paid = math.fsum(tier.bought_usd for tier in tiers)
    assert paid == pytest.approx(bought["drives"] + bought.get("enclosures", 0.0))
    assert whole.usd_per_tb_year == pytest.approx(found.ranked_usd / whole.usable_tb / 2)
    assert whole.mean_w * 2 * 8.76 == pytest.approx(found.energy.kwh)
    by_part = {group.name for group in found.sizing[-1].groups}
    assert by_part == {"Disk array, hot", "Disk array, warm", "Disk array, cold"}


def test_what_moves_takes_energy_space_on_the_drives_and_writes() -> None:
    work = {"block_tb": 400.0, "block_io_per_s": 0.0}
    still = answer(_study(_tiered(count=40, replaced=0.0), **work)).designs[0]
    moving = answer(_study(_tiered(count=40, replaced=20.0), **work)).designs[0]
    assert [tier.moved_in_tb_per_year for tier in still.tiers] == [0.0, 0.0, 0.0]
    warm = moving.tiers[1]
    moved = warm.moved_in_tb_per_year + warm.moved_out_tb_per_year
    # Moved at the rate of a whole array, its drives at work beside those that idle.
    rate = warm.array.throughput_ceiling_mb_per_s
    share = moved * 1e6 / (365 * 86_400) / rate
    drawn = share * warm.array.drives_count * (DESKTOP["active_w"] - DESKTOP["idle_w"])
    assert warm.array.mean_w - still.tiers[1].array.mean_w == pytest.approx(drawn)
    assert moving.energy.kwh is not None
    assert still.energy.kwh is not None
    assert moving.energy.kwh > still.energy.kwh
    flash = _tiered(count=40, replaced=20.0)
    flash["tiering"]["colder"][0]["array"]["drive"] = FLASH
    worn = answer(_study(flash, **work)).designs[0].tiers[1].array
    written = warm.moved_in_tb_per_year / 40 / 6  # of 8 drives of RAID-6
    assert worn.wear_years == pytest.approx(7000 / written, rel=1e-3)


def test_too_little_of_a_tier_is_told_with_its_place() -> None:
    design = _tiered()
    design["tiering"]["colder"][1]["array"]["count"] = 1
    found = answer(_study(design, block_tb=300.0)).designs[0]
    assert not found.carries_load
    assert found.shortfall is not None
    assert found.shortfall.pointer == "/designs/A/tiering/colder/1/array/count"


def test_old_documents_mean_what_they_meant() -> None:
    found = answer(_study(array(), block_tb=1.0)).designs[0]
    assert found.tiers == ()
    assert found.array is not None


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"from_days": 10.0}, "colder/1/from_days"),
        ({"from_days": 30.0}, "colder/1/from_days"),
        ({"older_reads_fraction": 0.5}, "colder/1/older_reads_fraction"),
        ({"name": "warm"}, "colder/1/name"),
        ({"name": "HOT"}, "colder/1/name"),
        ({"io": {"requests_per_s": 5.0}}, "colder/1/array/io"),
        ({"from_days": 0.0}, "colder/1/from_days"),
        ({"older_reads_fraction": 1.5}, "colder/1/older_reads_fraction"),
    ],
)
def test_tiers_that_contradict_themselves_are_refused(change: JSONDict, place: str) -> None:
    design = _tiered()
    cold = design["tiering"]["colder"][1]
    if "io" in change:
        cold["array"] |= change
    else:
        cold |= change
    with pytest.raises(ParamsError) as refused:
        answer(_study(design))
    assert place in refused.value.faults[0].pointer


@pytest.mark.parametrize(("per_s", "known"), [(500.0, True), (2400.0, False)])
def test_what_is_unknown_of_one_tier_is_unknown_of_all(per_s: float, known: bool) -> None:
    mix = {"read_fraction": 1.0, "request_bytes": 4096}
    never = {**FLASH, "afr_fraction": 0.0}
    found = answer(_study(_tiered(count=1, drive=never), block_io_per_s=per_s, block_mix=mix))
    design: Any = found.designs[0]
    hot, warm, cold = (tier.array for tier in design.tiers)
    # Drives that never fail leave nothing unknown.
    assert (hot.rebuild_h, hot.failures_per_year) == (None, 0.0)
    assert cold.rebuild_h is not None
    assert (warm.rebuild_h is not None) is known
    for name in ("rebuild_h", "loss_fraction_per_year", "object_nines_count"):
        assert (getattr(design.array, name) is not None) is known
        why = design.array.reasons.get(name)
        assert (why is None) is known
        assert known or "so how safe data are, is unknown" in why
