"""Which accelerators serve a load under limits of latency, and what they cost and draw."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from capmodels.errors import ModelError
from capmodels.serving.accelerators import ACCELERATORS
from capmodels.serving.api_break_even import api_usd_per_m_output, usd_per_m_output
from capmodels.serving.api_prices import API_PRICES
from capmodels.serving.bands import Banded, Factors, banded, factors_of, nearness_of
from capmodels.serving.batching import (
    at_rows,
    closed_loop,
    first_token_s,
    per_token_s,
    rows_at_rate,
    within_limits,
)
from capmodels.serving.benchmarks import point_of
from capmodels.serving.choices import architecture_of
from capmodels.serving.engine import Deployment, Layout, roofline, served, slowed, stacked
from capmodels.serving.fitted import HOSTS, LATEST_YEARS, SOFTWARES
from capmodels.serving.memory_fit import (
    kv_bytes_per_token,
    kv_room_gb,
    most_requests,
    overhead_of,
)
from capmodels.serving.rents import OWNED_USD_PER_H, RENT_USD_PER_H
from capmodels.serving.size_params import (
    Alone,
    ApiCost,
    BenchmarkOutput,
    BudgetAsked,
    Calibrated,
    LeftOut,
    PowerAsked,
    RacksAsked,
    RateAsked,
    SizedPlan,
    SizeParams,
    SizeResult,
    UsersAsked,
)
from capmodels.serving.size_told import Curve, figures, headline, notes, tables
from capmodels.spec import Citation, Context, Formula, ModelSpec
from capmodels.units import HOURS_PER_MONTH, SECONDS_PER_HOUR

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from capmodels.serving.accelerators import Accelerator, Precision
    from capmodels.serving.architectures import Architecture
    from capmodels.serving.bands import Nearness
    from capmodels.serving.batching import Balance
    from capmodels.serving.size_params import Verdict
    from capmodels.spec import JSONDict

_ROWS_MOST = 1024.0
_RANKS = (1, 2, 4, 8, 16)
_MS = 1e3
# Accelerators whose curves are drawn, points of each, and how far beyond the limits they go.
_CURVES, _POINTS, _BEYOND = 5, 24, 2.0
_UNKNOWN = "How fast it serves is unknown: no measurement of its kind is here."


class _Plan(NamedTuple):
    accelerator: Accelerator
    precision: Precision
    layout: Layout


# Facility power per accelerator beside its thermal design power: the rest of its server, losses
# and cooling. 1.73 kW of 700 W (H100, H200), 2.17 of 1,000 (B200), 2.10 of 1,200 (GB200), 1.79 of
# 750 (MI300X), 2.65 of 1,400 (MI355X) in SemiAnalysis' TCO model of 2026-04: a line through
# them, 0.7 kW and 1.35 kW per kW.
_BASE_KW, _PER_TDP_KW = 0.7, 1.35
_CARD_KW = 0.15


def facility_kw(accelerator: Accelerator) -> float | None:
    """Power of a site per accelerator, with its share of servers and cooling; None unknown. [kW]

    Cards of up to 350 W stand in plainer servers: 0.15 kW and 1.35 kW per kW.
    """
    if accelerator.tdp_w is None:
        return None
    base = _BASE_KW if accelerator.tdp_w > 350.0 else _CARD_KW
    return base + _PER_TDP_KW * accelerator.tdp_w / 1000.0


def layouts_of(architecture: Architecture, accelerator: Accelerator) -> list[Layout]:
    """Return the layouts to try: ranks within the links' domain, data ranks for experts."""
    domain = min(accelerator.domain_count, 16)
    ranks = [count for count in _RANKS if count <= domain]
    tensor = [Layout(tensor=count) for count in ranks]
    if not architecture.experts_count:
        return tensor
    return tensor + [Layout(data=count) for count in ranks if count > 1]


def _supports(accelerator: Accelerator, precision: Precision) -> bool:
    if precision == "fp8":
        return accelerator.fp8_tflop_per_s is not None
    if precision == "fp4":
        return accelerator.fp4_tflop_per_s is not None
    return True


