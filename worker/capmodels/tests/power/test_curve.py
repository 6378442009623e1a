"""Power curves of families against measured servers that they have not seen."""

from __future__ import annotations

from statistics import median

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capmodels.plans.document.hardware import FamilyPower
from capmodels.power.curves import (
    FamilyCurve,
    LinearCurve,
    PublishedResult,
    Reading,
    TwoSegmentsCurve,
    curve_points,
    watts,
)
from capmodels.power.families import (
    ERROR_LOADS,
    RESULT_LOAD,
    SOLD_SINCE_2017,
    TITLES,
    Family,
    HeldBy,
    family_w,
    fitted,
    held_out,
    rotated_errors,
    rotated_ratios,
    shape,
    two_segments,
)
from capmodels.power.measured_servers import LOADS, MeasuredServer, servers
from capmodels.tests.asking import ask, faults

MODEL = "power.curve"
every_family = pytest.mark.parametrize("family", TITLES)


def errors(family: Family, server: MeasuredServer) -> list[float]:
    curve = FamilyCurve(
        family=family, power_idle_w=server.power_w[0], power_max_w=server.power_w[-1]
    )
    return [abs(watts(curve, load) / server.power_w[LOADS.index(load)] - 1) for load in ERROR_LOADS]


def test_every_measured_server_has_eleven_rising_points_and_a_known_family() -> None:
    for server in servers():
        assert server.family in TITLES
        assert len(server.power_w) == len(LOADS)
        assert list(server.power_w) == sorted(server.power_w)


def test_no_server_is_both_fitted_and_held_out_and_every_family_has_both() -> None:
    for family in TITLES:
        seen, unseen = set(fitted(family)), set(held_out(family))
        assert seen
        assert unseen
        assert not seen & unseen
    assert sum(len(fitted(family)) + len(held_out(family)) for family in TITLES) == len(servers())


def test_servers_not_fitted_are_met_within_five_percent_by_the_median() -> None:
    rows = [errors(family, server) for family in TITLES for server in held_out(family)]
    assert median(row for server in rows for row in server) <= 0.05
    for column in zip(*rows, strict=True):
        assert median(column) <= 0.05


either_way = pytest.mark.parametrize("by_result", [False, True])


@every_family
@either_way
def test_the_shape_is_the_median_of_the_fitted_servers(family: Family, by_result: bool) -> None:
    known = np.array([server.power_w for server in fitted(family)])
    fit = shape(family, by_result)
    base, full = fit.idle_part * known[:, :1], known[:, -1:]
    ways = ((known - base) / (full - base))[:, 1:]
    expected = np.concatenate([[0.0], np.median(ways, axis=0)])
    assert np.allclose(fit.range_fractions, expected, rtol=0, atol=1e-12)


def by_hand(known: np.ndarray, part: float, server: np.ndarray) -> np.ndarray:
    """Watts of a server of a family by the shape of others, written again with NumPy."""
    base = part * known[:, :1]
    way = np.median((known - base) / (known[:, -1:] - base), axis=0)
    ours = part * server[0] + (server[-1] - part * server[0]) * way
    ours[0] = server[0]
    return ours


def with_mean(ours: np.ndarray, mean_w: float, at: float = 0.6) -> np.ndarray:
    """A curve moved by a tent that is highest at a load, until its mean is as it should be."""
    tent = np.interp(LOADS, (0, at, 1), (0, 1, 0))
    off = (mean_w - ours.mean()) / tent.mean()
    return np.clip(ours + off * tent, ours[0], ours[-1])


def best_part(known: np.ndarray, by_result: bool = False) -> float:
    """The part of idle power with the least error on servers that are left out in turn."""
    if len(known) < 4:
        return 1.0

    def error(part: float) -> float:
        found = []
        for at, server in enumerate(known):
            ours = by_hand(np.delete(known, at, axis=0), part, server)
            if by_result:
                ours = with_mean(ours, server.mean())
            found.append(np.abs(ours / server - 1))
        return float(np.mean(found))

    return min((step / 10 for step in range(10, -1, -1)), key=error)


