"""What a cluster with a code is like, as tables: by its closed form, and through a rebuild."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from capmodels.numbers import percent, quantity, significant
from capmodels.told import Table, compared, facts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from capmodels.storage.cluster.array_params import Phase, Rebuilt
    from capmodels.storage.cluster.params import ClusterCodeResult, Load

_PHASES = {"before": "Before", "during": "During the rebuild", "after": "After"}
_RESPONSES = {"mean": "mean_ms", "p50": "p50_ms", "p95": "p95_ms", "p99": "p99_ms",
              "p99.9": "p999_ms"}  # fmt: skip


def _ms(kind: str, field: str, phase: Phase) -> str:
    return quantity(getattr(getattr(phase, kind), field, None), "ms")


def phase_tables(phases: Sequence[Phase], rebuild: Rebuilt | None) -> tuple[Table, ...]:
    """Each phase of a rebuild, a line for each figure, and the rebuild where it ends."""
    responses = (
        (f"{kind.capitalize()}s, {name}", partial(_ms, kind, field))
        for kind in ("read", "write")
        for name, field in _RESPONSES.items()
    )
    beside = compared(
        "Before, during and after the rebuild",
        "Measure",
        {_PHASES[phase.phase]: phase for phase in phases},
        (
            *responses,
            ("Reads without a lost shard", lambda one: percent(one.degraded_read_fraction)),
            ("Drives at work", lambda one: percent(one.drive_load_fraction)),
            ("Busiest drive", lambda one: percent(one.busiest_drive_fraction)),
            ("Network, all nodes", lambda one: quantity(one.network_mb_per_s, "MB/s")),
            ("Busiest link", lambda one: percent(one.busiest_link_fraction)),
            ("Cores that code", lambda one: significant(one.code_cores_count)),
            ("Power", lambda one: quantity(one.power_w, "W")),
        ),
    )
    if rebuild is None:
        return (beside,)
    lines = (
        ("Time", quantity(rebuild.recovery_h, "h")),
        ("By its limits alone", quantity(rebuild.limit_h, "h")),
        ("Read", quantity(rebuild.read_tb, "TB")),
        ("Between nodes", quantity(rebuild.network_tb, "TB")),
        ("Energy of the cluster", quantity(rebuild.energy_kwh, "kWh")),
    )
    return beside, facts("Rebuild", lines)


def _response_lines(load: Load) -> Iterator[tuple[str, str]]:
    """Responses by the closed form, a line for each figure."""
    for name, mean_ms, of in (
        ("Read", load.read_mean_ms, load.read),
        ("Degraded read", load.degraded_read_mean_ms, load.degraded_read),
        ("Write", load.write_mean_ms, load.write),
    ):
        yield f"{name}, mean", quantity(mean_ms, "ms")
        for told, field in _RESPONSES.items():
            if told != "mean":
                yield f"{name}, {told}", quantity(getattr(of, field, None), "ms")


def code_table(of: ClusterCodeResult) -> Table:
    """What a cluster is like by its closed form."""
    load, durability = of.load, of.durability
    lines = (
        ("Raw space", quantity(of.raw_tb, "TB")),
        ("Usable space", quantity(of.usable_tb, "TB")),
        ("Raw space of a byte", f"{significant(of.overhead_ratio)} ×"),
        ("Rebuild of a drive", quantity(of.drive_lost.recovery_h, "h")),
        ("Rebuild of a node", quantity(of.node_lost.recovery_h, "h")),
        ("Read for repairs", quantity(of.repair_tb_per_year, "TB/yr")),
        ("Nines of an object, a year", quantity(durability.object_nines_count, "count")),
        ("Any data lost, chance a year", percent(durability.loss_fraction_per_year)),
        ("Drives at work", percent(load.drive_load_fraction)),
        ("Network of a node", percent(load.network_load_fraction)),
        ("Cores that code", significant(load.code_cores_count)),
        *_response_lines(load),
        ("Power", quantity(of.power_w, "W")),
        ("Energy", quantity(of.energy_kwh_per_year, "kWh/yr")),
        ("Usable TB, a year", quantity(of.usd_per_usable_tb_year, "USD/TB-yr")),
    )
    return facts("Space, durability, load and cost", lines)
