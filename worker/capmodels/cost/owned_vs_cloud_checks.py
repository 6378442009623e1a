"""The figures of Zaranek et al. 2008, sections 2.1 and 4.5, against the model's own."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from capmodels.cost.owned_vs_cloud_params import (
    Cause,
    OwnedVsCloudParams,
    OwnedVsCloudResult,
)
from capmodels.spec import Check, JSONDict, derived_check
from capmodels.units import SECONDS_PER_HOUR

Compare = Callable[[OwnedVsCloudParams], OwnedVsCloudResult]
Model = Callable[..., OwnedVsCloudResult]
CauseUsd = Callable[..., float]

_SECTION_2 = "Zaranek et al. 2008, section 2.1"
_SECTION_4 = "Zaranek et al. 2008, section 4.5"
_EXTRA_LARGE: JSONDict = {"price_usd_per_h": 0.80}
_TWO_SMALL: JSONDict = {"price_usd_per_h": 0.20}


def _group(nodes: int, instance: JSONDict, utilization_fraction: float) -> JSONDict:
    return {
        "nodes_count": nodes,
        "instance": instance,
        "equivalence": "explicit",
        "instances_count": float(nodes),
        "utilization_fraction": utilization_fraction,
    }


def prototypes(templeton_fraction: float, uncle_fraction: float) -> JSONDict:
    """Return the paper's two prototype clusters at given utilisations, as params."""
    return {
        "capex_usd": 150_000.0,
        "power_w": 0.0,
        "facility_usd_per_year": 25_000.0,
        "staff_usd_per_year": 50_000.0,
        "groups": [
            _group(47, _EXTRA_LARGE, templeton_fraction),
            _group(11, _EXTRA_LARGE, uncle_fraction),
            _group(36, _TWO_SMALL, uncle_fraction),
        ],
        "storage_tb": 20.0,
        "transfer": {"in_tb": 0.0, "out_tb": 0.0},
        "horizon_years": 3.0,
    }


def measured_prototypes() -> JSONDict:
    """Return the prototypes at the utilisation that their seconds of work amount to."""
    slot_s = 47 * 4 * 152 * 24 * SECONDS_PER_HOUR
    return prototypes(460e6 / slot_s, 600e6 / slot_s) | {"year_h": 8784}


def published_checks(compare: Compare) -> tuple[Check, ...]:
    """Return the paper's rows for the model's function ``compare``."""

    def model(**changes: Any) -> OwnedVsCloudResult:
        return compare(OwnedVsCloudParams.model_validate(changes))

    def cause(name: str, **changes: Any) -> float:
        causes: tuple[Cause, ...] = model(horizon_years=1.0, **changes).causes
        return next(row.amount_usd for row in causes if row.cause == name)

    return (
        *_cluster_checks(model, cause),
        *_total_checks(model),
        *_prototype_checks(model, cause),
        *_copy_checks(model, cause),
    )


_cluster_usd = partial(Check, source=_SECTION_2, unit="USD")
_cluster_usd_derived = partial(
    Check, source=_SECTION_2, unit="USD", tolerance=0.01, basis="derived", kind="arithmetic"
)
_tie = partial(
    Check, source=_SECTION_2, unit="fraction", tolerance=0.0005, basis="derived", kind="arithmetic"
)
_prototypes_usd_derived = partial(
    Check, source=_SECTION_4, unit="USD", tolerance=0.1, basis="derived", kind="arithmetic"
)
_prototypes_usd = partial(Check, source=_SECTION_4, unit="USD", tolerance=0.5)
_pay_off = partial(Check, source=_SECTION_4, unit="yr")


