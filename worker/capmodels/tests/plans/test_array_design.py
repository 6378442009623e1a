"""An array that was drawn and simulated, as a design of a study."""

from __future__ import annotations

from typing import Any

import pytest

from capmodels.numbers import quantity
from capmodels.registry import get_model
from capmodels.spec import evaluate

SPEC = get_model("plans.array_design")
PLAN = get_model("plans.compare")
SERVER: dict[str, Any] = {"kind": "raid0", "disks_count": 4}
SLEEPING: dict[str, Any] = {
    "layout": {"kind": "mirrored_set", "disks_count": 3},
    "dispatch": {"kind": "primary_first", "lazy_writes": True},
    "cache": {"mode": "hp08_mirror"},
}


def asked(array: dict[str, Any], **others: Any) -> Any:
    return evaluate(SPEC, {"array": array, **others})


def plain(**others: Any) -> dict[str, Any]:
    return {"layout": SERVER, "timeouts": None, **others}


def test_sleeps_by_the_threshold_and_asks_for_what_it_is_asked() -> None:
    work = {"arrivals": {"kind": "exponential", "mean_ms": 50.0}}
    made = asked(SLEEPING | {"cache": None}, workload=work).array
    assert made["layout"] == "raid1"
    assert made["drive_price_usd"] == 210
    assert made["power_policy"] == {"kind": "threshold", "idle_timeout_s": None}
    assert made["io"] == {
        "requests_per_s": 20.0, "read_fraction": 1.0, "request_bytes": 8192, "pattern": "random",
    }  # fmt: skip


@pytest.mark.decisive
def test_has_the_figures_of_a_study_that_holds_the_design() -> None:
    said = asked(plain(), energy_usd_per_kwh=0.2, drive_kgco2e=30.0)
    study = {
        "designs": [{"letter": "B", "title": "x", "kind": "disk_array", "array": said.array}],
        "workload": {"kind": "demand", "busy_cores_count": 0, "ram_gib": 0, "block_tb": 0},
        "assumptions": {"electricity": {"kind": "flat", "usd_per_kwh": 0.2}},
        "draws_count": 0,
    }
    assert said.figures == evaluate(PLAN, study).designs[0].array
    assert said.figures.usable_tb == pytest.approx(4 * 0.06)
    assert said.why_no_figures is None


def _notes(said: Any) -> dict[str, tuple[str, str | None]]:
    return {row.id: (row.text.replace("\u00a0", " "), row.note) for row in said.measures}


def test_tells_the_figures_as_rows_with_the_reason_where_there_is_none() -> None:
    rows = _notes(asked(plain()))
    assert rows["usable_tb"] == ("0.240 TB", None)
    assert rows["usd_per_tb_year"][0].startswith("$")
    text, why = rows["kgco2e_per_tb_year"]
    assert text == "—"
    assert why
    free = {**SPEC.params().array.drive.model_dump(mode="json"), "price_usd": 0}
    lost = {"kind": "raid6", "disks_count": 6, "failed_disk_count": 1}
    rows = _notes(asked(plain(layout=lost, drive=free)))
    assert rows["usd_per_tb_year"] == ("—", "The price of the drive is not known: enter it.")
    assert rows["loss_fraction_per_year"][1] == "Disks are lost: see the mean time to data loss."


def test_leaves_nothing_out_of_a_plain_array() -> None:
    assert asked(plain()).left_out == ()


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"layout": {**SERVER, "kind": "concatenated"}}, "planned as RAID-0"),
        ({"scheduler": "look"}, "(LOOK, back and forth)"),
        ({"scheduler": "sstf"}, "(shortest seek first)"),
        ({"copies": {}}, "where it lies"),
        ({"controller": {}}, "The controller"),
        ({"layout": {"kind": "raid5", "disks_count": 4}}, "in two phases"),
        ({"layout": {"kind": "raid5", "disks_count": 4, "locked_updates": True}}, ""),
    ],
)
def test_says_what_of_an_array_it_leaves_out(change: dict[str, Any], part: str) -> None:
    texts = asked(plain(**change)).left_out
    assert len(texts) == (1 if part else 0)
    assert all(part in text for text in texts)


def test_says_what_of_sleeping_copies_it_leaves_out() -> None:
    lost = {**SLEEPING, "layout": {**SLEEPING["layout"], "failed_disk_count": 1}}
    texts = "\n".join(asked(lost).left_out)
    for part in (
        "planned as RAID-1", "(first disk, by queue length)", "every disk at work",
        "Low-power idle and its time", "next waking", "Which disk stays awake",
        "mirrored write buffer", "When changed blocks", "half of the reads",
    ):  # fmt: skip
        assert part in texts
    assert "half of the reads" not in "\n".join(asked(lost, hit_fraction=0.4).left_out)


