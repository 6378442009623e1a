"""What fits of a drive tell: sentences, the table of each depth, and both charts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from capmodels.spec import Context
from capmodels.storage.calibration.calibrate_drive import (
    PM883,
    RAPTOR,
    SPEC,
    CalibrateDriveParams,
)
from capmodels.storage.calibration.calibration_told import drive_told, trace_told
from capmodels.storage.calibration.depth_fits import DepthFit
from capmodels.storage.calibration.trace_params import ClassFit, QuantilePair, ReplayFit, TracksFit
from capmodels.storage.drive.drives import ULTRASTAR_15K73
from capmodels.tests.storage.raptor import RAPTOR_READ

if TYPE_CHECKING:
    from capmodels.storage.simulator.params import Scheduler


def _plain(text: str) -> str:
    return text.replace("\u00a0", " ")


def _depth(depth: int, unused: str | None = None) -> DepthFit:
    return DepthFit(
        way="read",
        depth_count=depth,
        measured_ms=0.1 * max(1, depth / 8),
        modelled_ms=0.11 * max(1, depth / 8),
        error_fraction=0.1,
        measured_per_s=80_000,
        host_ms=None,
        unused_reason=unused,
    )


FOUND: dict[str, Any] = {
    "drive": PM883,
    "channels_count": 8,
    "waits_for_dies": False,
    "read_service_ms": 0.1,
    "write_service_ms": None,
    "max_read_per_s": 80_000,
    "max_write_per_s": None,
    "depths": tuple(_depth(depth) for depth in (1, 8, 32)),
    "queue_order": None,
    "held_writes_count": None,
    "notes": (),
    "depth_demerit_fraction": 0.1,
    "write_depth_demerit_fraction": None,
    "demerit_fraction": 0.021,
    "sheet_demerit_fraction": 0.34,
}


def test_a_drive_says_its_demerit_its_service_and_how_many_it_serves_at_once() -> None:
    told = drive_told(PM883, FOUND)
    assert _plain(told["headline"]) == (
        "**The fitted drive has a demerit of 2.1%** on single reads: a read takes 100 µs, 8 at a "
        "time, at most 80,000 a second."
    )
    assert "34%" in told["notes"][0]
    dies = drive_told(PM883, {**FOUND, "waits_for_dies": True})
    assert "100 µs, on that of 8 dies which has its" in _plain(dies["headline"])


def test_each_reason_for_which_rows_are_not_used_is_said_once() -> None:
    depths = (
        _depth(1, "The host slept."),
        _depth(8, "Another state."),
        _depth(32, "Another state."),
    )
    found = {**FOUND, "depths": depths, "notes": ("The rows are of two states.",)}
    assert drive_told(PM883, found)["notes"][-3:] == (
        "Not used: reads at depth 1. The host slept.",
        "Not used: reads at depth 8 and reads at depth 32. Another state.",
        "The rows are of two states.",
    )


def test_the_fit_is_drawn_beside_what_was_measured_at_every_depth() -> None:
    told = drive_told(PM883, FOUND)
    (figure,) = told["figures"]
    assert [one.name for one in figure.series] == ["Reads, modelled", "Reads, measured"]
    assert figure.series[1].values == (0.1, 0.1, 0.4)
    parameters, depths = told["tables"]
    assert len(depths.rows) == 3
    assert _plain(parameters.rows[1].cells[0]) == "100 µs"


def test_an_answer_of_the_model_says_what_was_fitted_of_a_disk() -> None:
    params = CalibrateDriveParams.model_validate({"drive": RAPTOR, "rows": [RAPTOR_READ]})
    found = SPEC.run(params, Context())
    assert [row.head for row in found.tables[0].rows] == [
        "Overhead",
        "Seeks: next track, mean, full",
        "On-board cache",
    ]
    assert found.headline.startswith("**The fitted drive has a demerit of")


TRACED: dict[str, Any] = {
    "drive": ULTRASTAR_15K73,
    "alone_count": 900,
    "alone_fraction": 0.9,
    "classes": (
        ClassFit(way="read", sequential=False, requests_count=1, path="platter", overhead_ms=0),
        ClassFit(way="write", sequential=True, requests_count=1, path="buffer", overhead_ms=0),
    ),
    "quantiles": tuple(
        QuantilePair(percent_ratio=at, measured_ms=5 + at / 10, modelled_ms=5.5 + at / 10)
        for at in range(1, 100)
    ),
    "measured_mean_ms": 10.0,
    "modelled_mean_ms": 10.5,
    "demerit_fraction": 0.05,
    "fitted_demerit_fraction": 0.04,
    "sheet_demerit_fraction": 0.3,
    "tracks": None,
    "replay": None,
}


def test_a_fit_to_a_trace_says_the_demerit_of_what_was_not_fitted_and_what_the_buffer_answers() -> (
    None
):
    told = trace_told(ULTRASTAR_15K73, TRACED)
    assert "a demerit of 5%** on the second half" in _plain(told["headline"])
    assert "answers sequential writes" in " ".join(told["notes"])
    (figure,) = told["figures"]
    assert [one.name for one in figure.series] == ["Measured", "Modelled"]
    assert len(figure.series[0].at) == 99


@pytest.mark.parametrize(
    ("scheduler", "error", "said"),
    [
        (
            "sptf",
            0.042,
            "first half (shortest seek and turn first), take 10.4 ms on average: 4.2% more",
        ),
        ("clook", -0.1, "(C-LOOK, upwards by sector), take 10.4 ms on average: 10% less than the "),
    ],
)
def test_requests_that_wait_for_each_other_are_told(
    scheduler: Scheduler, error: float, said: str
) -> None:
    replay = ReplayFit(
        scheduler=scheduler,
        requests_count=900,
        measured_mean_ms=10.0,
        modelled_mean_ms=10.4,
        error_fraction=error,
    )
    notes = [_plain(" ".join(trace_told(ULTRASTAR_15K73, TRACED | {"replay": one})["notes"]))
             for one in (replay, None)]  # fmt: skip
    assert said in notes[0]
    assert "Replayed" not in notes[1]


def test_reads_tell_of_the_platter_of_a_drive_with_tracks() -> None:
    tracks = TracksFit(
        speed_rpm=9999.6,
        head_skew_ms=1.17,
        cylinder_skew_ms=1.81,
        found_skews=True,
        follows_angle=True,
        agreement_fraction=1.0,
        pauses="before",
        ahead_to_track_end=False,
        hits_read_ahead=True,
        keeps_passing_sectors=False,
        drops_delivered=False,
        ahead_in_runs=False,
        takes_whole_track=False,
        written_ends="overlap",
        stream_hold_ms=None,
        ahead_lost_fraction=0.0,
    )

    def said(**change: bool | str) -> str:
        changed = tracks.model_copy(update=change)
        return _plain(" ".join(trace_told(ULTRASTAR_15K73, {**TRACED, "tracks": changed})["notes"]))

    assert "agree with 10,000 rpm and skews of 1.17 ms and 1.81 ms" in said()
    assert "the described speed and skews" in said(found_skews=False)
    assert "was taken at random" in said(follows_angle=False)
    assert "to come before the requests" in said()
    assert "so the platter's turn says" in said(pauses="after")
    assert "does not tell whether pauses come" in said(pauses="untold")
    assert "these are compared" not in said()
    assert "these are compared" in " ".join(trace_told(ULTRASTAR_15K73, TRACED)["notes"])
