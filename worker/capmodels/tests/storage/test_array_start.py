"""What the page of arrays begins with: documents of the simulator, drives of the catalogue."""

from __future__ import annotations

import pytest

from capmodels.storage.array import ArrayParams
from capmodels.storage.array_start import DRIVES, EXOS_X24, PM1743, PRESETS, start
from capmodels.storage.closed_form.params import Replaced


def test_presets_are_whole_documents_of_the_simulator() -> None:
    said = start()
    for preset, document in zip(PRESETS, said["presets"], strict=True):
        read = ArrayParams.model_validate(
            {"array": document["array"], "workload": said["workload"]}
        )
        assert read.array == preset.array
        assert document["array"] == read.array.model_dump(mode="json")
    assert Replaced.model_validate(said["presets"][1]["replaces"]) == Replaced()


def test_names_tell_drives_and_presets_apart() -> None:
    assert len({drive.name for drive in DRIVES}) == len(DRIVES)
    assert len({preset.id for preset in PRESETS}) == len(PRESETS)
    assert {preset.array.drive.name for preset in PRESETS} <= {drive.name for drive in DRIVES}


def test_drives_of_today_have_the_figures_of_their_data_sheets() -> None:
    # 2.5 M reads a second at 70 us each keep 175 channels at work.
    assert PM1743.read_hold_ms * 2_500_000 / 1000 == pytest.approx(PM1743.channels_count)
    assert PM1743.channels_count / PM1743.write_hold_ms * 1000 == pytest.approx(280_000)
    assert EXOS_X24.capacity_gb == 24_000


def test_a_trace_meets_arrays_of_today_whose_caches_are_simulated() -> None:
    nvme, hybrid = start()["traced"]
    assert nvme["array"] == next(one for one in PRESETS if one.id == "nvme").array.model_dump(
        mode="json"
    )
    assert hybrid["array"]["cache"]["hit_fraction"] is None
    assert start()["presets"][-1]["array"]["cache"]["hit_fraction"] == 0.8