def table(family: Family) -> np.ndarray:
    """Watts of every server of a family, in order of date."""
    return np.array([server.power_w for server in servers() if server.family == family])


@every_family
@either_way
def test_no_other_part_of_idle_power_fits_left_out_servers_better(
    family: Family, by_result: bool
) -> None:
    known = np.array([server.power_w for server in fitted(family)])
    assert shape(family, by_result).idle_part == best_part(known, by_result)


# Of these few servers were found, and their firmware differs: the error is told instead.
ABOVE_FIVE_PERCENT = {"sapphire_rapids", "rocket_lake", "zen4"}


@pytest.mark.parametrize("family", SOLD_SINCE_2017)
def test_servers_sold_since_2017_are_met_by_shapes_that_have_not_seen_them(family: Family) -> None:
    every, errors = table(family), []
    for turn in range(3):
        known = np.array([one for index, one in enumerate(every) if index % 3 != turn])
        for server in every[turn::3]:
            ours = by_hand(known, best_part(known), server)
            errors.append([abs(ours[at] / server[at] - 1) for at in (1, 2, 3, 5)])
    told = np.array([rotated_errors(family)[load] for load in ERROR_LOADS]).T
    assert np.allclose(told, errors, rtol=0, atol=1e-12)
    assert ask(MODEL, family=family).family_error_fraction == pytest.approx(np.median(errors))
    assert (np.median(errors) > 0.05) == (family in ABOVE_FIVE_PERCENT)


def test_the_error_that_studies_draw_is_that_of_four_in_five_servers_left_out() -> None:
    ratios = [
        1 / ratio
        for family in TITLES
        for found in rotated_ratios(family).values()
        for ratio in found
    ]
    assert len(ratios) == 4 * len(servers())
    drawn = FamilyPower.model_fields["measured_ratio"].json_schema_extra
    assert isinstance(drawn, dict)
    held = drawn["default_source"]
    assert isinstance(held, dict)
    assert (held["low"], held["high"]) == tuple(np.quantile(ratios, [0.1, 0.9]).round(2))
    # A reading or a result leaves about half of it, as the field says.
    ways: tuple[HeldBy, ...] = (0.3, "result")
    for by in ways:
        held_ratios = [
            ratio
            for family in TITLES
            for load, found in rotated_ratios(family, by).items()
            if load != by
            for ratio in found
        ]
        assert np.mean(np.abs(np.log(held_ratios))) < 0.65 * np.mean(np.abs(np.log(ratios)))


def corners_by_hand(
    family: Family, idle: float, full: float, by_result: bool = False
) -> np.ndarray:
    """A server's watts: what it idles above any measured is drawn at every load."""
    every = table(family)
    most = float((every[:, 0] / every[:, -1]).max())
    added = max(0.0, (idle - most * full) / (1 - most))
    low, high = np.array(shape(family, by_result).weights).T
    return added + (idle - added) * low + (full - added) * high


@every_family
def test_a_family_s_curve_never_falls_whatever_share_of_its_power_a_server_idles_at(
    family: Family,
) -> None:
    for share in np.linspace(0, 0.99, 34):
        drawn = corners_by_hand(family, share * 500, 500.0)
        assert list(drawn) == sorted(drawn)
        assert (drawn[0], drawn[-1]) == pytest.approx((share * 500, 500))


@every_family
def test_a_server_with_drives_draws_as_one_of_the_family_and_its_drives(family: Family) -> None:
    # The one that idles highest for its full power, with 24 drives of 8 W.
    server = max(table(family), key=lambda one: one[0] / one[-1])
    ends = {"power_idle_w": server[0] + 192, "power_max_w": server[-1] + 192}
    plain = FamilyCurve(family=family, power_idle_w=server[0], power_max_w=server[-1])
    filled = FamilyCurve(family=family, **ends)
    for load in np.linspace(0, 1, 21):
        assert watts(filled, float(load)) == pytest.approx(watts(plain, float(load)) + 192)


