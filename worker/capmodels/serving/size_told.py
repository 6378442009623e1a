"""What sizing for a language model says: its sentence, accelerators beside each other, curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from capmodels.numbers import counted, missing, money, percent, quantity, significant, span
from capmodels.serving.api_prices import API_PRICES_SOURCE
from capmodels.serving.bands import NEARNESS_SAID
from capmodels.serving.rents import OWNED_SOURCE
from capmodels.serving.size_params import BudgetAsked, PowerAsked, RacksAsked, RateAsked, UsersAsked
from capmodels.told import Axis, Figure, Series, Table, TableRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.serving.architectures import Architecture
    from capmodels.serving.bands import Banded, Nearness
    from capmodels.serving.size_params import (
        ApiCost,
        Calibrated,
        LeftOut,
        SizedPlan,
        SizeParams,
        Verdict,
    )

_VERDICTS: dict[Verdict, str] = {
    "no_precision": "no such precision",
    "does_not_fit": "does not fit",
    "too_slow": "too slow",
    "unknown": "speed unknown",
    "no_price": "no price",
    "too_little": "too little room",
}
_NEARNESS: dict[Nearness, str] = {
    "measured": "measured",
    "calibrated": "calibrated",
    "interpolated": "interpolated",
    "extrapolated": "extrapolated",
}


class Curve(NamedTuple):
    """A plan's output per accelerator [tokens/s] against its TTFT and TPOT [ms]."""

    plan: SizedPlan
    output: tuple[float, ...]
    ttft: tuple[float, ...]
    tpot: tuple[float, ...]


def _users(count: float) -> str:
    return counted(count, "user") if count < 1e6 else f"{_about(count)} users"


def _about(count: float) -> str:
    """A number of three digits: 677,000, 5.46 million."""
    if count < 1e6:
        return f"{float(f'{count:.3g}'):,.0f}"
    return f"{significant(count / 1e6)} million"


def _named(plan: SizedPlan) -> str:
    return f"{plan.accelerator} at {plan.precision.upper()}"


def _fleet(plan: SizedPlan) -> str:
    return f"{plan.accelerators_count:,} × {_named(plan)}"


def _known(plans: Sequence[SizedPlan]) -> list[SizedPlan]:
    """Those whose kind was measured; all where there are none."""
    return [one for one in plans if one.nearness != "extrapolated"] or [*plans]


def best_of(params: SizeParams, plans: Sequence[SizedPlan]) -> SizedPlan | None:
    """The plan to recommend: the first with a price whose kind was measured, else the first."""
    known = _known(plans)
    if isinstance(params.question, PowerAsked | RacksAsked):
        return known[0] if known else None
    priced = [one for one in known if one.usd_per_h is not None]
    return next(iter([*priced, *known]), None)


def _asked(params: SizeParams) -> str:
    question = params.question
    if isinstance(question, UsersAsked):
        return _users(question.users_count)
    if isinstance(question, RateAsked):
        return f"{quantity(question.requests_per_s, '1/s')} requests"
    if isinstance(question, PowerAsked):
        return quantity(question.power_kw * 1e3, "W")
    if isinstance(question, RacksAsked):
        rack = quantity(question.rack_kw * 1e3, "W")
        return f"{counted(question.racks_count, 'rack')} of {rack}"
    return f"{money(question.usd_per_month)} a month"