@lru_cache(maxsize=64)
def _kernels(
    architecture: Architecture, precisions: tuple[Precision, ...]
) -> tuple[tuple[_Plan, ...], Any]:
    """Plans and their rooflines as arrays: what no slider of load or limits changes."""
    plans = tuple(
        _Plan(accelerator, precision, layout)
        for accelerator in ACCELERATORS.values()
        if accelerator.speed_known
        for precision in precisions
        if _supports(accelerator, precision)
        for layout in layouts_of(architecture, accelerator)
    )
    rooflines = [
        roofline(
            architecture,
            plan.accelerator,
            plan.precision,
            plan.layout,
            kv_bytes=_kv_bytes(plan.precision),
        )
        for plan in plans
    ]
    return plans, (stacked(rooflines) if rooflines else None)


def _kv_bytes(precision: Precision) -> float:
    return 1.0 if precision in {"fp8", "fp4"} else 2.0


def _held(architecture: Architecture, plan: _Plan, prompt: float, output: float) -> float:
    room = kv_room_gb(
        architecture,
        plan.accelerator,
        plan.precision,
        plan.layout,
        overhead_gb=overhead_of(architecture)[1],
    )
    each = kv_bytes_per_token(
        architecture, _kv_bytes(plan.precision), plan.layout, max(1.0, prompt + output / 2)
    )
    return min(_ROWS_MOST * plan.layout.data, most_requests(room, each, prompt, output))


def load_of(params: SizeParams) -> float | None:
    """Requests at the busiest hour; None where it is asked how many there can be. [1/s]"""
    if isinstance(params.question, RateAsked):
        return params.question.requests_per_s
    if isinstance(params.question, UsersAsked):
        return params.question.users_count * _per_user_s(params)
    return None


def _per_user_s(params: SizeParams) -> float:
    """Requests of a user at the busiest hour, active or not. [1/s]"""
    return params.active_fraction * params.requests_per_user_h / SECONDS_PER_HOUR


class _Kept(NamedTuple):
    """Plans as arrays: the most that each serves within the limits, and which keep them."""

    architecture: Architecture
    plans: tuple[_Plan, ...]
    of: Deployment
    most: Any
    fits: Any
    keeps: Any
    best: Balance
    slower: dict[tuple[str, Precision], float]


def _kept(params: SizeParams) -> _Kept:
    import numpy as np

    architecture = architecture_of(params.model)
    plans, kernels = _kernels(architecture, tuple(dict.fromkeys(params.precisions)))
    if not plans:
        raise ModelError("No accelerator of the list has such a precision.")
    prompt, output = params.lengths.prompt_tokens, params.lengths.output_tokens
    of = served(
        kernels, HOSTS[params.engine], software=SOFTWARES[params.engine], years=LATEST_YEARS
    )
    slower = _slower(params, architecture)
    if slower:
        keys = [(plan.accelerator.name, plan.precision) for plan in plans]
        of = slowed(of, np.array([slower.get(key, 1.0) for key in keys]))
    held = np.array([_held(architecture, plan, prompt, output) for plan in plans])
    fits = held >= 1.0
    most = np.maximum(held, 1.0)
    best = within_limits(
        of, np.full(len(plans), prompt), np.full(len(plans), output), most,
        ttft_s=params.ttft_ms / _MS, tpot_s=params.tpot_ms / _MS,
        percentile=params.percentile_fraction,
    )  # fmt: skip
    keeps = fits & (best.decoded >= 0.5)
    return _Kept(architecture, plans, of, most, fits, keeps, best, slower)


def _slower(params: SizeParams, architecture: Architecture) -> dict[tuple[str, Precision], float]:
    """Time per token as measured over that predicted, of accelerators at a precision."""
    found: dict[tuple[str, Precision], list[float]] = {}
    for one in params.measured:
        given = one.point
        point = point_of(given.output_json) if isinstance(given, BenchmarkOutput) else given
        plan = _Plan(ACCELERATORS[one.accelerator], one.precision, Layout(tensor=one.tensor_count))
        prompt, output = point.prompt_tokens, point.output_tokens
        kernels = roofline(
            architecture, plan.accelerator, plan.precision, plan.layout,
            kv_bytes=_kv_bytes(plan.precision),
        )  # fmt: skip
        of = served(
            kernels, HOSTS[params.engine], software=SOFTWARES[params.engine], years=LATEST_YEARS
        )
        most = max(1.0, _held(architecture, plan, prompt, output))
        ours = closed_loop(of, point.in_flight_count, prompt, output, most)
        key = (one.accelerator, one.precision)
        found.setdefault(key, []).append(point.tpot_ms / _MS / float(ours.tpot_s))
    # Of several points the geometric mean.
    return {key: math.prod(each) ** (1.0 / len(each)) for key, each in found.items()}


