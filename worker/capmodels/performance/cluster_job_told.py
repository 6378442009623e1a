"""What the comparison of clusters says: its sentence, tables and figures, and inputs of 2026."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capmodels.numbers import counted, missing, percent, quantity, significant
from capmodels.performance.cluster_job_answer import PARTS, longest_wait
from capmodels.told import Axis, Figure, Series, Table, TableRow, compared, parts_of
from capmodels.units import HOURS_PER_YEAR, JOULES_PER_KWH, SECONDS_PER_HOUR

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from capmodels.performance.cluster_job_params import (
        Bottleneck,
        Cells,
        ClusterAnswer,
        ClusterJobParams,
        Equal,
        Implied,
        Measure,
        Ratios,
    )

_WAITS: dict[Bottleneck, str] = {"cpu": "cores", "disk": "disks", "network": "network"}
_EQUAL: dict[Equal, str] = {
    "work": "As entered",
    "power": "At equal full power",
    "cost": "At equal price",
    "time": "At equal time",
}
_PIECES = (
    ("fixed_w", "Fixed"),
    ("nodes_w", "Nodes"),
    ("disks_w", "Disks"),
    ("ports_w", "Ports"),
)
# Of TeraGen and GridMix2, on which nothing was fitted.
_LOW = ". Energy per job was 25% and 38% low on the two measured jobs that served no fit."
# Lines that a chart can hold.
_LINES = 5
# Times closer than this share are told as the same.
_AS_FAST, _SOONER = 0.999, 1.01


def _nodes(one: ClusterAnswer) -> str:
    return f"{one.nodes_count:,}"


def _energy_text(ratio: Ratios | Implied) -> str:
    if ratio.energy_ratio is None:
        return ""
    way = "less" if ratio.energy_ratio < 1 else "more"
    return f", with {percent(abs(1 - ratio.energy_ratio))} {way} energy a job"


def _measured(first: ClusterAnswer, held: ClusterAnswer, ratios: Ratios, measured: Implied) -> str:
    """What was measured of this very job first, then what the model makes of it."""
    return (
        f"Measured, **{first.name} did {measured.name} {significant(measured.speedup_ratio)} times "
        f"as fast** as {held.name}{_energy_text(measured)}; the model gives "
        f"{significant(ratios.speedup_ratio)} times{_energy_text(ratios)}."
    )


def headline(
    params: ClusterJobParams,
    answers: Sequence[ClusterAnswer],
    ratios: Ratios,
    measured: Implied | None,
) -> str:
    """How the first cluster does beside the last; ``measured`` is what was, of this very job."""
    first, held = answers[0], answers[-1]
    waits = f"it waits for {_WAITS[longest_wait(first)]} longest"
    if measured is not None:
        return _measured(first, held, ratios, measured)
    speed, energy = ratios.speedup_ratio, _energy_text(ratios)
    most = min((first, held), key=lambda one: one.energy_j).name
    end = f". **Most work per joule: {most}**{_LOW}" if energy else "."
    if params.equal == "time" and speed > _AS_FAST:
        times = f"{quantity(first.time_s, 's')} against {quantity(held.time_s, 's')}"
        sooner = f" ({times}: with one node fewer it ends later)" if speed > _SOONER else ""
        return (
            f"{_EQUAL['time']}, **{_nodes(first)} nodes of {first.name} do what {_nodes(held)} of "
            f"{held.name} do**{sooner}{energy}; {waits}{end}"
        )
    usd = ratios.performance_per_usd_ratio
    dollars = "" if usd is None else f" and {significant(usd)} times the work per dollar"
    # A cluster that is never as fast is compared as entered.
    equal = _EQUAL["work" if params.equal == "time" else params.equal]
    return (
        f"{equal}, **{first.name} does the job {significant(speed)} times as fast** as "
        f"{held.name}{energy}{dollars}; {waits}{end}"
    )


_LINES_OF: tuple[tuple[str, Callable[[ClusterAnswer], str]], ...] = (
    ("Nodes", _nodes),
    ("Disks", lambda one: f"{one.disks_count:,}"),
    ("Time", lambda one: quantity(one.time_s, "s")),
    ("Waits longest for", lambda one: _WAITS[longest_wait(one)]),
    ("Power at work", lambda one: quantity(one.power_w, "W")),
    ("Joules per job", lambda one: quantity(one.energy_j, "J")),
    ("Jobs per kWh", lambda one: significant(JOULES_PER_KWH / one.energy_j)),
    # The original's performance per watt-hour; it counts the speed-up twice.
    (
        "Jobs an hour, per kWh",
        lambda one: significant(
            SECONDS_PER_HOUR / one.time_s * JOULES_PER_KWH / one.energy_j,
        ),
    ),
    ("Fixed power, by node", lambda one: quantity(one.fixed_power_per_node_w, "W")),
    (
        "Threads per disk",
        lambda one: (
            missing()
            if one.threads_per_disk_ratio is None
            else significant(one.threads_per_disk_ratio)
        ),
    ),
    ("Price", lambda one: quantity(one.price_usd, "USD")),
    ("Price and energy", lambda one: quantity(one.tco_usd, "USD")),
)


def tables(answers: Sequence[ClusterAnswer], implied: Sequence[Implied]) -> tuple[Table, ...]:
    """The clusters side by side, and what printed gains imply."""
    by_name = {one.name: one for one in answers}
    found = [compared("The clusters side by side", "Measure", by_name, _LINES_OF)]
    if implied:
        found.append(_implied(implied))
    return tuple(found)


def _implied(rows: Sequence[Implied]) -> Table:
    def times(row: Implied) -> tuple[str, ...]:
        ratios = (
            row.speedup_ratio,
            row.power_ratio,
            row.energy_ratio,
            row.performance_per_wh_ratio,
        )
        return tuple(f"{significant(ratio)} ×" for ratio in ratios)

    return Table(
        title="What the paper's printed gains imply",
        columns=("Benchmark", "Speed", "Power", "Joules per job", "Speed per Wh"),
        rows=tuple(TableRow(head=row.name, cells=times(row)) for row in rows),
        note="The first cluster over the last, from the printed gain per watt and time saved. "
        "Speed per watt-hour counts the speed-up twice; joules per job do not.",
    )


def figures(
    params: ClusterJobParams, answers: Sequence[ClusterAnswer], cells: Cells | None
) -> tuple[Figure, ...]:
    """The grid as lines and as cells, power by part, and times of phases."""
    grid = () if cells is None or params.map is None else _grid(params, cells, params.map.measure)
    return (*grid, _power(answers), _phases(answers))


def _power(answers: Sequence[ClusterAnswer]) -> Figure:
    least = min(answers, key=lambda one: one.power_w)
    return Figure(
        kind="stacked",
        name="Power by part",
        title=f"{least.name} uses the least power: {quantity(least.power_w, 'W')} while it works",
        along=Axis(title="Power", unit="W"),
        rows=tuple(one.name for one in answers),
        series=parts_of([one.power_parts for one in answers], _PIECES),
        best=least.name,
    )


def _phases(answers: Sequence[ClusterAnswer]) -> Figure:
    lines = [(one, phase) for one in answers for phase in one.phases]
    of, slow = max(lines, key=lambda line: line[1].time_s)
    waits = _WAITS[slow.bottleneck]
    return Figure(
        kind="grouped",
        name="What each phase waits for",
        title=f"The longest phase is {slow.name} of {of.name}, waiting for {waits}",
        along=Axis(title="Seconds", unit="s"),
        rows=tuple(f"{phase.name}, {one.name}" for one, phase in lines),
        series=tuple(
            Series(
                name=_WAITS[part].capitalize(),
                values=tuple(getattr(phase, f"{part}_s") for _, phase in lines),
            )
            for part in PARTS
        ),
    )


_MEASURES: dict[Measure, tuple[str, str]] = {
    "performance_per_w": ("Jobs per kWh", ""),
    "energy_j": ("Joules per job", "J"),
    "performance_per_usd": ("Jobs per dollar", ""),
    "time_s": ("Time", "s"),
}
_LESS_IS_BETTER = {"energy_j", "time_s"}


def _value(
    params: ClusterJobParams, cells: Cells, measure: Measure, at: tuple[int, int]
) -> float | None:
    """A cell in the unit that is shown; jobs per dollar are those of the whole life."""
    row, column = at
    time_s, energy_j = cells.time_s[row][column], cells.energy_j[row][column]
    if measure == "time_s":
        return time_s
    if measure == "energy_j":
        return energy_j
    if measure == "performance_per_w":
        return JOULES_PER_KWH / energy_j if energy_j else None
    life_s = params.lifetime_years * HOURS_PER_YEAR * SECONDS_PER_HOUR
    tco = cells.tco_usd[row][column]
    return life_s / time_s / tco if tco and time_s else None


def _grid(params: ClusterJobParams, cells: Cells, measure: Measure) -> tuple[Figure, ...]:
    label, unit = _MEASURES[measure]
    rows, columns = range(len(cells.nodes_count)), range(len(cells.disks_count))
    values = [[_value(params, cells, measure, (row, column)) for column in columns] for row in rows]
    known = [(value, at) for at, line in enumerate(values) for value in line if value is not None]
    if not known:
        return ()
    better = min if measure in _LESS_IS_BETTER else max
    best, row = better(known)
    column = values[row].index(best)
    cores = tuple(count * params.clusters[0].cores_per_node_count for count in cells.nodes_count)
    name = params.clusters[0].name
    across = Axis(title="Cores of the cluster", unit="count")
    shown = sorted({round(at * (len(columns) - 1) / (_LINES - 1)) for at in range(_LINES)})
    what = quantity(best, unit) if unit else f"{significant(best)} {label[:1].lower()}{label[1:]}"
    return (
        Figure(
            kind="lines",
            name=f"Scaling of {name}",
            title=f"Best at {cells.nodes_count[row]:,} nodes with {cells.disks_count[column]:,} "
            f"disks: {what}",
            across=across,
            along=Axis(title=label, unit=unit),
            series=tuple(
                Series(
                    name=counted(cells.disks_count[at], "disk"),
                    at=cores,
                    values=tuple(line[at] for line in values),
                    kinds=tuple(_WAITS[line[at]] for line in cells.bottleneck),
                )
                for at in shown
            ),
            kinds=tuple(_WAITS.values()),
            note="Marks: a circle waits for cores, a square for disks, a diamond for the network.",
        ),
        Figure(
            kind="cells",
            name="Disks by cores",
            title=_binding(cells),
            across=Axis(title="Disks of the cluster", unit="count"),
            along=across,
            measure=Axis(title=label, unit=unit),
            levels=cores,
            less_is_better=measure in _LESS_IS_BETTER,
            series=tuple(
                Series(
                    name=counted(count, "node"),
                    at=cells.disks_count,
                    values=tuple(line),
                    kinds=tuple(f"waits for {_WAITS[part]}" for part in parts),
                )
                for count, line, parts in zip(
                    cells.nodes_count, values, cells.bottleneck, strict=True
                )
            ),
        ),
    )


def _binding(cells: Cells) -> str:
    met = {part for row in cells.bottleneck for part in row}
    found = [_WAITS[part] for part in PARTS if part in met]
    if len(found) == 1:
        return f"Everywhere the job waits for {found[0]} longest"
    return f"What the job waits for: {', '.join(found)}"


# Of the catalogue: ref-2026-2s-192 and ref-2026-1s-64 with four NVMe drives each
# (ssd-solidigm-ps1010-7-68tb, the price of ssd-nvme-7-68tb-2026-03) and a port of 100 Gbit/s;
# prices of servers are sums of their parts.
_DISKS, _DISK_MB_PER_S, _DISK_W, _PORT_MB_PER_S = 4, 14_500.0, (5.0, 18.0), 12_500.0
_DISK_USD = 2_803.2


def _today(
    name: str, nodes: int, cores: int, watts: tuple[float, float], usd: float
) -> dict[str, Any]:
    idle_w, peak_w = watts
    return {
        "name": name,
        "nodes_count": nodes,
        "cores_per_node_count": cores,
        "threads_per_node_count": 2 * cores,
        "slots_per_node_count": cores,
        "core_speed_ratio": 1.0,
        "disks_count": _DISKS * nodes,
        "disk_mb_per_s": _DISK_MB_PER_S,
        "reposition_fraction": 0.0,
        "ports_count": nodes,
        "port_mb_per_s": _PORT_MB_PER_S,
        "power": {
            "fixed_w": 0.0,
            "node_idle_w": idle_w,
            "node_dynamic_w": peak_w - idle_w,
            "disk_idle_w": _DISK_W[0],
            "disk_dynamic_w": _DISK_W[1] - _DISK_W[0],
        },
        "price": {"node_usd": usd, "disk_usd": _DISK_USD},
    }


def start() -> dict[str, Any]:
    """Many small servers of 2026 against fewer large ones of as many cores, over 20 TB."""
    return {
        "job": {
            "serial_s": 0.0,
            "data_gb": 20_000.0,
            "block_bytes": 134_217_728.0,
            "phases": [
                {"name": "map", "task_cpu_s": 1.5, "read_gb": 20_000.0},
                {
                    "name": "reduce",
                    "task_cpu_s": 5.0,
                    "tasks_count": 3_072,
                    "shuffle_gb": 4_000.0,
                    "write_gb": 4_000.0,
                },
            ],
        },
        "clusters": [
            _today("24 x 64 cores (2026)", 24, 64, (75.0, 420.0), 21_706.55),
            _today("8 x 192 cores (2026)", 8, 192, (120.0, 720.0), 41_246.5),
        ],
        "pue": 1.3,
        "electricity_usd_per_kwh": 0.1,
        "reported": [],
        "map": {
            "nodes_low_count": 4,
            "nodes_high_count": 96,
            "disks_low_count": 8,
            "disks_high_count": 384,
        },
    }


def paper() -> dict[str, Any]:
    """The paper's clusters, with the grid around the first of them."""
    return {"map": {}}