def _cluster_checks(model: Model, cause: CauseUsd) -> tuple[Check, ...]:
    def instances(way: str) -> float:
        """Price of a year in full use over that of one instance."""
        whole = [{"equivalence": way, "utilization_fraction": 1.0}]
        return cause("instances", groups=whole) / (0.80 * 8760.0)

    return (
        _cluster_usd(
            "A1",
            "Power bill of a year, 18 kW at $0.17/kWh",
            27_000.0,
            lambda: cause("energy"),
            printed="$27,000",
            tolerance=500.0,
            kind="arithmetic",
            tests="cost.owned_vs_cloud_params.OwnedVsCloudParams.power_w",
        ),
        _cluster_usd(
            "A4",
            "96 extra-large instances at 25%, one year",
            168_000.0,
            lambda: cause("instances"),
            printed="$168,000",
            tolerance=500.0,
            kind="arithmetic",
            tests="cost.owned_vs_cloud_params.OwnedVsCloudParams.groups",
        ),
        *(
            Check(
                f"A4 {way}",
                f"Extra-large instances that the 48 nodes are, {way.replace('_', ' ')}",
                96.0,
                partial(instances, way),
                source=_SECTION_2,
                kind="arithmetic",
                tests=f"cost.owned_vs_cloud_params.{field}",
                unit="count",
            )
            for way, field in (
                ("by_core", "NodeGroup.cores_per_node_count"),
                ("by_disk_count", "Instance.disks_count"),
                ("by_capacity", "Instance.storage_tb"),
            )
        ),
        _cluster_usd(
            "A5",
            "S3 for 24 TB, one year",
            43_000.0,
            lambda: cause("storage"),
            printed="$43,000",
            tolerance=500.0,
            kind="arithmetic",
            tests="cost.owned_vs_cloud_params.OwnedVsCloudParams.storage_usd_per_gb_month",
        ),
        _cluster_usd_derived(
            "A6",
            "The same in binary terabytes",
            44_236.8,
            lambda: cause("storage", gb_per_tb=1024),
            note="It would print as $44,000, so the paper counts decimal terabytes.",
            tests="cost.owned_vs_cloud_params.OwnedVsCloudParams.gb_per_tb",
        ),
        _cluster_usd(
            "A7",
            "Transfer, 15 TB in and 2 TB out",
            1_840.0,
            lambda: cause("transfer"),
            tolerance=0.5,
            kind="arithmetic",
            tests="cost.owned_vs_cloud.transfer_usd",
        ),
        _tie(
            "A11",
            "Utilisation at which both cost the same over 2 years",
            0.2124,
            lambda: model().tie.utilization_fraction or 0.0,
            params=dict,
            tests="cost.owned_vs_cloud_params.OwnedVsCloudParams.capex_usd",
        ),
        _tie(
            "A12",
            "Utilisation at which both cost the same over 3 years",
            0.1707,
            lambda: model(horizon_years=3.0).tie.utilization_fraction or 0.0,
            params=lambda: {"horizon_years": 3.0},
            tests="cost.owned_vs_cloud_params.OwnedVsCloudParams.staff_usd_per_year",
        ),
    )


def _total_checks(model: Model) -> tuple[Check, ...]:
    return (
        _cluster_usd(
            "A2",
            "Owning, first year",
            272_000.0,
            lambda: model(rounding="paper", horizon_years=1.0).own_total_usd,
            kind="arithmetic",
            tests="cost.owned_vs_cloud_params.OwnedVsCloudParams.capex_usd",
        ),
        _cluster_usd(
            "A3",
            "Owning, two years",
            374_000.0,
            lambda: model(rounding="paper").own_total_usd,
            params=lambda: {"rounding": "paper"},
            kind="arithmetic",
            tests="cost.owned_vs_cloud_params.OwnedVsCloudParams.staff_usd_per_year",
        ),
        _cluster_usd(
            "A8",
            "Cloud, two years, yearly parts rounded as the authors did",
            424_000.0,
            lambda: model(rounding="paper").cloud_total_usd,
            printed="$424,000",
            note="Yearly parts to $1,000, transfer once and unrounded, then the total.",
            kind="arithmetic",
            tests="cost.owned_vs_cloud_params.OwnedVsCloudParams.storage_usd_per_gb_month",
            tolerance=500.0,
        ),
        _cluster_usd_derived(
            "A9",
            "Cloud, two years, without rounding",
            424_624.0,
            lambda: model().cloud_total_usd,
            tests="cost.owned_vs_cloud_params.OwnedVsCloudParams.storage_usd_per_gb_month",
            note="It would print as $425,000: the paper's $424,000 has yearly parts rounded first.",
        ),
        derived_check(
            "A10",
            "Pay-off time, yearly parts rounded as the authors did",
            1.5428,
            lambda: model(rounding="paper").break_even.years or 0.0,
            source=_SECTION_2,
            tolerance=0.0005,
            unit="yr",
            tests="cost.owned_vs_cloud_params.OwnedVsCloudParams.capex_usd",
        ),
    )


