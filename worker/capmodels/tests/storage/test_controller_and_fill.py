"""Controllers before drives, and flash by its fill level, against what must come of them."""

from __future__ import annotations

from typing import Any

import pytest

from capmodels import registry, spec
from capmodels.storage.drive.drives import SolidState
from capmodels.storage.drive.wear import amplification, moved_of, random_amplification, slc_gb
from capmodels.tests.asking import faults

MODEL = "storage.array"
SSD: dict[str, Any] = {
    "kind": "ssd", "capacity_gb": 480.0, "read_latency_ms": 0.1, "write_latency_ms": 0.02,
    "read_mb_per_s": 70.0, "write_mb_per_s": 60.0, "channels_count": 8, "read_hold_ms": 0.1,
    "write_hold_ms": 0.4, "active_w": 2.0, "idle_w": 1.0,
}  # fmt: skip
HDD: dict[str, Any] = {
    "kind": "hdd", "capacity_gb": 100.0, "speed_rpm": 7200.0, "outer_mb_per_s": 100.0,
    "seek": {"kind": "three_point", "min_ms": 1.0, "avg_ms": 9.0, "max_ms": 17.0},
    "active_w": 5.0, "idle_w": 3.0,
}  # fmt: skip
_SLC = {"size_gb": 0.4, "least_gb": 0.1, "past_mb_per_s": 10.0}
# One read of 4 KiB on a channel, all its data passed.
READ_MS = 0.1 + 4096 / 70e6 * 1000 / 8


def run(drive: dict[str, Any], arrivals: dict[str, Any], **more: Any) -> Any:
    work = {"kind": "synthetic", "size_bytes": 4096, "arrivals": arrivals, **more.pop("work", {})}
    array = {"drive": drive, "layout": {"kind": "single", "disks_count": 1}, **more}
    document = {"array": array, "workload": {"requests_count": 20_000, **work}}
    return spec.evaluate(registry.get_model(MODEL), document, spec.Context(seed=1))


def mean_ms(answer: Any, requests: str = "all") -> float:
    return next(float(row.mean_ms) for row in answer.responses if row.requests == requests)


def users(count: int) -> dict[str, Any]:
    return {"kind": "closed", "users_count": count, "think_ms": 0}


@pytest.mark.decisive
def test_a_controller_s_own_time_is_a_queue_before_the_drives() -> None:
    controller = {"read_ms": 0.02}
    assert mean_ms(run(SSD, users(64), controller=controller)) == pytest.approx(64 * 0.02)
    # M/D/1 at half its load waits half a service (Pollaczek and Khinchine).
    arrivals = {"kind": "exponential", "mean_ms": 0.04}
    alone = mean_ms(run(SSD, arrivals, controller=controller))
    assert alone == pytest.approx(READ_MS + 0.02 + 0.01, rel=0.01)


@pytest.mark.decisive
@pytest.mark.parametrize("disks", [1, 4])
def test_a_controller_passes_no_more_on_at_once_however_many_drives(disks: int) -> None:
    layout = {"kind": "raid0" if disks > 1 else "single", "disks_count": disks}
    found = mean_ms(run(SSD, users(64), controller={"depth_count": 4}, layout=layout))
    assert found == pytest.approx(64 * READ_MS / 4, rel=1e-3)


@pytest.mark.slow
def test_a_bounded_controller_holds_by_events_and_with_second_phases_too() -> None:
    few = run(HDD, users(4), scheduler="sptf", work={"requests_count": 4000})
    bounded = run(
        HDD, users(16), scheduler="sptf", controller={"depth_count": 4},
        work={"requests_count": 4000},
    )  # fmt: skip
    assert mean_ms(bounded) == pytest.approx(4 * mean_ms(few), rel=0.02)
    raid5 = {"kind": "raid5", "disks_count": 4}
    one_at_a_time = run(
        SSD, {"kind": "exponential", "mean_ms": 5.0}, layout=raid5,
        controller={"depth_count": 1, "write_ms": 0.1}, work={"read_fraction": 0.0},
    )  # fmt: skip
    free = run(
        SSD, {"kind": "exponential", "mean_ms": 5.0}, layout=raid5, work={"read_fraction": 0.0}
    )
    assert mean_ms(one_at_a_time) == pytest.approx(mean_ms(free) + 0.1, abs=0.02)


def _filled(fill: float | None) -> dict[str, Any]:
    return {**SSD, "spare_fraction": 0.1, "fill_fraction": fill, "block_bytes": 1 << 18}