@pytest.mark.parametrize(
    ("work", "part"),
    [
        ({"addresses": {"kind": "zipf"}}, "read more often"),
        ({"arrivals": {"kind": "mmpp"}}, "bunch"),
        ({"arrivals": {"kind": "closed"}}, "closed loop"),
        ({"sizes": [{"size_bytes": 4096, "weight_ratio": 1.0}]}, "Sizes that differ"),
    ],
)
def test_says_what_of_the_requests_it_leaves_out(work: dict[str, Any], part: str) -> None:
    (text,) = asked(plain(), workload=work).left_out
    assert part in text


def test_takes_what_a_run_found() -> None:
    closed = {"arrivals": {"kind": "closed"}}
    assert asked(plain(), workload=closed).array["io"]["requests_per_s"] == 0
    found = asked(plain(), workload=closed, throughput_per_s=70.0)
    assert found.array["io"]["requests_per_s"] == 70
    # Drawn requests keep their own rate, recorded ones that of the run.
    assert asked(plain(), throughput_per_s=70.0).array["io"]["requests_per_s"] == 100
    recorded = {"recorded": True, "recorded_rate_per_s": 50.0}
    assert asked(plain(), **recorded).array["io"]["requests_per_s"] == 50
    assert asked(plain(), **recorded, throughput_per_s=70.0).array["io"]["requests_per_s"] == 70
    cached = asked(SLEEPING, hit_fraction=0.4).array["cache"]
    assert cached["hit_fraction"] == pytest.approx(0.4)
    assert cached["device"]["capacity_gb"] == 32
    own = {**SLEEPING, "cache": {"hit_fraction": 0.9}}
    assert asked(own, hit_fraction=0.4).array["cache"]["hit_fraction"] == pytest.approx(0.9)


def test_counts_spare_room_apart_and_a_whole_disk_as_no_stripe() -> None:
    shelf = {
        "kind": "draid2", "disks_count": 24, "stripe_disks_count": 10,
        "distributed_spares_count": 2,
    }  # fmt: skip
    made = asked(plain(layout=shelf)).array
    assert (made["disks_count"], made["spares_count"], made["disks_per_group"]) == (22, 2, 10)
    whole = {**SERVER, "kind": "concatenated", "chunk_bytes": 59_999_997_952}
    assert "stripe_unit_bytes" not in asked(plain(layout=whole)).array
    assert "stripe_unit_bytes" in asked(plain()).array


def test_says_why_there_is_no_design_or_no_figures() -> None:
    seek = {
        "kind": "table", "cylinders_count": 1000, "distances_count": [1, 900],
        "seeks_ms": [1.0, 9.0],
    }  # fmt: skip
    drive = SPEC.params().array.drive.model_dump(mode="json")
    curve = asked(plain(drive={**drive, "seek": seek}))
    assert curve.array is None
    assert curve.figures is None
    assert curve.why_none == curve.why_no_figures == "The plan needs a three-point seek curve."
    # A stripe unit that no study takes.
    wide = {**SERVER, "chunk_bytes": 2**31}
    refused = asked(plain(layout=wide))
    assert refused.figures is None
    assert refused.why_no_figures


def _at_once(array: dict[str, Any], **others: Any) -> tuple[Any, dict[str, tuple[str, str | None]]]:
    said = asked(array, **others).at_once
    texts = {row.id: (row.text.replace("\u00a0", " "), row.note) for row in said.figures}
    return said, texts


def _rate(per_s: float) -> dict[str, Any]:
    return {"workload": {"arrivals": {"kind": "exponential", "mean_ms": 1000 / per_s}}}


def test_says_at_once_what_the_closed_form_says_of_the_array() -> None:
    said, texts = _at_once(SLEEPING | {"cache": None}, **_rate(20.0))
    assert texts == {
        "load": ("9.8%", None),
        "most": ("205 per s", None),
        "response": ("15.5 ms", None),
        "power": ("2.65 W", None),
    }
    assert not said.overloaded
    assert said.wear == "wear unknown until simulated"
    assert _at_once(plain())[0].wear == "no start-stops: its disks always spin"


def test_says_at_once_that_an_array_cannot_keep_up() -> None:
    said, texts = _at_once(plain(layout={"kind": "single", "disks_count": 1}), **_rate(500.0))
    assert said.overloaded
    assert texts["response"] == ("—", "The array cannot keep up.")


def test_says_at_once_what_the_plan_knows_where_there_is_no_closed_form() -> None:
    _said, texts = _at_once(SLEEPING, **_rate(20.0))
    figures = asked(SLEEPING, **_rate(20.0)).figures
    assert texts["load"][0] != "—"
    assert texts["power"][0] == quantity(figures.mean_w, "W").replace("\u00a0", " ")
    lost = {"layout": {"kind": "raid5", "disks_count": 5, "failed_disk_count": 1}}
    of_lost, nothing = _at_once(plain(**lost), **_rate(20.0))
    assert set(nothing.values()) == {
        ("—", "There is no closed form for a lost disk: simulate."),
    }
    assert of_lost.wear == "no start-stops: its disks always spin"
