"""Memory modules whose data sheets are at hand, by name.

Currents of the devices: Micron's 8 Gb and 4 Gb data sheets as DRAMsim3 carries them. What a
register draws is recalled: 0.25 to 0.85 W; the difference of two published modules with one
and two ranks (1,040 and 1,370 mA in standby) leaves 0.85 W to it.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from capmodels.memory.currents import ModuleCurrents
from capmodels.spec import Params

ModuleName = Literal[
    "ddr4_3200_rdimm_32",
    "ddr4_3200_rdimm_16",
    "ddr4_2400_rdimm_32",
    "ddr4_3200_lrdimm_64",
    "ddr4_2400_udimm_16",
    "ddr3l_1600_rdimm_16",
    "ddr5_rdimm_64",
]
DEFAULT_MODULE: ModuleName = "ddr4_3200_rdimm_32"
REGISTER_W = (0.25, 0.5, 0.85)

_8GB_X4_3200 = ModuleCurrents(
    title="32 GiB DDR4-3200 RDIMM, 2Rx4, 8 Gb devices",
    capacity_gib=32.0,
    ranks_count=2,
    idd0_ma=52.0,
    idd2n_ma=37.0,
    idd2p_ma=25.0,
    idd3n_ma=47.0,
    idd4r_ma=143.0,
    idd4w_ma=130.0,
    idd5b_ma=250.0,
    idd6n_ma=30.0,
    pump_v=2.5,
    pump_ma=3.0,
    pump_asleep_ma=3.0,
    burst_ns=2.5,
    row_cycle_ns=45.8,
    row_open_ns=32.0,
    register_w=REGISTER_W[1],
    register_asleep_w=0.05,
)


class KnownModule(Params):
    """A module whose data sheet is at hand; that of DDR5 is not."""

    kind: Literal["known"] = "known"
    name: ModuleName = DEFAULT_MODULE


class TypedModule(ModuleCurrents):
    """A module by its data sheet."""

    kind: Literal["typed"] = "typed"


Module = Annotated[KnownModule | TypedModule, Field(discriminator="kind")]


def sheet_of(module: KnownModule | TypedModule) -> ModuleCurrents:
    """Return a module's data sheet."""
    return module if isinstance(module, TypedModule) else MODULES[module.name]


MODULES: dict[ModuleName, ModuleCurrents] = {
    "ddr4_3200_rdimm_32": _8GB_X4_3200,
    "ddr4_3200_rdimm_16": _8GB_X4_3200.model_copy(
        update={
            "title": "16 GiB DDR4-3200 RDIMM, 1Rx4, 8 Gb devices",
            "capacity_gib": 16.0,
            "ranks_count": 1,
        }
    ),
    "ddr4_2400_rdimm_32": _8GB_X4_3200.model_copy(
        update={
            "title": "32 GiB DDR4-2400 RDIMM, 2Rx4, 8 Gb devices",
            "idd0_ma": 43.0,
            "idd2n_ma": 34.0,
            "idd3n_ma": 38.0,
            "idd4r_ma": 110.0,
            "idd4w_ma": 103.0,
            "burst_ns": 3.33,
        }
    ),
    "ddr4_3200_lrdimm_64": _8GB_X4_3200.model_copy(
        update={
            "title": "64 GiB DDR4-3200 LRDIMM, 4Rx4, 8 Gb devices",
            "capacity_gib": 64.0,
            "ranks_count": 4,
            "register_w": 2.0,
            "register_asleep_w": 0.1,
        }
    ),
    "ddr4_2400_udimm_16": _8GB_X4_3200.model_copy(
        update={
            "title": "16 GiB DDR4-2400 ECC UDIMM, 2Rx8, 8 Gb devices",
            "capacity_gib": 16.0,
            "devices_per_rank_count": 9,
            "idd0_ma": 48.0,
            "idd2n_ma": 34.0,
            "idd3n_ma": 43.0,
            "idd4r_ma": 135.0,
            "idd4w_ma": 123.0,
            "idd6n_ma": 31.0,
            "burst_ns": 3.33,
            "register_w": 0.0,
            "register_asleep_w": 0.0,
        }
    ),
    "ddr3l_1600_rdimm_16": ModuleCurrents(
        title="16 GiB DDR3L-1600 RDIMM, 2Rx4, 4 Gb devices",
        generation="ddr3",
        capacity_gib=16.0,
        ranks_count=2,
        supply_v=1.35,
        idd0_ma=55.0,
        idd2n_ma=32.0,
        idd2p_ma=18.0,
        idd3n_ma=38.0,
        idd4r_ma=147.0,
        idd4w_ma=118.0,
        idd5b_ma=235.0,
        idd6n_ma=20.0,
        burst_ns=5.0,
        row_cycle_ns=48.75,
        row_open_ns=35.0,
        refresh_ns=260.0,
        self_refresh_exit_ns=270.0,
        register_w=REGISTER_W[1],
        register_asleep_w=0.05,
    ),
    "ddr5_rdimm_64": ModuleCurrents(
        title="64 GiB DDR5 RDIMM, 2Rx4",
        generation="ddr5",
        capacity_gib=64.0,
        ranks_count=2,
        devices_per_rank_count=20,
        supply_v=1.1,
        pump_v=1.8,
        refresh_ns=295.0,
        refresh_interval_us=3.9,
        self_refresh_exit_ns=305.0,
    ),
}
