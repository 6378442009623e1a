"""Every published check of the storage and reliability models holds; closed forms as limits."""

from __future__ import annotations

import pytest

from capmodels import registry, spec
from capmodels.errors import ParamsError

QUICK = (
    "storage.array_instant",
    "storage.fs2",
    "storage.fs2_layer",
    "storage.disk_geometry",
    "reliability.array_loss",
    "reliability.fleet_rates",
)
INSTANT = registry.get_model("storage.array_instant")


@pytest.mark.parametrize(
    ("model", "check"),
    [(model, check) for model in QUICK for check in registry.get_model(model).checks],
    ids=lambda value: getattr(value, "id", value),
)
@pytest.mark.decisive
def test_published_check(model: str, check: spec.Check) -> None:
    row = spec.run_check(registry.get_model(model), check)
    assert row["ok"], row


@pytest.mark.slow
@pytest.mark.parametrize("check", registry.get_model("storage.array").checks, ids=lambda c: c.id)
def test_published_check_of_the_simulation(check: spec.Check) -> None:
    row = spec.run_check(registry.get_model("storage.array"), check)
    assert row["ok"], row


def test_raid5_writes_cost_two_disks_and_a_turn() -> None:
    # 13.159 ms a read, 2 x 21.49 ms a write on four disks.
    from capmodels.storage.drive.drives import ST3500320AS

    document = {
        "drive": ST3500320AS.model_dump(mode="json"),
        "layout": "raid5",
        "disks_count": 4,
        "size_bytes": 16_384,
        "read_fraction": 0.3,
        "locked_updates": True,
    }
    result = spec.evaluate(INSTANT, document)
    assert result.service_mean_ms == pytest.approx(13.159, abs=0.001)
    assert result.max_rate_per_s == pytest.approx(4000 / (0.3 * 13.159 + 1.4 * 21.492), rel=1e-4)
    assert result.utilization_ratio == pytest.approx(0.85, abs=0.005)
    assert result.response_mean_ms is None


@pytest.mark.parametrize(
    ("layout", "devices", "turns"), [("raid10", 2, 0), ("raid6", 3, 1), ("raid0", 1, 0)]
)
def test_a_write_costs_its_copies_or_parities(layout: str, devices: int, turns: int) -> None:
    # 6.3 ms an operation, 3.99 ms a turn, eight disks.
    from capmodels.storage.drive.drives import ULTRASTAR_15K73

    document = {
        "drive": ULTRASTAR_15K73.model_dump(mode="json"),
        "layout": layout,
        "disks_count": 8,
        "read_fraction": 0.5,
        "locked_updates": True,
    }
    result = spec.evaluate(INSTANT, document)
    write_ms = devices * (6.3 + turns * 60_000 / 15_037)
    assert result.max_rate_per_s == pytest.approx(8000 / (0.5 * 6.3 + 0.5 * write_ms), rel=1e-4)
    # Two phases read and write each disk of a parity write.
    phases = spec.evaluate(INSTANT, {**document, "locked_updates": False})
    write_ms = devices * 6.3 * (1 + turns)
    assert phases.max_rate_per_s == pytest.approx(8000 / (0.5 * 6.3 + 0.5 * write_ms), rel=1e-4)


def test_a_swap_that_saves_nothing_never_pays() -> None:
    from capmodels.storage.drive.drives import ULTRASTAR_15K73

    drive = ULTRASTAR_15K73.model_dump(mode="json")
    same = spec.evaluate(INSTANT, {"drive": drive, "disks_count": 1, "replaces": {}})
    assert same.saved_w == pytest.approx(0.0, abs=1e-9)
    assert same.payback_years == 0.0
    more = spec.evaluate(INSTANT, {"drive": drive, "disks_count": 2, "replaces": {}})
    assert more.saved_w == pytest.approx(-12.0)
    assert more.payback_years is None
    # 435 USD more for 9.55 W less: TR 837 at 0.10 USD/kWh.
    laptop = spec.evaluate(INSTANT, {"arrival_rate_per_s": 1.0, "replaces": {}})
    assert laptop.saved_usd_per_year == pytest.approx(8.3, abs=0.1)
    assert laptop.payback_years == pytest.approx(435 / laptop.saved_usd_per_year)


def test_layouts_need_their_disks() -> None:
    for layout, disks in (("raid6", 3), ("raid10", 5), ("raid5", 2)):
        with pytest.raises(ParamsError):
            spec.evaluate(INSTANT, {"layout": layout, "disks_count": disks})


def test_overload_has_no_response() -> None:
    result = spec.evaluate(INSTANT, {"arrival_rate_per_s": 300.0})
    assert not result.carries_load
    assert result.response_mean_ms is None
    assert result.awake_count == 3


def test_closed_forms_need_a_three_point_curve() -> None:
    from capmodels.storage.drive.drives import WD_80GB

    with pytest.raises(ParamsError):
        spec.evaluate(INSTANT, {"drive": WD_80GB.model_dump(mode="json")})