def headline(
    params: SizeParams,
    architecture: Architecture,
    plans: Sequence[SizedPlan],
    api: ApiCost | None,
) -> str:
    """What to take, for how much, and what an API would cost; or how many are served."""
    best = best_of(params, plans)
    limits = f"{params.ttft_ms:,.0f} ms and {params.tpot_ms:,.0f} ms"
    if best is None:
        return (
            f"**No accelerator of the list serves {architecture.name}** within {limits}: see why "
            "not, one by one, below."
        )
    if isinstance(params.question, PowerAsked | RacksAsked | BudgetAsked):
        verb = "serves" if isinstance(params.question, PowerAsked | BudgetAsked) else "serve"
        return (
            f"**{_asked(params)} {verb} {_about(best.users_count)} users** of {architecture.name} "
            f"within {limits}, with {_fleet(best)}: {_about(best.users_low_count)} to "
            f"{_about(best.users_high_count)} by the error band, "
            f"{_about(best.output_tokens_per_s.value)} tokens/s."
        )
    what = f"{_asked(params)} of {architecture.name}"
    serve = "serves" if best.accelerators_count == 1 else "serve"
    rented = best.usd_per_m_output
    if best.usd_per_h is None or rented is None:
        return f"**{_fleet(best)}** {serve} {what}; no offer of it is known."
    fleet = f"{serve} {what} at least rent: {money(best.usd_per_h)} an hour"
    per = f"{money(rented)} per million output tokens"
    if api is None:
        return f"**{_fleet(best)}** {fleet}, {per}."
    asks = api.usd_per_m_output.value
    if asks < rented:
        even = params.mean_fraction * rented / asks
        from_even = (
            f"; from a mean load of {percent(even)} of the busiest hour renting costs less"
            if even < 1
            else ""
        )
        return (
            f"**An API costs less than renting** for {what}: {money(asks)} per million output "
            f"tokens against {money(rented)} with {_fleet(best)} ({money(best.usd_per_h)} an "
            f"hour){from_even}."
        )
    return (
        f"**{_fleet(best)}** {fleet}, {per}; an API asks {money(asks)}, "
        f"{percent(asks / rented - 1)} more."
    )


def notes(
    params: SizeParams,
    plans: Sequence[SizedPlan],
    api: ApiCost | None,
    calibrated: Sequence[Calibrated],
) -> tuple[str, ...]:
    """How sure the answer is, what it counts, and what an unmeasured kind might do."""
    best = best_of(params, plans)
    if best is None:
        return ()
    said = [NEARNESS_SAID[best.nearness]]
    said += [
        f"{one.accelerator} at {one.precision.upper()} takes {significant(one.slower_ratio)} times "
        "as long per token as was predicted, by what you measured: its figures are set to that."
        for one in calibrated
    ]
    if best.replicas_low_count != best.replicas_high_count:
        low, high = best.replicas_low_count, best.replicas_high_count
        said.append(f"By its error band {low:,} to {high:,} replicas.")
    first = plans[0]
    if first is not best and first.nearness == "extrapolated":
        more = (
            f"serve {_users(first.users_count)}"
            if isinstance(params.question, PowerAsked | RacksAsked | BudgetAsked)
            else "cost less"
        )
        said.append(f"{_fleet(first)} may {more}, but nothing of its kind was measured.")
    if owned := best.owned_usd_per_m_output:
        said.append(
            f"Owned by an operator of thousands, all in: {span(owned.low, owned.high, 'USD')} per "
            f"million output tokens ({OWNED_SOURCE})."
        )
    said.append(
        f"Costs per token are at a mean load of {percent(params.mean_fraction)} of the busiest "
        "hour."
    )
    if api is not None:
        said.append(
            f"APIs: median of {counted(api.providers_count, 'provider')}, with the prompt's tokens "
            f"({API_PRICES_SOURCE})."
        )
    return tuple(said)


def tables(
    params: SizeParams,
    plans: Sequence[SizedPlan],
    left: Sequence[LeftOut],
    api: ApiCost | None,
) -> tuple[Table, ...]:
    """Fleets and an API beside each other, and what serves nothing and why."""
    found = []
    if plans:
        found += [_costs_of(params, plans, api), _times_of(params, plans)]
    if left:
        found.append(
            Table(
                title="Accelerators that do not serve it",
                columns=(
                    "Accelerator",
                    "Why not",
                    "Tried at",
                    "Needed",
                    "Joined by links",
                    "TTFT alone",
                    "TPOT alone",
                ),
                means=(
                    None,
                    None,
                    "The precision.",
                    "Those whose memory holds the model.",
                    None,
                    "Of one request without any other.",
                    "Of one request without any other.",
                ),
                rows=tuple(
                    TableRow(head=one.accelerator, cells=_why(one), means=one.reason)
                    for one in left
                ),
            )
        )
    return tuple(found)