def _nearness(kept: _Kept, plan: _Plan) -> Nearness:
    if (plan.accelerator.name, plan.precision) in kept.slower:
        return "calibrated"
    return nearness_of(kept.architecture, plan.accelerator, plan.layout)


class _Times(NamedTuple):
    """Times of a replica at a load: to the first token and per other one, half and late. [ms]"""

    ttft_p50: float
    ttft_late: float
    tpot_p50: float
    tpot_late: float


def _times(
    params: SizeParams, kept: _Kept, places: Sequence[int], rates: Sequence[float]
) -> list[_Times]:
    """Times of plans at some places, each at a rate of requests of a replica."""
    import numpy as np

    columns = (np.broadcast_to(np.asarray(column), len(kept.plans)) for column in kept.of)
    of = Deployment(*(column[list(places)] for column in columns))
    prompt = np.full(len(places), params.lengths.prompt_tokens)
    output = np.full(len(places), params.lengths.output_tokens)
    rows = rows_at_rate(of, np.array(rates), prompt, output, kept.most[list(places)])
    now = at_rows(of, rows, prompt, output)
    found = [
        _MS * time
        for time in (
            first_token_s(of, now, prompt, output, 0.5),
            first_token_s(of, now, prompt, output, params.percentile_fraction),
            per_token_s(now, 0.5),
            per_token_s(now, params.percentile_fraction),
        )
    ]
    return [_Times(*map(float, each)) for each in zip(*found, strict=True)]


class Way(NamedTuple):
    """A replica that keeps the limits: what it is, and what it serves at its planned use."""

    precision: Precision
    accelerators: int
    requests_per_s: float
    ttft_ms: Banded
    tpot_ms: Banded
    nearness: Nearness
    ttft_p50_ms: float
    tpot_p50_ms: float


@lru_cache(maxsize=64)
def ways_of(params: SizeParams) -> dict[str, tuple[Way, ...]]:
    """Return the ways in which each accelerator serves a model within its limits, by its name.

    What is asked, and what it costs, are not read.
    """
    kept = _kept(params)
    places = [int(at) for at in kept.keeps.nonzero()[0]]
    rates = [float(kept.best.requests_per_s[at]) * params.use_fraction for at in places]
    found: dict[str, list[Way]] = {}
    for at, rate, times in zip(
        places, rates, _times(params, kept, places, rates) if places else [], strict=True
    ):
        plan = kept.plans[at]
        near = _nearness(kept, plan)
        way = Way(
            plan.precision,
            plan.layout.accelerators,
            rate,
            banded(times.ttft_late, factors_of(near, kept.architecture, "ttft")),
            banded(times.tpot_late, factors_of(near, kept.architecture, "tpot")),
            near,
            times.ttft_p50,
            times.tpot_p50,
        )
        found.setdefault(plan.accelerator.name, []).append(way)
    return {name: tuple(ways) for name, ways in found.items()}


class Rented(NamedTuple):
    """A replica that keeps the limits and may be rented: what it serves at its planned use."""

    accelerator: str
    precision: Precision
    accelerators: int
    requests_per_s: float
    usd_per_h: float


def rented_replicas(params: SizeParams) -> list[Rented]:
    """Return replicas within the limits that have a price and whose kind was measured.

    Of any kind where none of those was.
    """
    kept = _kept(params)
    found: list[tuple[Nearness, Rented]] = []
    for at in kept.keeps.nonzero()[0].tolist():
        plan = kept.plans[at]
        price, count = _rent(params, plan.accelerator), plan.layout.accelerators
        if price is not None:
            rate = float(kept.best.requests_per_s[at]) * params.use_fraction
            one = Rented(plan.accelerator.name, plan.precision, count, rate, price * count)
            found.append((_nearness(kept, plan), one))
    measured = [one for near, one in found if near != "extrapolated"]
    return measured or [one for _, one in found]