@every_family
@pytest.mark.decisive
def test_between_tenths_the_family_s_curve_is_numpy_s_interpolation(family: Family) -> None:
    loads = np.linspace(0, 1, 101)
    for idle, full in ((50.0, 400.0), (300.0, 400.0)):
        expected = np.interp(loads, LOADS, corners_by_hand(family, idle, full))
        ours = [family_w(family, idle, full, float(load)) for load in loads]
        assert np.allclose(ours, expected, rtol=0, atol=1e-9)
        assert min(ours) == pytest.approx(idle)
        assert ours == sorted(ours)


@every_family
def test_no_other_share_at_the_knee_fits_better_by_least_squares(family: Family) -> None:
    best = two_segments(family)
    rows = [np.array(server.power_w) for server in fitted(family)]

    def misfit(share: float) -> float:
        loads, ours = (0, best.knee_utilization_fraction, 1), (0, share, 1)
        s = np.interp(LOADS, loads, ours)
        return float(sum((((w[0] + (w[-1] - w[0]) * s) / w - 1) ** 2).sum() for w in rows))

    there = misfit(best.knee_range_fraction)
    for away in (-0.02, 0.02):
        assert there < misfit(best.knee_range_fraction + away)


def test_a_curve_is_straight_between_its_points() -> None:
    curves = (
        FamilyCurve(family="zen2", power_idle_w=60.0, power_max_w=250.0),
        TwoSegmentsCurve(power_idle_w=60.0, power_max_w=250.0),
        LinearCurve(power_idle_w=60.0, power_max_w=250.0),
    )
    for curve in curves:
        loads, powers = zip(*curve_points(curve), strict=True)
        for load in np.linspace(0, 1, 41):
            assert watts(curve, float(load)) == pytest.approx(np.interp(load, loads, powers))


def test_the_answer_lies_in_its_range_and_meets_the_ends() -> None:
    for load in (0.0, 0.25, 1.0):
        result = ask(MODEL, family="skylake", utilization_fraction=load)
        assert result.power_low_w <= result.power_w <= result.power_high_w
    ends = ask(MODEL, power_idle_w=50.0, power_max_w=400.0).points
    assert (ends[0].family_w, ends[-1].family_w) == (50.0, 400.0)
    assert (ends[0].fan_w, ends[-1].two_segments_w) == (50.0, 400.0)


def test_of_the_four_kinds_the_family_s_errs_least() -> None:
    by_kind: dict[str, list[float]] = {}
    for row in ask(MODEL).errors:
        by_kind.setdefault(row.curve, []).append(row.median_error_fraction)
    means = {kind: sum(rows) for kind, rows in by_kind.items()}
    assert min(means, key=lambda kind: means[kind]) == "family"


def test_an_unknown_family_and_a_peak_below_idle_are_refused_at_their_fields() -> None:
    assert faults(MODEL, {"family": "z80", "power_idle_w": 300.0}) == {
        "/family": "not_a_choice",
        "/power_max_w": "max_below_idle",
    }


READ_LOADS = (0.2, 0.3, 0.4)