def _prototype_checks(model: Model, cause: CauseUsd) -> tuple[Check, ...]:
    return (
        _prototypes_usd_derived(
            "A15",
            "Prototypes, instances of a year at the printed 18% and 24%",
            92_926.08,
            lambda: cause("instances", **_one_year(prototypes(0.18, 0.24))),
            note="The printed percentages do not give the printed $96,000; the seconds do.",
            params=lambda: prototypes(0.18, 0.24) | {"horizon_years": 1.0},
            tests="cost.owned_vs_cloud_params.Instance.price_usd_per_h",
        ),
        _prototypes_usd(
            "A17",
            "S3 for 20 TB, one year",
            36_000.0,
            lambda: cause("storage", **_one_year(prototypes(0.18, 0.24))),
            kind="arithmetic",
            tests="cost.owned_vs_cloud_params.OwnedVsCloudParams.storage_usd_per_gb_month",
        ),
        _pay_off(
            "A18",
            "Prototypes, pay-off time at their use",
            3.0,
            lambda: model(**measured_prototypes(), rounding="paper").break_even.years or 0.0,
            printed="three years",
            params=lambda: measured_prototypes() | {"rounding": "paper"},
            kind="arithmetic",
            tests="cost.owned_vs_cloud_params.Instance.price_usd_per_h",
            tolerance=0.5,
        ),
        _pay_off(
            "A20",
            "Prototypes, pay-off time at 25%",
            2.0,
            lambda: model(**prototypes(0.25, 0.25), rounding="paper").break_even.years or 0.0,
            printed="two years",
            params=lambda: prototypes(0.25, 0.25) | {"rounding": "paper"},
            kind="arithmetic",
            tests="cost.owned_vs_cloud_params.Instance.price_usd_per_h",
            tolerance=0.15,
        ),
        _prototypes_usd_derived(
            "A19",
            "Prototypes, instances of a year at 25%",
            117_384.0,
            lambda: cause("instances", **_one_year(prototypes(0.25, 0.25))),
            tests="cost.owned_vs_cloud_params.Instance.price_usd_per_h",
        ),
    )


def _one_year(document: JSONDict) -> JSONDict:
    return {name: value for name, value in document.items() if name != "horizon_years"}


def _copy_checks(model: Model, cause: CauseUsd) -> tuple[Check, ...]:
    def copied(times: float) -> JSONDict:
        busy = [_group(47, _EXTRA_LARGE, 0.0)]
        return {"groups": busy, "copy_in": {"data_tb": 1.0, "copies_per_year": times}}

    return (
        Check(
            "A21",
            "Time to copy 1 TB at 2 Gbit/s",
            1.1111,
            lambda: model(**copied(1.0)).copy_h,
            source=_SECTION_4,
            tolerance=0.0001,
            unit="h",
            params=lambda: copied(1.0),
            kind="arithmetic",
            tests="cost.owned_vs_cloud_params.Copy.network_gbit_per_s",
            basis="derived",
        ),
        _prototypes_usd(
            "A22",
            "Price of that copy with 47 nodes waiting",
            41.0,
            lambda: cause("copy", **copied(1.0)),
            printed="$41",
            kind="arithmetic",
            tests="cost.owned_vs_cloud_params.Instance.price_usd_per_h",
            tolerance=1.0,
            wider="The paper truncates.",
        ),
        _prototypes_usd_derived(
            "A23",
            "The same, billed by started hours",
            75.2,
            lambda: cause("copy", **copied(1.0), billing="started_hours"),
            tolerance=0.001,
            tests="cost.owned_vs_cloud_params.Instance.price_usd_per_h",
        ),
        _prototypes_usd(
            "A24",
            "A copy every four days costs less than $4000 a year",
            True,
            lambda: cause("copy", **copied(365 / 4)) < 4_000.0,
            printed="less than $4000",
            kind="arithmetic",
            tests="cost.owned_vs_cloud_params.Instance.price_usd_per_h",
            tolerance=0.0,
            unit="",
        ),
    )