def why_not(params: SizeParams, accelerator: str) -> LeftOut:
    """Say why an accelerator serves none of it."""
    kept, known = _kept(params), ACCELERATORS[accelerator]
    if not known.speed_known:
        return _left(accelerator, "unknown", _UNKNOWN)
    fits = [
        kept.fits[at] for at, plan in enumerate(kept.plans) if plan.accelerator.name == accelerator
    ]
    return _beyond(kept.architecture, known, params, does_fit=any(fits))


def _run(params: SizeParams, _context: Context) -> SizeResult:
    kept = _kept(params)
    architecture, plans, of, most = kept.architecture, kept.plans, kept.of, kept.most
    output, keeps, fits, best = params.lengths.output_tokens, kept.keeps, kept.fits, kept.best
    rates = best.requests_per_s
    fleets = _fleets(params, plans, keeps.nonzero()[0].tolist(), rates)
    places = [at for at, _ in fleets]
    loads = [_of_replica(params, float(rates[at]), count) for at, count in fleets]
    sized = [
        _sized(params, kept, plans[at], rate=float(rates[at]), count=count, times=times)
        for (at, count), times in zip(
            fleets, _times(params, kept, places, loads) if places else [], strict=True
        )
    ]
    in_order = _front(sorted(sized, key=lambda one: _rank(params, one)))
    left = _left_out(architecture, plans, fits, keeps, params, {one.accelerator for one in sized})
    api = _api(params)
    drawn = _drawn(in_order)
    by_name = {(plans[at].accelerator.name, plans[at].precision): at for at in places}
    at = [by_name[one.accelerator, one.precision] for one in drawn]
    curves = [
        _curve(params, one, deployment, float(most[place]))
        for one, deployment, place in zip(drawn, _chosen(of, at, len(plans)), at, strict=True)
    ]
    load = load_of(params)
    calibrated = tuple(
        Calibrated(accelerator=name, precision=precision, slower_ratio=ratio)
        for (name, precision), ratio in kept.slower.items()
    )
    return SizeResult(
        requests_per_s=load,
        output_tokens_per_s=None if load is None else load * output,
        plans=tuple(in_order),
        left_out=tuple(left),
        api=api,
        calibrated=calibrated,
        plans_count=len(plans),
        headline=headline(params, architecture, in_order, api),
        notes=notes(params, in_order, api, calibrated),
        tables=tables(params, in_order, left, api),
        figures=figures(params, in_order, curves, api),
    )


def _chosen(of: Deployment, places: Sequence[int], count: int) -> list[Deployment]:
    """Deployments at some places of many that are held as arrays."""
    import numpy as np

    columns = [np.broadcast_to(np.asarray(column, dtype=float), count) for column in of]
    return [Deployment(*(float(column[at]) for column in columns)) for at in places]


def _fleets(
    params: SizeParams, plans: Sequence[_Plan], places: Iterable[int], rates: Any
) -> list[tuple[int, int]]:
    """Of each accelerator and precision the best division, by its place, and its replicas.

    For a load that of fewest accelerators; for a given power, racks or budget that which serves
    most. Those of which not a replica beyond the spares is there are left out.
    """
    best: dict[tuple[str, str], tuple[float, int, int]] = {}
    for at in places:
        plan, rate = plans[at], float(rates[at])
        count = _replicas(params, plan, rate)
        if count is None or count <= params.spares_count:
            continue
        score = (
            float(count * plan.layout.accelerators)
            if load_of(params) is not None
            else -rate * (count - params.spares_count)
        )
        key = (plan.accelerator.name, plan.precision)
        if key not in best or score < best[key][0]:
            best[key] = (score, at, count)
    return [(at, count) for _, at, count in best.values()]


def _replicas(params: SizeParams, plan: _Plan, rate: float) -> int | None:
    """Replicas that a load needs with its spares, or that there is room for; None: unknown."""
    load, question = load_of(params), params.question
    if load is not None:
        return math.ceil(load / (rate * params.use_fraction) - 1e-9) + params.spares_count
    each, kw = plan.layout.accelerators, facility_kw(plan.accelerator)
    if isinstance(question, BudgetAsked):
        price = _rent(params, plan.accelerator)
        return (
            None
            if price is None
            else math.floor(question.usd_per_month / (HOURS_PER_MONTH * price * each))
        )
    if kw is None:
        return None
    if isinstance(question, PowerAsked):
        return math.floor(question.power_kw / (kw * each))
    if isinstance(question, RacksAsked):
        in_rack = math.floor(question.rack_kw * question.site_per_rack_ratio / kw)
        return question.racks_count * in_rack // each
    return None