def verdict_words(verdicts: Sequence[Verdict]) -> str:
    """What is wrong with an accelerator, in a few words: does not fit, too slow."""
    return ", ".join(_VERDICTS[each] for each in verdicts)


def _why(one: LeftOut) -> tuple[str, ...]:
    alone = one.alone
    return (
        verdict_words(one.verdicts).capitalize(),
        *(
            [missing()] * 5
            if alone is None
            else [
                alone.precision.upper(),
                f"{alone.needed_count:,}",
                f"{alone.joined_count:,}",
                quantity(alone.ttft_ms, "ms"),
                quantity(alone.tpot_ms, "ms"),
            ]
        ),
    )


def _percentile(params: SizeParams) -> str:
    return f"p{params.percentile_fraction * 100:g}"


def _row(one: SizedPlan, cells: tuple[str, ...], best: SizedPlan | None) -> TableRow:
    means = NEARNESS_SAID[one.nearness]
    return TableRow(head=_named(one), cells=cells, means=means, is_best=one is best)


def _costs_of(params: SizeParams, plans: Sequence[SizedPlan], api: ApiCost | None) -> Table:
    """Fleets by what they cost, beside an API."""
    best = best_of(params, plans)
    rows = [_row(one, _cost_cells(one), best) for one in plans]
    if api is not None:
        rows.append(
            TableRow(
                head="API per token",
                cells=(_band(api.usd_per_m_output, "USD"), *[missing()] * 4, "offers", missing()),
                means=f"Quartiles of {counted(api.providers_count, 'provider')}; how fast they "
                "are is not known here.",
            )
        )
    return Table(
        title="Accelerators that serve it",
        columns=(
            "Accelerator", "Paid, $/M", "Owned, $/M", "GPUs", "Power", "Tokens/J", "Basis", "Users",
        ),
        means=(
            None,
            "Per million output tokens with their prompts: rented on demand by the hour, or an "
            "API's price.",
            f"Likewise, all in, of an operator of thousands: {OWNED_SOURCE}.",
            None,
            "Of the site at full load, with cooling and losses.",
            "Output per joule of the site.",
            "How near to measurements the answer is.",
            "At the busiest hour.",
        ),
        rows=tuple(rows),
    )  # fmt: skip


def _cost_cells(one: SizedPlan) -> tuple[str, ...]:
    owned, is_given = one.owned_usd_per_m_output, one.users_low_count == one.users_high_count
    return (
        money(one.usd_per_m_output),
        missing() if owned is None else span(owned.low, owned.high, "USD"),
        f"{one.accelerators_count:,}",
        missing() if one.power_kw is None else quantity(one.power_kw * 1e3, "W"),
        missing() if one.tokens_per_j is None else significant(one.tokens_per_j),
        _NEARNESS[one.nearness],
        f"{one.users_count:,}" if is_given else _about(one.users_count),
    )


def _times_of(params: SizeParams, plans: Sequence[SizedPlan]) -> Table:
    """Fleets by how fast they are, and what a replica is."""
    late, best = _percentile(params), best_of(params, plans)
    return Table(
        title="Times and replicas",
        columns=(
            "Accelerator", "TTFT p50", f"TTFT {late}", "TPOT p50", f"TPOT {late}", "Replicas",
            "GPUs of a replica",
        ),
        means=(
            None,
            "Time to the first token, at the planned load.",
            f"{params.ttft_ms:,.0f} ms at most; in brackets the error band.",
            "Time per output token, at the planned load.",
            f"{params.tpot_ms:,.0f} ms at most; in brackets the error band.",
            "With spares; in brackets by the error band.",
            "Those that divide a replica.",
        ),
        rows=tuple(_row(one, _time_cells(one), best) for one in plans),
    )  # fmt: skip


