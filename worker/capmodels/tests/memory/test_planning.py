"""A server's memory for a plan: published modules, limits, and sums."""

from __future__ import annotations

import pytest

from capmodels.memory.currents import ModuleCurrents, missing_currents, rank_watts
from capmodels.memory.modules import DEFAULT_MODULE, MODULES
from capmodels.memory.planning import POLICIES, MemoryFill, memory_power

SHEETS = [name for name, sheet in MODULES.items() if not missing_currents(sheet)]


def _sheet(**changes: object) -> ModuleCurrents:
    known = dict.fromkeys(
        ("idd0_ma", "idd4w_ma", "idd5b_ma", "idd6n_ma", "idd3n_ma", "idd4r_ma"), 100.0
    )
    shape = {"title": "a module", "capacity_gib": 16.0, "ranks_count": 2}
    return ModuleCurrents.model_validate({**shape, **known, **changes})


def test_a_published_module_s_currents_give_its_published_watts() -> None:
    # Transcend, 16 GB 2Rx4 DDR4-2133: 1370 and 720 mA at 1.2 V are 1.64 and 0.86 W.
    watts = rank_watts(_sheet(currents_of="module", idd2n_ma=1370.0, idd2p_ma=720.0))
    assert watts is not None
    assert 2 * watts.standby_w == pytest.approx(1.644)
    assert 2 * watts.powerdown_w == pytest.approx(0.864)


def test_a_rank_of_published_devices_draws_what_their_currents_say() -> None:
    # Micron 4 Gb DDR4-2400, 18 devices: 0.83 W standby, 0.37 W power-down, 0.44 self-refresh.
    watts = rank_watts(_sheet(idd2n_ma=38.25, idd2p_ma=17.0, idd6n_ma=20.25))
    assert watts is not None
    assert watts.standby_w == pytest.approx(0.83, abs=0.005)
    assert watts.powerdown_w == pytest.approx(0.37, abs=0.005)
    assert watts.self_refresh_w == pytest.approx(0.44, abs=0.005)


def test_a_full_server_has_nothing_to_aggregate() -> None:
    fill = MemoryFill(used_gib=1024.0)
    full = {policy: memory_power(fill, module=DEFAULT_MODULE, policy=policy) for policy in POLICIES}
    assert full["aggregate"].average_w == pytest.approx(full["power_down"].average_w)
    assert full["remove"].average_w == pytest.approx(full["power_down"].average_w)
    assert full["ready"].idle_gib == full["ready"].spare_gib == 0


@pytest.mark.parametrize("module", SHEETS)
def test_each_policy_draws_no_more_than_the_one_before(module: str) -> None:
    sheet = next(sheet for name, sheet in MODULES.items() if name == module)
    fill = MemoryFill(used_gib=256.0)
    watts = [memory_power(fill, module=sheet, policy=policy).average_w for policy in POLICIES]
    assert all(value is not None for value in watts)
    assert watts == sorted((value for value in watts if value is not None), reverse=True)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.decisive
def test_the_causes_add_up(policy: str) -> None:
    name = next(known for known in POLICIES if known == policy)
    answer = memory_power(MemoryFill(), module=DEFAULT_MODULE, policy=name)
    assert answer.average_w == pytest.approx(sum(answer.by_cause_w.values()), rel=1e-12)


def test_modules_are_spared_in_sets_of_interleaved_channels() -> None:
    # 512 GiB and a fifth are 614: 20 modules of 32 GiB, in sets of eight 24 of the 32.
    answer = memory_power(MemoryFill(), module=DEFAULT_MODULE, policy="remove")
    assert (answer.modules_count, answer.spare_modules_count) == (32, 8)
    assert answer.spare_gib == 256.0
    assert answer.idle_gib == 512.0


def test_spread_over_ranks_aggregation_saves_nothing() -> None:
    fill = MemoryFill(ranks_interleaved=True)
    spread = memory_power(fill, module=DEFAULT_MODULE, policy="aggregate")
    down = memory_power(fill, module=DEFAULT_MODULE, policy="power_down")
    assert spread.average_w == pytest.approx(down.average_w)


def test_without_currents_gibibytes_are_answered_and_watts_are_not() -> None:
    answer = memory_power(
        MemoryFill(used_gib=256.0, interleaved_channels_count=4),
        module="ddr5_rdimm_64",
        policy="remove",
    )
    assert answer.average_w is None
    assert answer.saving_w is None
    assert answer.basis == "unknown"
    assert answer.reason is not None
    assert "IDD2N" in answer.reason
    assert answer.spare_gib == 512.0
