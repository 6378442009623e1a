"""Speed of a core, judged on processors and families that took no part."""

from __future__ import annotations

import math
import random
from statistics import mean, median, quantiles
from typing import TYPE_CHECKING

import pytest

from capmodels.errors import ParamsError
from capmodels.performance import core_speed as speeds
from capmodels.performance.core_speed import (
    SPEC,
    CoreSpeedParams,
    bridge,
    core_speed,
    families,
    kind_of,
    like,
    per_core,
    process_of,
    processors,
    ratio_of_processor,
    ratio_of_vcpu,
)
from capmodels.spec import validate

if TYPE_CHECKING:
    from capmodels.performance.core_speed import Processor, Work

# Median and ninetieth percentile of the errors, and the share inside of the range.
Judged = tuple[float, float, float]


def judged(errors: list[float]) -> tuple[float, float]:
    return median(errors), quantiles(errors, n=10)[-1]


def folds(count: int) -> dict[str, int]:
    """Processors dealt into folds, always the same."""
    names = sorted({one.name for one in processors()})
    random.Random(7).shuffle(names)
    return {name: place % count for place, name in enumerate(names)}


def held_back(work: Work) -> tuple[Judged, tuple[float, float]]:
    """Errors on processors that took no part, and of the mean of their generation's others."""
    fold = folds(10)
    systems = {"integer": 0.02, "floating": 0.04}[work]
    errors: list[float] = []
    naive: list[float] = []
    inside: list[bool] = []
    known = [one for one in processors() if one.results[work][1]]
    for at in range(10):
        others = tuple(one for one in known if fold[one.name] != at)
        process = process_of(others, work)
        for one in (one for one in known if fold[one.name] == at):
            log, deviation = process.at(one.kind)
            true = math.log(one.results[work][0])
            errors.append(abs(math.expm1(log - true)))
            wide = 1.645 * math.hypot(deviation, systems, 0.04 / math.sqrt(one.results[work][1]))
            inside.append(abs(log - true) <= wide)
            alike = [other for other in others if other.kind.generation == one.kind.generation]
            flat = mean(math.log(other.results[work][0]) for other in alike or others)
            naive.append(abs(math.expm1(flat - true)))
    return (*judged(errors), mean(inside)), judged(naive)


@pytest.mark.deep
def test_processors_that_took_no_part_are_within_four_and_twelve_percent() -> None:
    (middle, most, inside), naive = held_back("integer")
    assert middle < 0.03
    assert most < 0.10
    assert 0.86 < inside < 0.96
    assert naive[0] > 2.0 * middle
    assert naive[1] > 2.0 * most
    (middle, most, inside), _ = held_back("floating")
    assert middle < 0.035
    assert most < 0.12
    assert 0.86 < inside < 0.96


@pytest.mark.deep
def test_a_generation_that_took_no_part_is_far_off_and_its_range_says_so() -> None:
    known = [one for one in processors() if one.results["integer"][1]]
    for generation in ("zen4", "zen5", "granite rapids"):
        process = process_of(
            tuple(one for one in known if one.kind.generation != generation), "integer"
        )
        inside = []
        for one in (one for one in known if one.kind.generation == generation):
            log, deviation = process.at(one.kind)
            inside.append(abs(log - math.log(one.results["integer"][0])) < 2.5 * deviation)
        assert mean(inside) > 0.9, generation


def test_a_family_that_took_no_part_is_near_others_on_its_processor() -> None:
    errors, naive = [], []
    whole = median(one.per_vcpu for one in families().values())
    for one in families().values():
        others = [other for other in families().values() if other.name != one.name]
        naive.append(abs(whole / one.per_vcpu - 1.0))
        if alike := like(one.name, others):
            errors.append(abs(median(other.per_vcpu for other in alike) / one.per_vcpu - 1.0))
    assert len(errors) > 50
    middle, most = judged(errors)
    assert middle < 0.025
    assert most < 0.08
    assert judged(naive)[0] > 0.1


def test_a_processor_without_coremark_is_carried_over_from_spec() -> None:
    errors = []
    for name, kind in speeds._OWN.items():
        scale = bridge(name)
        mine = [one for one in families().values() if one.processor == name]
        spec = per_core(kind, "integer").value
        whole = mine[0].threads == 1
        each = spec / (1.2 * scale.whole_core) if whole else spec / (2.0 * scale.half_core)
        errors += [abs(each / one.per_vcpu - 1.0) for one in mine]
    middle, most = judged(errors)
    assert middle < 0.12
    assert most < 0.25


def test_the_reference_is_one_and_whole_cores_do_more_than_threads() -> None:
    m7a, m7i, m8a = (ratio_of_vcpu(name) for name in ("m7a", "m7i", "m8a"))
    assert m7a is not None
    assert m7i is not None
    assert m8a is not None
    assert m7a.value == pytest.approx(1.0)
    assert m7i.value < 0.75
    assert m8a.value > 1.2
    # A family that was not measured is as others of its generation; another maker's is not known.
    m7g, c7g = ratio_of_vcpu("m7g"), ratio_of_vcpu("c7g")
    assert m7g is not None
    assert c7g is not None
    assert m7g.value == pytest.approx(c7g.value, rel=0.02)
    assert ratio_of_vcpu("dasv6") is None
    own = ratio_of_processor("AMD EPYC 9654", 2)
    assert own is not None
    assert 1.0 < own.low < own.value < own.high < 1.7
    assert ratio_of_processor("AMD EPYC 7") is None


def test_more_of_what_slows_a_core_slows_it() -> None:
    def result(cores: float, ghz: float) -> float:
        return per_core(kind_of("zen5", cores, 2, 1, ghz, 400), "integer").value

    assert result(32, 3.0) > result(64, 3.0) > result(128, 3.0)
    assert result(64, 3.6) > result(64, 2.4)


def test_results_of_its_own_are_nearer_than_those_of_others() -> None:
    rows: list[Processor] = [one for one in processors() if one.results["integer"][1] >= 10]
    off = [
        abs(per_core(one.kind, "integer").value / one.results["integer"][0] - 1.0) for one in rows
    ]
    middle, most = judged(off)
    assert middle < 0.025
    assert most < 0.08


def test_what_is_not_held_is_refused_with_a_sentence() -> None:
    for wrong in ({"family": "q9z"}, {"processor": "Z80"}, {"family": "m7i", "work": "floating"}):
        with pytest.raises(ParamsError):
            validate(SPEC, wrong)
    found = core_speed(CoreSpeedParams(processor="Xeon 6980P", sockets_count=2.0, work="floating"))
    assert found.spec_per_core == pytest.approx(10.2, rel=0.05)
    assert "of a reference core" in found.sentence