@pytest.mark.parametrize("family", SOLD_SINCE_2017)
@pytest.mark.parametrize("load", READ_LOADS)
def test_with_a_reading_servers_not_fitted_are_met_within_five_percent(
    family: Family, load: float
) -> None:
    every, found = table(family), []
    for turn in range(3):
        known = np.array([one for index, one in enumerate(every) if index % 3 != turn])
        for server in every[turn::3]:
            read_w = server[LOADS.index(load)]
            ours = by_hand(known, best_part(known), server)
            off = np.interp(LOADS, (0, load, 1), (0, read_w - np.interp(load, LOADS, ours), 0))
            ours = np.clip(ours + off, server[0], server[-1])
            loads = [one for one in ERROR_LOADS if one != load]
            found += [abs(ours[LOADS.index(one)] / server[LOADS.index(one)] - 1) for one in loads]
    asked = ask(
        MODEL, family=family, reading={"utilization_fraction": load + 0.04, "power_w": 200.0}
    )
    assert asked.family_error_fraction == pytest.approx(np.median(found), abs=1e-12)
    assert np.median(found) <= 0.05


@given(
    family=st.sampled_from(sorted(TITLES)),
    idle=st.floats(1, 500),
    above=st.floats(0, 2000),
    load=st.floats(0.01, 0.99),
    share=st.floats(0, 1),
)
def test_a_curve_with_a_reading_passes_it_and_stays_between_its_ends(
    family: Family, idle: float, above: float, load: float, share: float
) -> None:
    read_w = min(idle + share * above, idle + above)
    curve = FamilyCurve(
        family=family,
        power_idle_w=idle,
        power_max_w=idle + above,
        reading=Reading(utilization_fraction=load, power_w=read_w),
    )
    assert watts(curve, load) == pytest.approx(read_w)
    assert (watts(curve, 0.0), watts(curve, 1.0)) == pytest.approx((idle, idle + above))
    loads = np.linspace(0, 1, 57)
    drawn = [watts(curve, float(one)) for one in loads]
    assert min(drawn) >= idle * (1 - 1e-12)
    assert max(drawn) <= (idle + above) * (1 + 1e-12)


def test_a_reading_that_the_shape_has_already_changes_nothing() -> None:
    plain = ask(MODEL, family="zen3", utilization_fraction=0.4)
    read = {"utilization_fraction": 0.4, "power_w": plain.power_w}
    same = ask(MODEL, family="zen3", utilization_fraction=0.4, reading=read)
    assert [point.family_w for point in same.points] == pytest.approx(
        [point.family_w for point in plain.points]
    )
    assert same.power_low_w == same.power_high_w == same.power_w
    assert plain.power_low_w < plain.power_w < plain.power_high_w


def test_a_reading_outside_idle_and_full_power_is_refused_at_its_power() -> None:
    for power_w in (149.0, 281.0):
        reading = {"utilization_fraction": 0.4, "power_w": power_w}
        assert faults(MODEL, {"reading": reading}) == {"/reading/power_w": "reading_outside"}
    for load in (0.0, 1.0):
        reading = {"utilization_fraction": load, "power_w": 200.0}
        assert set(faults(MODEL, {"reading": reading})) == {"/reading/utilization_fraction"}


def test_a_mean_that_is_off_is_laid_where_fitted_servers_left_out_are_off_by_most() -> None:
    off = []
    for family in TITLES:
        known = np.array([server.power_w for server in fitted(family)])
        if len(known) < 4:
            continue
        for at, server in enumerate(known):
            ours = by_hand(np.delete(known, at, axis=0), shape(family).idle_part, server)
            off.append(np.abs(ours - server) / server[-1])
    assert LOADS[int(np.argmax(np.median(off, axis=0)))] == RESULT_LOAD


# What SPEC prints of three servers: operations per watt over all, and at full load.
PRINTED = {
    "HPE ProLiant DL380a Gen11, 2 x Xeon Platinum 8480+": (12_804.0, 11_260_532.0),
    "HPE ProLiant ML350 Gen11, 2 x Xeon Platinum 8592+": (15_651.0, 13_338_557.0),
    "Dell PowerEdge R7725, 2 x EPYC 9965": (35_920.0, 40_017_802.0),
}


