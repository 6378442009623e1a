"""What a rank of a memory module draws in each state, from its data sheet's currents.

Supply currents are those of the JEDEC definitions: IDD2N standby, IDD2P power-down, IDD6N
self-refresh, IDD3N row open, IDD4R and IDD4W bursts, IDD0 rows opened and closed, IDD5B
refresh. DDR5 has no currents here until a vendor's sheet is typed in.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from capmodels.spec import Params, assumed, blank, default, preset
from capmodels.units import CountFromOne, DataGib, PowerW, Real, of_unit

LINE_BYTES = 64

Generation = Literal["ddr3", "ddr4", "ddr5"]
CurrentMa = Annotated[Real, of_unit("mA", ge=0, le=1e6)]
SupplyV = Annotated[Real, of_unit("V", ge=0, le=10)]
TimeNs = Annotated[Real, of_unit("ns", ge=0, le=1e9)]
IntervalUs = Annotated[Real, of_unit("us", gt=0, le=1e6)]
EnergyNj = Annotated[Real, of_unit("nJ", ge=0, le=1e6)]
ModuleGib = Annotated[DataGib, Field(gt=0, le=1e6)]
RanksCount = Annotated[CountFromOne, Field(le=64)]
DevicesCount = Annotated[CountFromOne, Field(le=512)]
RegisterW = Annotated[PowerW, Field(le=1e6)]
_JEDEC = "JEDEC JESD79-4, DDR4-3200"
_SHAPE = "JEDEC JESD21-C: 72 bits of devices of 4"
_NONE = "none unless given"
NEEDED = (
    "idd0_ma",
    "idd2n_ma",
    "idd2p_ma",
    "idd3n_ma",
    "idd4r_ma",
    "idd4w_ma",
    "idd5b_ma",
    "idd6n_ma",
)


class ModuleCurrents(Params):
    """A module's data sheet: its shape, its supply currents, its times.

    Currents of one device are multiplied by the devices of a rank. Those of a whole module
    hold its register, and count one rank at work while the others stand by.
    """

    title: str = Field(min_length=1, max_length=120)
    generation: Generation = "ddr4"
    capacity_gib: ModuleGib
    ranks_count: RanksCount
    devices_per_rank_count: DevicesCount = default(
        18, "With those for error correction.", source=_SHAPE
    )
    currents_of: Literal["device", "module"] = preset(
        "device", "Whether the sheet gives them for a device or the module."
    )
    supply_v: SupplyV = default(1.2, source=_JEDEC)
    idd0_ma: CurrentMa | None = blank("Rows opened and closed.", title="IDD0")
    idd2n_ma: CurrentMa | None = blank("Standby, rows closed.", title="IDD2N")
    idd2p_ma: CurrentMa | None = blank("Power-down, rows closed.", title="IDD2P")
    idd3n_ma: CurrentMa | None = blank("Standby, a row open.", title="IDD3N")
    idd4r_ma: CurrentMa | None = blank("Reading without a pause.", title="IDD4R")
    idd4w_ma: CurrentMa | None = blank("Writing without a pause.", title="IDD4W")
    idd5b_ma: CurrentMa | None = blank("While refreshing.", title="IDD5B")
    idd6n_ma: CurrentMa | None = blank("Self-refresh.", title="IDD6N")
    pump_v: SupplyV = assumed(0.0, "Second supply, 2.5 V on DDR4.", source=_NONE, title="VPP")
    pump_ma: CurrentMa = assumed(0.0, "Its current while awake.", source=_NONE, title="IPP")
    pump_asleep_ma: CurrentMa = assumed(0.0, "The same in self-refresh.", source=_NONE)
    burst_ns: TimeNs = default(2.5, "64 bytes on the bus.", source=_JEDEC)
    row_cycle_ns: TimeNs = default(46.0, source=_JEDEC, title="tRC")
    row_open_ns: TimeNs = default(32.0, source=_JEDEC, title="tRAS")
    refresh_ns: TimeNs = default(350.0, source=_JEDEC, title="tRFC")
    refresh_interval_us: IntervalUs = default(7.8, source=_JEDEC, title="tREFI")
    powerdown_exit_ns: TimeNs = default(6.0, source=_JEDEC, title="tXP")
    self_refresh_exit_ns: TimeNs = default(360.0, source=_JEDEC, title="tXS")
    register_w: RegisterW = assumed(0.0, "Register, clock, converter.", source=_NONE)
    register_asleep_w: RegisterW = assumed(
        0.0, "The same with every rank in self-refresh.", source=_NONE
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RankWatts:
    """What one rank draws, and the module's part that all its ranks share."""

    rank_gib: float
    ranks_count: int
    standby_w: float
    powerdown_w: float
    self_refresh_w: float
    refresh_w: float
    read_j: float
    write_j: float
    row_j: float
    busy_ns: float
    powerdown_exit_ns: float
    self_refresh_exit_ns: float
    register_w: float
    register_asleep_w: float


