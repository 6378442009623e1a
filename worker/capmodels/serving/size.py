"""Which accelerators serve a load under limits of latency, and what they cost and draw."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from pydantic import Field

from capmodels.errors import ModelError
from capmodels.serving.accelerators import ACCELERATORS, Precision
from capmodels.serving.bands import Banded, Nearness, banded, factors_of, nearness_of
from capmodels.serving.batching import (
    at_rows,
    first_token_s,
    most_per_s,
    per_token_s,
    within_limits,
)
from capmodels.serving.capacity import Percentile
from capmodels.serving.choices import Lengths, ModelChoice, architecture_of, open_model
from capmodels.serving.deployed import EngineName, PositiveMs
from capmodels.serving.engine import Layout, roofline, served, stacked
from capmodels.serving.fitted import HOSTS, LATEST_YEARS, SOFTWARES
from capmodels.serving.memory_fit import (
    kv_bytes_per_token,
    kv_room_gb,
    most_requests,
    overhead_of,
)
from capmodels.serving.rents import RENT_USD_PER_H
from capmodels.spec import (
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    assumed,
    blank,
    default,
    derived_check,
    preset,
)
from capmodels.units import Count, CountFromOne, PowerKw, Real, UsdPerH, Whole, of_unit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.serving.accelerators import Accelerator
    from capmodels.serving.architectures import Architecture

_ROWS_MOST = 1024.0
_RANKS = (1, 2, 4, 8, 16)
_MS, _HOUR_S, _MILLION = 1e3, 3600.0, 1e6
TokensPerS = Annotated[Real, of_unit("tokens/s", ge=0)]
UsdPerMillion = Annotated[Real, of_unit("USD/M tokens", ge=0)]


class OwnRent(Params):
    """What an hour of an accelerator costs you."""

    accelerator: str = Field(
        description="Which of the list.", json_schema_extra={"enum": [*ACCELERATORS]}
    )
    usd_per_h: Annotated[Real, of_unit("USD/h", gt=0, le=1e4)] = Field(
        title="Price", description="Price of an hour of one."
    )


class SizeParams(Params):
    """A model, its users, the limits, and what accelerators cost."""

    model: ModelChoice = preset(open_model("Llama-3.1-70B"), "The language model.")
    precisions: tuple[Precision, ...] = assumed(
        ("fp8", "fp4"), "Precisions that the quality allows.", max_length=4, min_length=1
    )
    lengths: Lengths = preset(Lengths(), "Mean tokens of a request.")
    users_count: CountFromOne = assumed(2000, "Users at the busiest hour.")
    requests_per_user_h: Annotated[Real, of_unit("1/h", gt=0, le=1e5)] = assumed(
        12.0, "Requests of an active user in an hour.", title="Requests per user"
    )
    active_fraction: Annotated[Real, of_unit("fraction", gt=0, le=1)] = assumed(
        1.0, "Share of them who are active then.", title="Active"
    )
    ttft_ms: PositiveMs = default(
        450.0,
        "Time to the first token to keep.",
        source="MLPerf, llama2-70b Interactive",
        title="TTFT limit",
    )
    tpot_ms: PositiveMs = default(
        40.0,
        "Time per output token to keep.",
        source="MLPerf, llama2-70b Interactive",
        title="TPOT limit",
    )
    percentile_fraction: Percentile = assumed(0.99, "Percentile at which limits are kept.")
    use_fraction: Annotated[Real, of_unit("fraction", gt=0, le=1)] = assumed(
        0.7,
        "Planned use of what keeps the limits, for bursts.",
        title="Target use",
        low=0.5,
        high=0.9,
    )
    spares_count: Annotated[Whole, of_unit("count", ge=0, le=1000)] = assumed(
        1, "Replicas beyond what the load needs."
    )
    engine: EngineName = preset("vllm", "The serving engine.")
    kw_limit_kw: Annotated[Real, of_unit("kW", gt=0, le=1e7)] | None = blank(
        "Power of a site; asks how many users it serves.", title="Power"
    )
    rents: Annotated[tuple[OwnRent, ...], Field(max_length=60)] = preset(
        (), "Prices of your own; others are of the list."
    )


class SizedPlan(Result):
    """A way to serve the load."""

    accelerator: str
    precision: Precision
    tensor_count: Count
    data_count: Count
    replicas_count: Count
    accelerators_count: Count
    power_kw: PowerKw | None = Field(title="Facility power")
    usd_per_h: UsdPerH | None
    usd_per_m_output: UsdPerMillion | None
    ttft_ms: Banded
    tpot_ms: Banded
    replica_tokens_per_s: Banded
    replicas_low_count: Count = Field(title="Replicas, at best")
    replicas_high_count: Count = Field(title="Replicas, at worst")
    users_in_power_count: Count | None = Field(title="Users within the power")
    on_front: bool = Field(title="On the front")
    nearness: Nearness


class LeftOut(Result):
    """An accelerator that serves none of it, and why."""

    accelerator: str
    reason: str


class SizeResult(Result):
    """Plans by their cost, the best of each accelerator and precision, and what is left out."""

    requests_per_s: Annotated[Real, of_unit("1/s", ge=0)]
    output_tokens_per_s: TokensPerS
    plans: tuple[SizedPlan, ...]
    left_out: tuple[LeftOut, ...]
    plans_count: Count = Field(title="Plans tried")
    told: str = Field(title="Finding")


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


def _run(params: SizeParams, _context: Context) -> SizeResult:
    import numpy as np

    architecture = architecture_of(params.model)
    plans, kernels = _kernels(architecture, tuple(dict.fromkeys(params.precisions)))
    prompt, output = params.lengths.prompt_tokens, params.lengths.output_tokens
    load = params.users_count * params.active_fraction * params.requests_per_user_h / _HOUR_S
    if not plans:
        raise ModelError("No accelerator of the list has such a precision.")
    of = served(
        kernels, HOSTS[params.engine], software=SOFTWARES[params.engine], years=LATEST_YEARS
    )
    held = np.array([_held(architecture, plan, prompt, output) for plan in plans])
    fits = held >= 1.0
    most = np.maximum(held, 1.0)
    prompts, outputs = np.full(len(plans), prompt), np.full(len(plans), output)
    best = within_limits(
        of, prompts, outputs, most,
        ttft_s=params.ttft_ms / _MS, tpot_s=params.tpot_ms / _MS,
        percentile=params.percentile_fraction,
    )  # fmt: skip
    late = first_token_s(of, best, prompts, outputs, params.percentile_fraction)
    slow = per_token_s(best, params.percentile_fraction)
    keeps = fits & (best.decoded >= 0.5)
    order = _cheapest(params, plans, np.flatnonzero(keeps).tolist(), best.requests_per_s, load)
    sized = [
        _sized(
            params,
            architecture,
            plans[at],
            load=load,
            rate=float(best.requests_per_s[at]),
            ttft_s=float(late[at]),
            tpot_s=float(slow[at]),
        )
        for at in order
    ]
    front = _front(sorted(sized, key=_cost))
    left = _left_out(architecture, plans, fits, keeps, params)
    return SizeResult(
        requests_per_s=load,
        output_tokens_per_s=load * output,
        plans=tuple(front),
        left_out=tuple(left),
        plans_count=len(plans),
        told=_told(front, architecture),
    )


def _sized(
    params: SizeParams,
    architecture: Architecture,
    plan: _Plan,
    *,
    load: float,
    rate: float,
    ttft_s: float,
    tpot_s: float,
) -> SizedPlan:
    near = nearness_of(architecture, plan.accelerator, plan.layout)
    speed = banded(rate, factors_of(near, architecture, "rate"))
    tpot = banded(tpot_s * _MS, factors_of(near, architecture, "tpot"))
    ttft = banded(ttft_s * _MS, factors_of(near, architecture, "ttft"))

    count, each = _replicas(params, load, rate), plan.layout.accelerators
    accelerators = count * each
    kw = facility_kw(plan.accelerator)
    own = {one.accelerator: one.usd_per_h for one in params.rents}
    price = own.get(plan.accelerator.name, RENT_USD_PER_H.get(plan.accelerator.name))
    usd = None if price is None else price * accelerators
    output = params.lengths.output_tokens
    users = None
    if params.kw_limit_kw is not None and kw is not None:
        held = math.floor(params.kw_limit_kw / (kw * each)) - params.spares_count
        served_per_s = max(0, held) * rate * params.use_fraction
        users = math.floor(
            served_per_s * _HOUR_S / (params.requests_per_user_h * params.active_fraction)
        )
    return SizedPlan(
        accelerator=plan.accelerator.name,
        precision=plan.precision,
        tensor_count=plan.layout.tensor,
        data_count=plan.layout.data,
        replicas_count=count,
        accelerators_count=accelerators,
        power_kw=None if kw is None else kw * accelerators,
        usd_per_h=usd,
        usd_per_m_output=None if usd is None else usd * _MILLION / (load * output * _HOUR_S),
        ttft_ms=ttft,
        tpot_ms=tpot,
        replica_tokens_per_s=banded(speed.value * output, factors_of(near, architecture, "rate")),
        replicas_low_count=_replicas(params, load, speed.high),
        replicas_high_count=_replicas(params, load, speed.low),
        users_in_power_count=users,
        on_front=False,
        nearness=near,
    )


def _cost(plan: SizedPlan) -> tuple[float, float]:
    """By cost, those of unknown price last, by their power."""
    usd = math.inf if plan.usd_per_h is None else plan.usd_per_h
    return usd, math.inf if plan.power_kw is None else plan.power_kw


def _cheapest(
    params: SizeParams, plans: Sequence[_Plan], places: Sequence[int], rates: Any, load: float
) -> list[int]:
    """The division of fewest accelerators of each accelerator and precision."""
    best: dict[tuple[str, str], tuple[int, int]] = {}
    for at in places:
        plan = plans[at]
        count = _replicas(params, load, float(rates[at])) * plan.layout.accelerators
        key = (plan.accelerator.name, plan.precision)
        if key not in best or count < best[key][0]:
            best[key] = (count, at)
    return [at for _, at in best.values()]


def _replicas(params: SizeParams, load: float, rate: float) -> int:
    """Replicas for a load, with spares."""
    return math.ceil(load / (rate * params.use_fraction) - 1e-9) + params.spares_count


def _front(plans: list[SizedPlan]) -> list[SizedPlan]:
    """Mark plans that no other beats in cost, power and time per token at once."""

    def beaten(one: SizedPlan) -> bool:
        mine = (*_cost(one), one.tpot_ms.value)
        return any(
            other is not one
            and all(theirs <= own for theirs, own in zip(_all(other), mine, strict=True))
            and _all(other) != mine
            for other in plans
        )

    return [one.model_copy(update={"on_front": not beaten(one)}) for one in plans]


def _all(plan: SizedPlan) -> tuple[float, float, float]:
    return (*_cost(plan), plan.tpot_ms.value)


def _left_out(
    architecture: Architecture,
    plans: Sequence[_Plan],
    fits: Any,
    keeps: Any,
    params: SizeParams,
) -> list[LeftOut]:
    """Say of each accelerator without a plan why it has none."""
    out = []
    for name, accelerator in ACCELERATORS.items():
        places = [at for at, plan in enumerate(plans) if plan.accelerator.name == name]
        if any(keeps[at] for at in places):
            continue
        if not accelerator.speed_known:
            reason = "How fast it serves is unknown: no measurement of its kind is here."
        elif places and any(fits[at] for at in places):
            reason = "Too slow: the model fits, but not one request keeps the limits."
        else:
            reason = _beyond(architecture, accelerator, params)
        out.append(LeftOut(accelerator=name, reason=reason))
    return out


def _beyond(architecture: Architecture, accelerator: Accelerator, params: SizeParams) -> str:
    """Say how many would hold the model, and how slow they would be; at 16 bits without FP8."""
    usable = [one for one in params.precisions if _supports(accelerator, one)]
    listed = " or ".join(one.upper() for one in params.precisions)
    without = "" if usable else f"It does not multiply at {listed}. "
    precision: Precision = usable[-1] if usable else "bf16"
    count = 1
    prompt, output = params.lengths.prompt_tokens, params.lengths.output_tokens
    while count < 1024:
        plan = _Plan(accelerator, precision, Layout(tensor=count))
        if _held(architecture, plan, prompt, output) >= 1.0:
            break
        count += 1 if count < 16 else 16
    of = served(
        roofline(architecture, accelerator, precision, Layout(tensor=count),
                 kv_bytes=_kv_bytes(precision)),
        HOSTS[params.engine], software=SOFTWARES[params.engine], years=LATEST_YEARS,
    )  # fmt: skip
    rows = min(16.0, _held(architecture, plan, prompt, output))
    slow = float(at_rows(of, rows, prompt, output).tpot_s) * _MS
    joined = accelerator.domain_count
    fit = f"At {precision.upper()} the model needs {count} of them" + (
        f", and its links join {joined}" if count > joined else ""
    )
    late = f"; then a token takes {slow:.0f} ms with {rows:.0f} requests"
    return f"{without}{fit}{late}" + (", too slow." if slow > params.tpot_ms else ".")


def _told(plans: Sequence[SizedPlan], architecture: Architecture) -> str:
    priced = [plan for plan in plans if plan.usd_per_h is not None]
    if not priced:
        return f"No accelerator with a price serves {architecture.name} within these limits."
    best = priced[0]
    return (
        f"{best.accelerators_count} x {best.accelerator} at {best.precision.upper()} in "
        f"{best.replicas_count} replicas serve it at least cost: ${best.usd_per_h:,.0f} per hour "
        f"rented ({best.replicas_low_count} to {best.replicas_high_count} replicas by the error "
        "band of their speed)."
    )


def _t4_against_h200() -> float:
    """Output of Llama-3.1-8B per T4 at 16 bits over that per H200 at FP8, without limits.

    Requests are as OpenOrca's, of the mean lengths that MLPerf has of them.
    """
    shape = architecture_of(open_model("Llama-3.1-8B"))
    rates = []
    for name, precision, kv_bytes in (
        ("NVIDIA T4", "bf16", 2.0),
        ("NVIDIA H200 SXM", "fp8", 1.0),
    ):
        best = 0.0
        for count in (1, 2, 4, 8):
            plan = _Plan(ACCELERATORS[name], precision, Layout(tensor=count))  # type: ignore[arg-type]  # precision is one of the accelerator's
            held = _held(shape, plan, 230.0, 294.0)
            if held < 1.0:
                continue
            kernels = roofline(
                shape, plan.accelerator, plan.precision, plan.layout, kv_bytes=kv_bytes
            )
            of = served(kernels, HOSTS["vllm"], years=LATEST_YEARS)
            rate = most_per_s(of, 230.0, 294.0, held).requests_per_s
            best = max(best, rate / count)
        rates.append(best)
    return rates[0] / rates[1]


SPEC = ModelSpec(
    id="serving.size",
    version="1.0.0",
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
        Formula("cost", "$/M output = 10^6 $/h / (3600 lambda O)", "definition"),
    ),
    checks=(
        derived_check(
            "Q5", "A T4 gives less than a tenth of an H200's output of Llama-3.1-8B", True,
            lambda: _t4_against_h200() < 0.1,
            source="its memory bandwidth is a fifteenth, its rate a thirtieth",
            note="A thirty-first, with requests as OpenOrca's.",
        ),
    ),
    limits=(
        "One node: plans over several nodes are not tried.",
        "Prices are on demand by the hour, the median of offers; contracts cost less.",
        "Power is of the whole site at full load; quality by precision is not known here.",
    ),
)  # fmt: skip