@pytest.mark.parametrize("title", PRINTED)
def test_a_printed_result_tells_the_mean_of_the_measured_powers(title: str) -> None:
    overall, operations = PRINTED[title]
    result = PublishedResult(overall_ssj_ops_per_w=overall, full_load_ssj_ops_per_s=operations)
    server = next(one for one in servers() if one.title == title)
    assert result.mean_w == pytest.approx(np.mean(server.power_w), rel=0.007)


@pytest.mark.parametrize("family", SOLD_SINCE_2017)
def test_with_a_result_servers_not_fitted_are_met_within_five_percent(family: Family) -> None:
    every = table(family)
    # The mean itself is told within 0.7%, as the printed results above show.
    medians = {}
    for told in (0.993, 1.0, 1.007):
        found = []
        for turn in range(3):
            known = np.array([one for index, one in enumerate(every) if index % 3 != turn])
            for server in every[turn::3]:
                ours = by_hand(known, best_part(known, by_result=True), server)
                ours = with_mean(ours, told * server.mean())
                found += [abs(ours[at] / server[at] - 1) for at in (1, 2, 3, 5)]
        medians[told] = np.median(found)
    result = {"overall_ssj_ops_per_w": 100.0, "full_load_ssj_ops_per_s": 43_000.0}
    asked = ask(MODEL, family=family, result=result)
    assert asked.family_error_fraction == pytest.approx(medians[1.0], abs=1e-12)
    assert max(medians.values()) <= 0.05


@given(
    family=st.sampled_from(sorted(TITLES)),
    idle=st.floats(1, 500),
    above=st.floats(1, 2000),
    share=st.floats(0, 1),
)
def test_a_curve_with_a_result_keeps_its_ends_and_lies_as_a_moved_tent_says(
    family: Family, idle: float, above: float, share: float
) -> None:
    # From nearly all of the loads at idle power to nearly all at full power.
    mean_w = idle + above * (1.001 + 8.998 * share) / 11
    result = PublishedResult(overall_ssj_ops_per_w=10.0, full_load_ssj_ops_per_s=20.0 * mean_w)
    ends = {"power_idle_w": idle, "power_max_w": idle + above}
    curve = FamilyCurve(family=family, **ends, result=result)
    plain = corners_by_hand(family, idle, idle + above, by_result=True)
    drawn = [watts(curve, load) for load in LOADS]
    assert drawn == pytest.approx(list(with_mean(plain, mean_w)), rel=1e-9, abs=1e-9)
    assert (drawn[0], drawn[-1]) == pytest.approx((idle, idle + above))


def test_a_result_that_cannot_be_is_refused_at_its_figure_and_never_beside_a_reading() -> None:
    ends = {"power_idle_w": 100.0, "power_max_w": 210.0}
    # Means of 110 to 200 W are possible: 150 to 82.5 operations per watt.
    for overall in (50.0, 82.0, 151.0, 500.0):
        result = {"overall_ssj_ops_per_w": overall, "full_load_ssj_ops_per_s": 33_000.0}
        at = "/result/overall_ssj_ops_per_w"
        assert faults(MODEL, {**ends, "result": result}) == {at: "result_outside"}
    for overall in (83.0, 100.0, 149.0):
        result = {"overall_ssj_ops_per_w": overall, "full_load_ssj_ops_per_s": 33_000.0}
        assert 100.0 <= ask(MODEL, **ends, result=result).power_w <= 210.0
    # A server that draws nothing, or hardly anything, has no result either.
    result = {"overall_ssj_ops_per_w": 100.0, "full_load_ssj_ops_per_s": 33_000.0}
    for watts_w in (0.0, 5e-324, 1e-200):
        none = {"power_idle_w": 0.0, "power_max_w": watts_w, "result": result}
        assert faults(MODEL, none) == {"/result/overall_ssj_ops_per_w": "result_outside"}
    reading = {"utilization_fraction": 0.4, "power_w": 150.0}
    both = {**ends, "result": result, "reading": reading}
    assert faults(MODEL, both) == {"/result": "reading_and_result"}