def _rent(params: SizeParams, accelerator: Accelerator) -> float | None:
    """Price of an hour: one's own, or the list's; None where there is no offer. [USD/h]"""
    own = {one.accelerator: one.usd_per_h for one in params.rents}
    return own.get(accelerator.name, RENT_USD_PER_H.get(accelerator.name))


def _sized(
    params: SizeParams, kept: _Kept, plan: _Plan, *, rate: float, count: int, times: _Times
) -> SizedPlan:
    architecture, near = kept.architecture, _nearness(kept, plan)
    speed = factors_of(near, architecture, "rate")
    load, serving = load_of(params), count - params.spares_count
    # What arrives is given; only what can arrive is uncertain.
    total = banded(
        _of_replica(params, rate, count) * serving,
        speed if load is None else Factors(1.0, 1.0),
    )
    output = params.lengths.output_tokens
    ttft, tpot = (factors_of(near, architecture, what) for what in ("ttft", "tpot"))
    accelerators = count * plan.layout.accelerators
    kw, price = facility_kw(plan.accelerator), _rent(params, plan.accelerator)
    usd = None if price is None else price * accelerators
    owned = OWNED_USD_PER_H.get(plan.accelerator.name)
    tokens = total.value * output
    users = [math.floor(one / _per_user_s(params) + 1e-9) for one in _ends(total)]
    if isinstance(params.question, UsersAsked):
        users = [params.question.users_count] * 3

    def per_million(usd_per_h: float) -> float:
        return usd_per_m_output(usd_per_h, tokens, params.mean_fraction)

    def replicas(factor: float) -> int:
        return count if load is None else _replicas(params, plan, rate * factor) or count

    return SizedPlan(
        accelerator=plan.accelerator.name,
        precision=plan.precision,
        tensor_count=plan.layout.tensor,
        data_count=plan.layout.data,
        replicas_count=count,
        accelerators_count=accelerators,
        power_kw=None if kw is None else kw * accelerators,
        requests_per_s=total,
        output_tokens_per_s=Banded(low=total.low * output, value=tokens, high=total.high * output),
        users_low_count=users[0],
        users_count=users[1],
        users_high_count=users[2],
        usd_per_h=usd,
        usd_per_m_output=None if usd is None else per_million(usd),
        owned_usd_per_m_output=None
        if owned is None
        else Banded(
            low=per_million(owned[0] * accelerators),
            value=per_million(sum(owned) / 2 * accelerators),
            high=per_million(owned[1] * accelerators),
        ),
        tokens_per_j=None if kw is None else tokens / (kw * accelerators * 1e3),
        ttft_p50_ms=banded(times.ttft_p50, ttft),
        ttft_at_percentile_ms=banded(times.ttft_late, ttft),
        tpot_p50_ms=banded(times.tpot_p50, tpot),
        tpot_at_percentile_ms=banded(times.tpot_late, tpot),
        replica_tokens_per_s=banded(rate * output, speed),
        replicas_low_count=replicas(speed.high),
        replicas_high_count=replicas(speed.low),
        on_front=False,
        nearness=near,
    )


def _of_replica(params: SizeParams, rate: float, count: int) -> float:
    """Requests of a replica at the busiest hour, with the spare ones idle. [1/s]"""
    load = load_of(params)
    return rate * params.use_fraction if load is None else load / (count - params.spares_count)


def _ends(band: Banded) -> tuple[float, float, float]:
    return band.low, band.value, band.high


def _rank(params: SizeParams, plan: SizedPlan) -> tuple[float, float]:
    """By cost, those of unknown price last, by their power; or by how many they serve."""
    if load_of(params) is None:
        return -plan.requests_per_s.value, 0.0
    usd = math.inf if plan.usd_per_h is None else plan.usd_per_h
    return usd, math.inf if plan.power_kw is None else plan.power_kw