def missing_currents(module: ModuleCurrents) -> tuple[str, ...]:
    """Names of the currents that a sheet must still give, as the sheet has them."""
    names = [name for name in NEEDED if getattr(module, name) is None]
    return tuple(name.removesuffix("_ma").upper() for name in names)


def _given(value_ma: float | None) -> float:
    return 0.0 if value_ma is None else value_ma


def rank_watts(module: ModuleCurrents) -> RankWatts | None:
    """Return what a rank draws, or nothing while a current is unknown.

    Standby I2N V, power-down I2P V, self-refresh I6N V; refresh (I5B - I3N) V tRFC / tREFI;
    a burst (I4 - I3N) V t_burst; a row V (I0 tRC - I3N tRAS - I2N (tRC - tRAS)). After
    Micron's technical note on DDR4 power (TN-40-07). [W, J]
    """
    if missing_currents(module):
        return None
    whole = module.currents_of == "module"
    # Standing currents are of all ranks of a module, or of one device.
    standing = module.supply_v / 1000 * (1 / module.ranks_count if whole else 1)
    # Work is done by one rank.
    working = module.supply_v / 1000
    devices = 1 if whole else module.devices_per_rank_count
    pump = module.pump_v / 1000 * module.devices_per_rank_count
    standby, row_open = _given(module.idd2n_ma), _given(module.idd3n_ma)
    row_ns = (
        _given(module.idd0_ma) * module.row_cycle_ns
        - row_open * module.row_open_ns
        - standby * (module.row_cycle_ns - module.row_open_ns)
    )
    refreshing = max(0.0, _given(module.idd5b_ma) - row_open)
    duty = min(1.0, module.refresh_ns / (module.refresh_interval_us * 1000))
    burst_s = module.burst_ns * 1e-9
    return RankWatts(
        rank_gib=module.capacity_gib / module.ranks_count,
        ranks_count=module.ranks_count,
        standby_w=standby * standing * devices + pump * module.pump_ma,
        powerdown_w=_given(module.idd2p_ma) * standing * devices + pump * module.pump_ma,
        self_refresh_w=_given(module.idd6n_ma) * standing * devices + pump * module.pump_asleep_ma,
        refresh_w=refreshing * duty * working * devices,
        read_j=max(0.0, _given(module.idd4r_ma) - row_open) * working * devices * burst_s,
        write_j=max(0.0, _given(module.idd4w_ma) - row_open) * working * devices * burst_s,
        row_j=max(0.0, row_ns) * 1e-9 * working * devices,
        busy_ns=module.row_cycle_ns,
        powerdown_exit_ns=module.powerdown_exit_ns,
        self_refresh_exit_ns=module.self_refresh_exit_ns,
        register_w=module.register_w,
        register_asleep_w=module.register_asleep_w,
    )
