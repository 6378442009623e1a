"""Networks of random hosts and switches against one that is wired cable by cable."""

from __future__ import annotations

import random
from collections import Counter
from itertools import count

import pytest
from pydantic import ValidationError

from capmodels.network.fabric import FabricParams, fabric


class Wired:
    """A fabric that is built as a technician builds one: a host, a leaf, a cable at a time."""

    def __init__(self, ports: int, k: int, ratio: float, *, even: bool) -> None:
        """Put hosts on leaves, and uplinks on switches above, until all are in."""
        self.up = next(up for up in range(1, k) if (k - up) <= ratio * up)
        self.leaves: list[int] = []
        for _ in range(ports):
            if not self.leaves or self.leaves[-1] == k - self.up:
                self.leaves.append(0)
            self.leaves[-1] += 1
        self.cores = 0
        self.above = 0
        if len(self.leaves) <= k and self._spines(k, even=even):
            self.tiers = 2
            return
        self.tiers = 3
        pods = [self.leaves[at : at + k // 2] for at in range(0, len(self.leaves), k // 2)]
        if len(pods) > k:
            self.tiers = 4
            return
        for pod in pods:
            self.above += self._filled(len(pod) * self.up, k // 2)
        self.cores = self._filled(self.above * (k // 2), k)

    def _spines(self, k: int, *, even: bool) -> bool:
        """The fewest spines that take every cable; no leaf misses one of them."""
        for spines in range(1, self.up + 1):
            taken: Counter[int] = Counter()
            for _ in self.leaves:
                for cable in range(self.up):
                    # Begun where the fewest are taken, as cables that go round would.
                    taken[min(range(spines), key=lambda s: (taken[s], s))] += 1
                    del cable
            alike = not even or self.up % spines == 0
            if alike and max(taken.values()) <= k:
                self.above = spines
                return True
        return False

    @staticmethod
    def _filled(cables: int, ports: int) -> int:
        boxes, left = 0, 0
        for _ in range(cables):
            if not left:
                boxes, left = boxes + 1, ports
            left -= 1
        return boxes


def test_random_fabrics_are_wired_as_counted() -> None:
    dice = random.Random(34)
    seen: Counter[int] = Counter()
    for _ in count():
        k = dice.choice([4, 6, 8, 12, 16])
        ratio = dice.choice([1.0, 1.5, 2.0, 3.0])
        if k - 1 <= ratio:
            continue
        ports = dice.randint(k + 1, int(0.3 * k**3))
        even = dice.random() < 0.5
        wired = Wired(ports, k, ratio, even=even)
        given = {
            "hosts_count": ports,
            "leaf_ports_count": k,
            "spine_ports_count": k,
            "oversubscription_ratio": ratio,
            "even_uplinks": even,
        }
        seen[wired.tiers] += 1
        if wired.tiers == 4:
            with pytest.raises(ValidationError):
                FabricParams.model_validate(given)
        else:
            found = fabric(FabricParams.model_validate(given))
            counts = (found.tiers_count, found.leaves_count, found.spines_count, found.cores_count)
            assert counts == (wired.tiers, len(wired.leaves), wired.above, wired.cores), given
            assert found.oversubscription_ratio <= ratio + 1e-9
        if sum(seen.values()) == 200:
            break
    assert min(seen[2], seen[3], seen[4]) >= 10, seen


def test_hosts_on_two_leaves_survive_the_loss_of_one() -> None:
    for hosts in range(2, 400, 7):
        given = {"hosts_count": hosts, "ports_per_host_count": 2, "leaf_ports_count": 48}
        more = {"leaf_uplinks_count": 8, "port_gbit_per_s": 25.0, "uplink_gbit_per_s": 100.0}
        found = fabric(FabricParams.model_validate(given | more | {"oversubscription_ratio": 3.0}))
        assert found.leaves_count >= 2
        # Of each leaf no more than its 48 ports are taken, and half of all are on others.
        assert found.leaves_count * 48 >= 2 * hosts
        assert found.host_links_count == 2 * hosts


def test_a_bigger_network_never_has_fewer_switches_or_costs_less() -> None:
    for rails in (1, 8):
        found = [
            fabric(FabricParams(hosts_count=hosts, rails_count=rails))
            for hosts in (*range(1, 200), *range(200, 3000, 31))
        ]
        counts = [one.leaves_count for one in found]
        assert counts == sorted(counts)
        assert [one.total_usd for one in found] == sorted(one.total_usd for one in found)


def test_money_is_the_sum_of_what_is_bought() -> None:
    found = fabric(FabricParams(hosts_count=2048, rails_count=8))
    assert found.switches_usd == 768 * 36_000.0
    # 16,384 links to hosts, and as many between leaves and spines.
    assert found.links_usd == 16_384 * (1320.0 + 1240.0)
    assert found.power_kw == pytest.approx(768 * 1.4)


def test_copper_reaches_no_other_rack() -> None:
    dice = random.Random(9)
    ways: Counter[str] = Counter()
    for _ in range(200):
        hosts, rack = dice.randint(2, 600), dice.randint(2, 45)
        given = {
            "hosts_count": hosts,
            "ports_per_host_count": dice.choice([1, 2]),
            "oversubscription_ratio": 3.0,
            "host_link_usd": 120.0,
            "leaf_usd": dice.choice([6000.0, 30_000.0]),
        }
        anywhere = fabric(FabricParams.model_validate(given))
        found = fabric(FabricParams.model_validate({**given, "hosts_per_rack_count": rack}))
        near = found.host_links_count - found.far_links_count
        # Hosts by copper are no more than racks with a leaf in them have.
        homes = given["ports_per_host_count"]
        assert near <= found.leaves_count / homes * rack * homes
        # Leaves of each rack are taken where they cost no more than optics do.
        all_far = found.host_links_count * (670.0 - 120.0)
        assert found.total_usd <= anywhere.total_usd + all_far
        if hosts <= rack:
            assert found == anywhere
        ways["optics" if found.far_links_count else "copper"] += 1
    assert min(ways.values()) > 20, ways