def _front(plans: list[SizedPlan]) -> list[SizedPlan]:
    """Mark plans that no other beats in cost, energy and time per token at once."""

    def measures(plan: SizedPlan) -> tuple[float, float, float]:
        usd = math.inf if plan.usd_per_m_output is None else plan.usd_per_m_output
        return usd, -(plan.tokens_per_j or 0.0), plan.tpot_at_percentile_ms.value

    all_of = [measures(one) for one in plans]

    def beaten(mine: tuple[float, float, float]) -> bool:
        return any(
            other != mine and all(theirs <= own for theirs, own in zip(other, mine, strict=True))
            for other in all_of
        )

    return [
        one.model_copy(update={"on_front": not beaten(mine)})
        for one, mine in zip(plans, all_of, strict=True)
    ]


def _api(params: SizeParams) -> ApiCost | None:
    """What an API asks for the same tokens; None where nobody offers the model."""
    price = API_PRICES.get(architecture_of(params.model).name)
    if price is None:
        return None
    ratio = params.lengths.prompt_tokens / params.lengths.output_tokens
    low, value, high = (
        api_usd_per_m_output(entered, given, ratio)
        for entered, given in zip(price.input_usd_per_m, price.output_usd_per_m, strict=True)
    )
    band = Banded(low=low, value=value, high=high)
    return ApiCost(usd_per_m_output=band, providers_count=price.providers_count)


def _drawn(plans: Sequence[SizedPlan]) -> list[SizedPlan]:
    """The first plan of each of the first accelerators."""
    first: dict[str, SizedPlan] = {}
    for one in plans:
        first.setdefault(one.accelerator, one)
    return list(first.values())[:_CURVES]


def _curve(params: SizeParams, plan: SizedPlan, of: Deployment, most: float) -> Curve:
    """Output per accelerator against times to tokens, until twice beyond a limit."""
    import numpy as np

    prompt, output = params.lengths.prompt_tokens, params.lengths.output_tokens
    rows = np.geomspace(min(0.5, most), most, _POINTS)
    found = at_rows(of, rows, prompt, output)
    ttft = first_token_s(of, found, prompt, output, params.percentile_fraction) * _MS
    tpot = per_token_s(found, params.percentile_fraction) * _MS
    fine = (ttft <= _BEYOND * params.ttft_ms) & (tpot <= _BEYOND * params.tpot_ms)
    per = found.requests_per_s * output / (plan.tensor_count * plan.data_count)
    return Curve(plan, *(tuple(float(value) for value in line[fine]) for line in (per, ttft, tpot)))


def _left_out(
    architecture: Architecture,
    plans: Sequence[_Plan],
    fits: Any,
    keeps: Any,
    params: SizeParams,
    sized: set[str],
) -> list[LeftOut]:
    """Say of each accelerator without a plan why it has none."""
    out = []
    for name, accelerator in ACCELERATORS.items():
        if name in sized:
            continue
        places = [at for at, plan in enumerate(plans) if plan.accelerator.name == name]
        if not accelerator.speed_known:
            out.append(_left(name, "unknown", _UNKNOWN))
        elif any(keeps[at] for at in places):
            out.append(_without_room(params, accelerator))
        else:
            does_fit = any(fits[at] for at in places)
            out.append(_beyond(architecture, accelerator, params, does_fit=does_fit))
    return out


def _left(name: str, verdict: Verdict, reason: str) -> LeftOut:
    return LeftOut(accelerator=name, verdicts=(verdict,), alone=None, reason=reason)


def _without_room(params: SizeParams, accelerator: Accelerator) -> LeftOut:
    """Say why there is no replica of an accelerator that keeps the limits."""
    name = accelerator.name
    if isinstance(params.question, BudgetAsked) and _rent(params, accelerator) is None:
        return _left(name, "no_price", "No offer is known; enter a price of your own.")
    if not isinstance(params.question, BudgetAsked) and accelerator.tdp_w is None:
        return _left(name, "unknown", "Its power is unknown.")
    return _left(name, "too_little", "Not one replica beyond the spares finds room.")