@pytest.mark.decisive
@pytest.mark.parametrize("fill", [1.0, 0.8, 0.5])
def test_writes_pass_at_the_full_drive_s_rate_over_what_is_moved_less(fill: float) -> None:
    drive = SolidState.model_validate(_filled(fill))
    full, filled = moved_of(drive) or (0.0, 0.0)
    assert full == pytest.approx(random_amplification(0.1))
    assert filled == pytest.approx(random_amplification(1 - fill * 0.9))
    assert amplification(drive) == pytest.approx(filled)
    found = mean_ms(run(_filled(fill), users(64), work={"read_fraction": 0.0}))
    assert found == pytest.approx(64 * 0.4 / 8 * filled / full, rel=0.05)


@pytest.mark.parametrize("more", [{}, {"fill_fraction": 0.8}, {"slc": _SLC}])
@pytest.mark.parametrize("channels", [1, 8])
def test_a_drive_that_follows_its_fill_level_draws_its_idle_power(
    channels: int, more: dict[str, Any]
) -> None:
    drive = {**_filled(None), "channels_count": channels, "write_w": 4.0, **more}
    arrivals = {"kind": "exponential", "mean_ms": 5.0}
    found = run(drive, arrivals, work={"read_fraction": 0.5})
    states = found.devices[0].states
    assert sum(one.time_fraction for one in states) == pytest.approx(1)
    joules = sum(one.energy_j for one in states)
    assert joules == pytest.approx(found.power_w * found.duration_s)
    idle = next(one for one in states if one.state == "idle")
    assert idle.time_fraction > 0.8
    assert idle.energy_j == pytest.approx(idle.time_fraction * found.duration_s)
    # The last piece is what is left of a request whose energy is already in the one before.
    assert min(piece.power_w for piece in found.power_over_time[:-1]) >= 1.0


@pytest.mark.decisive
def test_reads_wait_for_steps_of_moving_more_often_the_fuller_a_drive_is() -> None:
    arrivals = {"kind": "exponential", "mean_ms": 0.2}
    work = {"read_fraction": 0.7, "requests_count": 40_000}
    runs = [run(_filled(fill), arrivals, work=work) for fill in (None, 0.5, 0.8, 1.0)]
    means = [mean_ms(found, "reads") for found in runs]
    assert means[0] == pytest.approx(READ_MS)
    assert means[0] < means[1] < means[2] < means[3]
    tail = next(row.p99_ms for row in runs[3].responses if row.requests == "reads")
    # No read waits longer than a step, whatever is still to be moved.
    assert 1.0 < tail < READ_MS + 2.0
    assert runs[3].responses[1].max_ms < READ_MS + 2.01


@pytest.mark.decisive
def test_an_slc_cache_takes_writes_until_it_is_full_and_is_smaller_in_a_full_drive() -> None:
    drive = {**SSD, "spare_fraction": 0.1, "slc": _SLC}
    work = {"read_fraction": 0.0, "size_bytes": 65_536, "requests_count": 4000}
    whole = SolidState.model_validate({**drive, "fill_fraction": 0.5})
    assert whole.slc is not None
    assert slc_gb(whole, whole.slc) == pytest.approx(0.25)
    # 262 MB written to what takes 100 MB: the rest passes at 10 MB/s.
    found = run(drive, users(8), work=work)
    past_s = (4000 * 65_536 - 0.1e9) / 10e6
    assert found.duration_s == pytest.approx(past_s, rel=0.05)
    # In a drive that is all but empty the cache takes them all.
    empty = run({**drive, "fill_fraction": 0.01}, users(8), work=work)
    assert empty.duration_s < past_s / 5
    # With time to empty it, the cache takes them for ever.
    slow = run(drive, {"kind": "exponential", "mean_ms": 20.0}, work=work)
    assert mean_ms(slow) < 1.0


def test_what_makes_no_sense_is_refused_at_its_field() -> None:
    def at(drive: dict[str, Any]) -> dict[str, str]:
        document = {"array": {"drive": drive, "layout": {"kind": "single", "disks_count": 1}}}
        return faults(MODEL, document)

    assert at({**SSD, "fill_fraction": 0.5}) == {"/array/drive/fill_fraction": "missing"}
    slc = {"size_gb": 1.0, "least_gb": 2.0, "past_mb_per_s": 10.0}
    assert at({**SSD, "slc": slc}) == {"/array/drive/slc/least_gb": "order"}
    assert at({**HDD, "inner_mb_per_s": 200.0}) == {"/array/drive/inner_mb_per_s": "order"}
    arrivals = {"kind": "exponential", "mean_ms": 1e300}
    gap = {"workload": {"kind": "synthetic", "arrivals": arrivals}}
    assert faults(MODEL, gap) == {"/workload/arrivals/mean_ms": "out_of_range"}
