"""Closed forms of requests of several sizes: by hand, by numeric means, by the simulator."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from capmodels import registry, spec
from capmodels.storage.drive.drives import TRAVELSTAR_7K60, HardDisk, SolidState
from capmodels.storage.drive.times import service_moments
from capmodels.storage.simulator.answer import result_of
from capmodels.storage.simulator.arrivals import ExponentialArrivals
from capmodels.storage.simulator.layout import Layout
from capmodels.storage.simulator.params import ArrayDesign, Dispatch, SyntheticWorkload
from capmodels.storage.simulator.run import run_synthetic

INSTANT = registry.get_model("storage.array_instant")
SIZES = [
    {"size_bytes": 4096, "weight_ratio": 6.0},
    {"size_bytes": 65_536, "weight_ratio": 3.0},
    {"size_bytes": 1_048_576, "weight_ratio": 1.0},
]
WRITE_SIZES = [{"size_bytes": 524_288}]
SHARES = {4096: 0.6, 65_536: 0.3, 1_048_576: 0.1}
FLASH = SolidState(
    name="flash",
    capacity_gb=480.0,
    read_latency_ms=0.1,
    write_latency_ms=0.3,
    read_mb_per_s=100.0,
    write_mb_per_s=50.0,
    active_w=3.0,
    idle_w=1.0,
)
HELD = FLASH.model_copy(update={"write_hold_ms": 12.0})
# Zones whose rates differ by half: the transfer of 1 MiB varies by 22 ms.
ZONED = TRAVELSTAR_7K60.model_copy(update={"inner_mb_per_s": 24.0, "write_settle_ms": 0.5})


def _instant(**more: Any) -> Any:
    return spec.evaluate(INSTANT, {"layout": "raid0", "disks_count": 1, **more})


@pytest.mark.decisive
def test_a_disks_wait_is_pollaczeks_over_the_mix() -> None:
    rate = 30.0
    found = _instant(
        drive=TRAVELSTAR_7K60.model_dump(), sizes=SIZES, arrival_rate_per_s=rate, size_bytes=512
    )
    # Seek 1 + 20 sqrt(u) - 5 u: mean 10, mean square 121.47619; turn 25 / 3; overhead 0.3.
    bare, turn = 10.0 + 25 / 6 + 0.3, 25 / 3
    variance = 20**2 / 3 + 25 / 6 + 1 - 1600 / 35 + 320 / 15 - 10 / 3 - 100 + turn**2 / 12
    times = {size: bare + size / 48e3 for size in SHARES}
    mean = sum(p * times[size] for size, p in SHARES.items())
    square = sum(p * (variance + times[size] ** 2) for size, p in SHARES.items())
    load = rate / 1000 * mean
    assert found.service_mean_ms == pytest.approx(mean, rel=1e-9)
    assert found.service_sd_ms == pytest.approx((square - mean**2) ** 0.5, rel=1e-9)
    assert found.utilization_ratio == pytest.approx(load, rel=1e-9)
    wait = rate / 1000 * square / (2 * (1 - load))
    assert found.response_mean_ms == pytest.approx(mean + wait, rel=1e-9)


def test_a_solid_state_drives_wait_is_pollaczeks_over_reads_and_writes() -> None:
    rate = 100.0
    document = {"drive": FLASH.model_dump(), "sizes": SIZES, "write_sizes": WRITE_SIZES}
    found = _instant(**document, read_fraction=0.7, arrival_rate_per_s=rate)
    times = [(0.7 * p, 0.1 + size / 100e3) for size, p in SHARES.items()]
    times.append((0.3, 0.3 + 524_288 / 50e3))
    mean = sum(p * t for p, t in times)
    square = sum(p * t * t for p, t in times)
    wait = rate / 1000 * square / (2 * (1 - rate / 1000 * mean))
    assert found.response_mean_ms == pytest.approx(mean + wait, rel=1e-9)


def test_one_size_of_a_list_answers_as_the_size_itself() -> None:
    for drive in (ZONED, FLASH):
        terms = {"drive": drive.model_dump(), "arrival_rate_per_s": 20.0, "read_fraction": 0.5}
        listed = _instant(**terms, sizes=[{"size_bytes": 16_384}, {**SIZES[0], "weight_ratio": 0}])
        assert listed == _instant(**terms, size_bytes=16_384)


def test_zones_make_the_transfer_vary() -> None:
    rng = np.random.default_rng(5)
    size, count = 1_048_576, 400_000
    before, place = rng.random(count), rng.random(count)
    distance = abs(place - before)
    seek = 1 + 20 * np.sqrt(distance) - 5 * distance
    transfer = size / 48e3 * (1 + place)
    times = seek + rng.random(count) * 25 / 3 + 0.3 + transfer
    found = service_moments(ZONED, size)
    assert found is not None
    assert found.mean_ms == pytest.approx(times.mean(), rel=0.002)
    assert found.mean_square_ms2 == pytest.approx((times**2).mean(), rel=0.003)
    assert found.variance_ms2 == pytest.approx(times.var(), rel=0.01)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("drive", "channels", "read_fraction", "load"),
    [
        (ZONED, 1, 1.0, 0.6),
        (ZONED, 1, 0.6, 0.5),
        (FLASH, 1, 0.6, 0.6),
        (FLASH, 8, 0.6, 0.7),
        (HELD, 1, 0.6, 0.6),
        (HELD, 8, 0.6, 0.7),
    ],
    ids=["disk reads", "disk", "flash", "flash of 8 channels", "held", "held in 8 channels"],
)
def test_the_simulator_agrees(
    drive: HardDisk | SolidState, channels: int, read_fraction: float, load: float
) -> None:
    if drive.kind == "ssd":
        drive = drive.model_copy(update={"channels_count": channels})
    mix = {"sizes": SIZES, "write_sizes": WRITE_SIZES, "read_fraction": read_fraction}
    document = {"drive": drive.model_dump(), "disks_count": 4, **mix}
    most = _instant(**document, arrival_rate_per_s=1.0).max_rate_per_s
    found = _instant(**document, arrival_rate_per_s=load * most)
    design = ArrayDesign(
        drive=drive,
        layout=Layout(kind="raid0", disks_count=4, chunk_bytes=1 << 20),
        dispatch=Dispatch(kind="random"),
        timeouts=None,
    )
    work = SyntheticWorkload(
        arrivals=ExponentialArrivals(mean_ms=1000 / (load * most)), requests_count=300_000, **mix
    )
    run = result_of(design, run_synthetic(design, work, seed=2), closed=False)
    busy = sum(device.utilization_fraction for device in run.devices)
    assert busy == pytest.approx(4 * load, rel=0.01)
    assert run.power_w == pytest.approx(found.always_on_w, rel=0.01)
    # Allen and Cunneen's wait for several channels is an approximation.
    tolerance = 0.02 if channels == 1 else 0.04
    assert run.responses[0].mean_ms == pytest.approx(found.response_mean_ms, rel=tolerance)


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["raid10", "raid5", "raid6", "mirrored_set"])
@pytest.mark.parametrize("drive", [ZONED, HELD], ids=["disks", "flash"])
def test_reads_wait_for_the_writes_of_every_layout(
    drive: HardDisk | SolidState, layout: Any
) -> None:
    mix, disks = {"sizes": SIZES[:2], "read_fraction": 0.7}, 6 if layout == "raid6" else 4
    document = {"drive": drive.model_dump(), "layout": layout, "disks_count": disks, **mix}
    document["locked_updates"] = True
    most = _instant(**document, arrival_rate_per_s=1.0).max_rate_per_s
    found = _instant(**document, arrival_rate_per_s=0.5 * most)
    design = ArrayDesign(
        drive=drive,
        layout=Layout(kind=layout, disks_count=disks, locked_updates=True),
        dispatch=Dispatch(kind="random"),
        timeouts=None,
    )
    arrivals = ExponentialArrivals(mean_ms=1000 / (0.5 * most))
    work = SyntheticWorkload(arrivals=arrivals, requests_count=100_000, **mix)
    run = result_of(design, run_synthetic(design, work, seed=4), closed=False)
    assert found.response_mean_ms is None
    assert run.responses[1].mean_ms == pytest.approx(found.read_response_ms, rel=0.03)


@pytest.mark.slow
def test_a_drive_whose_data_lie_on_one_die_is_that_many_drives_of_one_channel() -> None:
    mix: dict[str, Any] = {"sizes": SIZES[:2], "read_fraction": 0.7}
    whole = HELD.model_copy(update={"channels_count": 16})
    found = _instant(drive=whole.model_dump(), arrival_rate_per_s=3000.0, **mix)
    design = ArrayDesign(
        drive=HELD.model_copy(update={"capacity_gb": 30.0}),
        layout=Layout(kind="raid0", disks_count=16),
        timeouts=None,
    )
    assert 1.3 * found.read_response_ms < found.flash.read_response_one_die_ms
    arrivals = ExponentialArrivals(mean_ms=1 / 3)
    work = SyntheticWorkload(arrivals=arrivals, requests_count=150_000, **mix)
    run = result_of(design, run_synthetic(design, work, seed=4), closed=False)
    expected = found.flash.read_response_one_die_ms
    assert run.responses[1].mean_ms == pytest.approx(expected, rel=0.03)