def _beyond(
    architecture: Architecture, accelerator: Accelerator, params: SizeParams, *, does_fit: bool
) -> LeftOut:
    """Say how many would hold the model, and how slow one request is there; at 16 bits if need be.

    It is tried on as many as links join, or on as many as hold it.
    """
    usable = [one for one in params.precisions if _supports(accelerator, one)]
    precision: Precision = usable[-1] if usable else "bf16"
    prompt, output = params.lengths.prompt_tokens, params.lengths.output_tokens

    def held(count: int) -> float:
        plan = _Plan(accelerator, precision, Layout(tensor=count))
        return _held(architecture, plan, prompt, output)

    needed, joined = 1, accelerator.domain_count
    while needed < 1024 and held(needed) < 1.0:
        needed += 1 if needed < 16 else 16
    most = max((one for one in _RANKS if one <= joined), default=1)
    of = served(
        roofline(architecture, accelerator, precision, Layout(tensor=max(needed, most)),
                 kv_bytes=_kv_bytes(precision)),
        HOSTS[params.engine], software=SOFTWARES[params.engine], years=LATEST_YEARS,
    )  # fmt: skip
    one = at_rows(of, 1.0, prompt, output)
    ttft, tpot = float(one.ttft_s) * _MS, float(one.tpot_s) * _MS
    slow = ttft > params.ttft_ms or tpot > params.tpot_ms
    cases: tuple[tuple[Verdict, bool], ...] = (
        ("no_precision", not usable),
        ("does_not_fit", not does_fit and needed > most),
        ("too_slow", does_fit or slow),
    )
    allowed = " or ".join(each.upper() for each in params.precisions)
    without = "" if usable else f"It does not multiply at {allowed}. "
    fit = f"At {precision.upper()} the model needs {needed} of them" + (
        f", and its links join {joined}" if needed > joined else ""
    )
    late = (
        f"; on {max(needed, most)} the first token of one request alone takes {ttft:.0f} ms, each "
        f"other {tpot:.0f} ms"
    )
    return LeftOut(
        accelerator=accelerator.name,
        verdicts=tuple(name for name, holds in cases if holds) or ("too_slow",),
        alone=Alone(
            precision=precision,
            needed_count=needed,
            joined_count=joined,
            ttft_ms=ttft,
            tpot_ms=tpot,
        ),
        reason=f"{without}{fit}{late}" + (", too slow." if slow else "."),
    )


def _upgraded(document: JSONDict) -> JSONDict:
    """Shape 1 had users, and a power beside them that asked how many more it serves."""
    users, power = document.pop("users_count", None), document.pop("kw_limit_kw", None)
    if power is not None:
        document["question"] = {"kind": "power", "power_kw": power}
    elif users is not None:
        document["question"] = {"kind": "users", "users_count": users}
    return document


SPEC = ModelSpec(
    id="serving.size",
    version="2.4.0",
    params_version=2,
    upgrades={1: _upgraded},
    title="Accelerators for a serving load",
    summary="Which accelerators, at which precision and how divided, serve users of a language "
    "model within limits of latency: how many, what they cost and draw, and what a site's power "
    "serves.",
    params=SizeParams,
    result=SizeResult,
    run=_run,
    points=lambda params: 40 * len(params.precisions),
    citations=(
        Citation(text="MLPerf inference, limits of latency (MLCommons, mlperf.conf, 2026-08)"),
        Citation(text="J. Little, A proof for the queuing formula L = lambda W, 1961",
                 url="https://doi.org/10.1287/opre.9.3.383"),
    ),
    formulas=(
        Formula("load", "lambda = users x active x requests per hour / 3600", "definition"),
        Formula("replicas", "R = ceil(lambda / (X use)) + spares",
                "X is the most that keeps both limits (serving.capacity)"),
        Formula("cost", "$/M output = 10^6 $/h / (3600 lambda O mean)",
                "definition; mean: of the load over the busiest hour's"),
        Formula("room", "R = floor(kW / kW of a replica), of racks or rent likewise",
                "users = (R - spares) X use / requests of a user"),
    ),
    checks=(
    ),
    limits=(
        "One node: plans over several nodes are not tried.",
        "Rent is on demand by the hour, the median of offers; contracts cost less. What owning "
        "costs is of operators of thousands of accelerators.",
        "Power is of the whole site at full load; quality by precision is not known here.",
    ),
)  # fmt: skip
