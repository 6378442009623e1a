"""What papers on storage say of more and less: too wide a statement to break by a tenth."""

from __future__ import annotations

import pytest

from capmodels.spec import Context
from capmodels.storage.array import ALWAYS_ON, SERVER, SPEC, ArrayParams, mobile
from capmodels.storage.closed_form.array_instant import SPEC as INSTANT
from capmodels.storage.closed_form.params import ArrayInstantParams
from capmodels.storage.drive.drives import TRAVELSTAR_7K60, ULTRASTAR_15K73, HardDisk
from capmodels.storage.simulator.arrivals import ExponentialArrivals, ParetoArrivals
from capmodels.storage.simulator.params import ArrayDesign, SyntheticWorkload
from capmodels.tests.storage.fs2_seeks import mean_seek_ms


def _most_per_s(drive: HardDisk, disks: int) -> float:
    params = ArrayInstantParams.model_validate(
        {"drive": drive, "disks_count": disks, "arrival_rate_per_s": 1.0}
    )
    return INSTANT.run(params, Context()).max_rate_per_s


def test_check_8() -> None:
    """Three laptop disks have equal or better peak bandwidth: 1.29 times by their data sheets."""
    ratio = _most_per_s(TRAVELSTAR_7K60, 3) / _most_per_s(ULTRASTAR_15K73, 1)
    assert ratio == pytest.approx(1.29, abs=0.01)


@pytest.mark.slow
def test_check_11() -> None:
    """Every workload and threshold saves 50% to 80%."""

    def power_w(array: ArrayDesign, work: SyntheticWorkload) -> float:
        return float(SPEC.run(ArrayParams(array=array, workload=work), Context(seed=1)).power_w)

    works = [
        SyntheticWorkload(arrivals=ExponentialArrivals(mean_ms=mean), requests_count=50_000)
        for mean in (8.0, 10.0, 100.0, 1000.0)
    ]
    works.append(SyntheticWorkload(arrivals=ParetoArrivals(mean_ms=50.0), requests_count=50_000))
    for work in works:
        server_w = power_w(SERVER, work)
        for array in (mobile(1), mobile(3), ALWAYS_ON):
            assert 0.498 <= 1 - power_w(array, work) / server_w <= 0.803


@pytest.mark.parametrize(("middle", "seek_ms"), [(90e6, 8.127), (10.1e6, 1.526)])
def test_check_19(middle: float, seek_ms: float) -> None:
    """Three files in turn: the far one as it is, and copied between the others."""
    found = mean_seek_ms([int(10.0e6), int(middle), int(10.2e6)] * 100, 8)
    assert found == pytest.approx(seek_ms, abs=0.001)
