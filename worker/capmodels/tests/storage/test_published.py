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
    from capmodels.storage.drives import ST3500320AS

    document = {
        "drive": ST3500320AS.model_dump(mode="json"),
        "layout": "raid5",
        "disks_count": 4,
        "size_bytes": 16_384,
        "read_fraction": 0.3,
    }
    result = spec.evaluate(INSTANT, document)
    assert result.service_mean_ms == pytest.approx(13.159, abs=0.001)
    assert result.max_rate_per_s == pytest.approx(4000 / (0.3 * 13.159 + 1.4 * 21.492), rel=1e-4)
    assert result.utilization_ratio == pytest.approx(0.85, abs=0.005)
    assert result.response_mean_ms is None


def test_overload_has_no_response() -> None:
    result = spec.evaluate(INSTANT, {"arrival_rate_per_s": 300.0})
    assert not result.carries_load
    assert result.response_mean_ms is None
    assert result.awake_count == 3


def test_closed_forms_need_a_three_point_curve() -> None:
    from capmodels.storage.drives import WD_80GB

    with pytest.raises(ParamsError):
        spec.evaluate(INSTANT, {"drive": WD_80GB.model_dump(mode="json")})