def _time_cells(one: SizedPlan) -> tuple[str, ...]:
    replicas = (
        f"{one.replicas_count:,}"
        if one.replicas_low_count == one.replicas_high_count
        else f"{one.replicas_count:,} ({one.replicas_low_count:,} to {one.replicas_high_count:,})"
    )
    return (
        quantity(one.ttft_p50_ms.value, "ms"),
        _band(one.ttft_at_percentile_ms, "ms"),
        quantity(one.tpot_p50_ms.value, "ms"),
        _band(one.tpot_at_percentile_ms, "ms"),
        replicas,
        f"{one.tensor_count * one.data_count}",
    )


def _band(band: Banded, unit: str) -> str:
    return f"{quantity(band.value, unit)} ({span(band.low, band.high, unit)})"


def figures(
    params: SizeParams,
    plans: Sequence[SizedPlan],
    curves: Sequence[Curve],
    api: ApiCost | None,
) -> tuple[Figure, ...]:
    """Cost against time per token, and output against both times with their limits."""
    drawn = [one for one in (_costs(params, plans, api), *_curves(params, curves)) if one]
    return tuple(drawn)


def _costs(params: SizeParams, plans: Sequence[SizedPlan], api: ApiCost | None) -> Figure | None:
    priced = [one for one in plans if one.usd_per_m_output is not None]
    best = best_of(params, priced)
    if best is None or len(priced) < 2:
        return None
    by_basis = {
        said: [one for one in priced if one.nearness == near] for near, said in _NEARNESS.items()
    }
    asks = "" if api is None else f" An API asks {money(api.usd_per_m_output.value)}."
    return Figure(
        kind="points",
        name="Cost and time per token",
        title=f"{_named(best)} costs least of what is rented: "
        f"{money(best.usd_per_m_output)} per million output tokens",
        across=Axis(title=f"TPOT {_percentile(params)} at the planned load", unit="ms"),
        along=Axis(title="Rented", unit="USD/M tokens", is_log=True),
        series=tuple(
            Series(
                name=said.capitalize(),
                at=tuple(one.tpot_at_percentile_ms.value for one in those),
                values=tuple(one.usd_per_m_output for one in those),
                names=tuple(_named(one) for one in those),
            )
            for said, those in by_basis.items()
            if those
        ),
        best=_named(best),
        note=f"The limit is {params.tpot_ms:,.0f} ms.{asks}",
    )


def _curves(params: SizeParams, curves: Sequence[Curve]) -> list[Figure]:
    shown = [curve for curve in curves if len(curve.output) > 1]
    if not shown:
        return []
    late = _percentile(params)

    def drawn(what: str, limit: float, times: Sequence[tuple[float, ...]]) -> Figure:
        most = max(
            (value, _named(curve.plan))
            for curve, line in zip(shown, times, strict=True)
            for value, time in zip(curve.output, line, strict=True)
            if time <= limit or value == curve.output[0]
        )
        return Figure(
            kind="lines",
            name=f"Output and {what}",
            title=f"{most[1]} gives most within {limit:,.0f} ms of {what}: "
            f"{quantity(most[0], 'tokens/s')} a GPU",
            across=Axis(title=f"{what} {late}", unit="ms"),
            along=Axis(title="Output of a GPU", unit="tokens/s"),
            series=tuple(
                Series(name=_named(curve.plan), at=line, values=curve.output)
                for curve, line in zip(shown, times, strict=True)
            ),
            marks=(limit,),
            note=f"The line is the limit of {limit:,.0f} ms.",
        )

    return [
        drawn("TPOT", params.tpot_ms, [curve.tpot for curve in shown]),
        drawn("TTFT", params.ttft_ms, [curve.ttft for curve in shown]),
    ]
