"""Lines outside, racks, people and spares at random sizes, against plain counts."""

from __future__ import annotations

import random
from typing import Any

import pytest

from capmodels.cost.people import PeopleParams, people
from capmodels.network.outside import OutsideParams, outside
from capmodels.power.racks import CLASSES, RacksParams, racks
from capmodels.reliability.spares import SparesParams, spares


def test_ports_carry_the_peak_when_any_provider_is_lost() -> None:
    dice = random.Random(1)
    for _ in range(200):
        mean, providers = 10 ** dice.uniform(-4, 3), dice.randint(1, 4)
        found = outside(OutsideParams(mean_gbit_per_s=mean, providers_count=providers))
        left = found.ports_count / providers * max(providers - 1, 1)
        assert left * found.port_gbit_per_s * 0.7 >= found.peak_gbit_per_s * (1 - 1e-9)
        assert found.routers_count >= 2


def test_a_tb_outside_costs_less_the_more_there_is() -> None:
    prices = [
        outside(OutsideParams(mean_gbit_per_s=10.0**power)) for power in (-3, -2, -1, 0, 1, 2, 3)
    ]
    per = [one.total_usd_per_month / one.peak_gbit_per_s for one in prices]
    assert per == sorted(per, reverse=True)


def test_no_rack_is_over_its_height_power_weight_or_ports() -> None:
    dice = random.Random(2)
    for _ in range(200):
        machines = [
            {
                "count": dice.randint(1, 500),
                "power_w": dice.uniform(100.0, 11_000.0),
                "rack_units_count": float(dice.choice([1, 2, 4, 8])),
                "weight_kg": dice.uniform(10.0, 140.0),
                "ports_count": dice.randint(0, 4),
            }
            for _ in range(dice.randint(1, 3))
        ]
        params = RacksParams.model_validate({"machines": machines})
        found = racks(params)
        site = next(one for one in CLASSES if one.name == found.site)
        for machine, racked in zip(params.machines, found.machines, strict=True):
            per = racked.per_rack_count
            assert per >= 1
            assert per * machine.power_w + params.beside_w <= 1000.0 * site.rack_kw
            assert per * machine.rack_units_count + params.beside_units_count <= site.units
            assert per * (machine.weight_kg or 0.0) <= site.kg
            assert per * machine.ports_count <= params.ports_per_rack_count
        assert found.stranded_kw == pytest.approx(
            max(found.racks_count * site.rack_kw - found.provisioned_kw, 0.0)
        )


def test_gpu_servers_do_not_stand_one_by_one_in_racks_of_ten_kilowatts() -> None:
    for count in (3, 20, 128, 2048):
        machine = {"count": count, "power_w": 10_200.0, "rack_units_count": 8.0, "weight_kg": 130.0}
        found = racks(RacksParams.model_validate({"machines": [machine]}))
        assert found.rack_kw >= 20.0
        assert found.machines[0].per_rack_count >= (1 if count == 3 else 3)


@pytest.mark.decisive
def test_people_are_fewer_for_each_the_more_there_is() -> None:
    each = [people(PeopleParams(hosts_count=10**power)).fte / 10**power for power in range(1, 6)]
    assert each == sorted(each, reverse=True)


def test_a_third_of_an_instance_needs_no_whole_person() -> None:
    none: dict[str, Any] = {"hosts_count": 0, "racks_count": 0, "switches_count": 0}
    one = PeopleParams(**none, sites_count=0, instances_count=1, providers_count=1)
    assert people(one).fte < 0.25
    own = people(one.model_copy(update={"on_call": "own"}))
    assert own.fte == pytest.approx(people(one).fte + 1.0)


def test_spares_are_the_fewest_that_suffice_by_drawing() -> None:
    dice = random.Random(3)
    for _ in range(20):
        units, rate = dice.randint(1, 3000), dice.uniform(0.01, 0.2)
        params = SparesParams(units_count=units, failures_per_year=rate, least_count=0)
        found = spares(params)
        # Sums of the distribution, term after term, without logarithms.
        mean = units * rate / 12.0
        term = total = 2.718281828459045**-mean
        count = 0
        while 1.0 - total > 0.01:
            count += 1
            term *= mean / count
            total += term
        assert found.spares_count == count
