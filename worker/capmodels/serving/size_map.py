"""Which accelerator serves at least rent, over loads, lengths of prompts and sizes of models."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from capmodels.errors import ModelError
from capmodels.numbers import counted, money, significant
from capmodels.serving.choices import OpenModel
from capmodels.serving.open_models import OPEN_MODELS
from capmodels.serving.size import rented_replicas
from capmodels.serving.size_params import SizeParams
from capmodels.spec import Citation, Context, Formula, ModelSpec
from capmodels.told import Axis, Dot, Figure, Series, Told, column
from capmodels.units import SECONDS_PER_HOUR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.serving.size import Rented

# Half decades of requests, doublings of prompts, and open models, a size each.
RATES_PER_S = tuple(10.0 ** (power / 2) for power in range(-2, 7))
PROMPT_TOKENS = tuple(128.0 * 2.0**at for at in range(10))
MODELS = (
    "Llama-3.2-1B", "Llama-3.2-3B", "Llama-3.1-8B", "Qwen3-32B", "Llama-3.1-70B", "gpt-oss-120b",
    "Qwen3-235B-A22B", "Qwen3.5-397B-A17B", "DeepSeek-R1",
)  # fmt: skip
NONE = "None within the limits"
_NAMED_CELLS = 4


class Cheapest(NamedTuple):
    """The fleet of least rent for a load."""

    name: str
    accelerators: int
    usd_per_h: float


def cheapest(replicas: Sequence[Rented], per_s: float, spares: int) -> Cheapest | None:
    """Return the fleet that serves requests at least rent; None where there is no replica."""

    def fleet(one: Rented) -> Cheapest:
        count = math.ceil(per_s / one.requests_per_s - 1e-9) + spares
        name = f"{one.accelerator} at {one.precision.upper()}"
        return Cheapest(name, count * one.accelerators, count * one.usd_per_h)

    return min(map(fleet, replicas), key=lambda one: one.usd_per_h, default=None)


def _replicas(params: SizeParams) -> list[Rented]:
    try:
        return rented_replicas(params)
    except ModelError:
        return []


def _run(params: SizeParams, _context: Context) -> Told:
    by_prompt = [
        _replicas(
            params.model_copy(
                update={"lengths": params.lengths.model_copy(update={"prompt_tokens": prompt})}
            )
        )
        for prompt in PROMPT_TOKENS
    ]
    by_model = [
        _replicas(params.model_copy(update={"model": OpenModel(name=name)})) for name in MODELS
    ]
    per_user = params.active_fraction * params.requests_per_user_h / SECONDS_PER_HOUR
    users = tuple(rate / per_user for rate in RATES_PER_S)
    first = _map(
        "Cheapest accelerator by rate and prompt", params, by_prompt,
        _log_axis("Requests per second", "1/s", RATES_PER_S),
        _log_axis("Prompt", "tokens", PROMPT_TOKENS), RATES_PER_S, PROMPT_TOKENS,
        [f"{tokens:,.0f} tokens" for tokens in PROMPT_TOKENS],
    )  # fmt: skip
    # Rows of one height on the logarithmic axis that cells have, each said by its parameters.
    levels = tuple(2.0**at for at in range(len(MODELS)))
    parameters = tuple(f"{OPEN_MODELS[name].weights / 1e9:.0f}B" for name in MODELS)
    sizes = Axis(
        title="Parameters of the model", unit="", from_zero=False, ticks=levels,
        ticks_said=parameters,
    )  # fmt: skip
    second = _map(
        "Cheapest accelerator by users and model", params, by_model,
        _log_axis("Users", "count", users), sizes, users, levels, list(MODELS),
    )  # fmt: skip
    return Told(
        headline=f"**{first.title}**, and by users and model: {second.title[0].lower()}"
        f"{second.title[1:]}.",
        notes=(
            "Rented on demand, of kinds that were measured; spares and the limits are as entered.",
        ),
        figures=(first, second),
    )


def _log_axis(title: str, unit: str, values: Sequence[float]) -> Axis:
    ticks = tuple(values[:: 2 if len(values) > 6 else 1])
    return Axis(
        title=title, unit=unit, is_log=True, from_zero=False, ticks=ticks,
        ticks_said=tuple(_said(one) for one in ticks),
    )  # fmt: skip


def _said(value: float) -> str:
    return f"{float(f'{value:.2g}'):,.0f}" if value >= 10 else significant(value, 2)


def _map(
    name: str,
    params: SizeParams,
    rows: Sequence[Sequence[Rented]],
    across: Axis,
    along: Axis,
    at: Sequence[float],
    levels: Sequence[float],
    row_names: Sequence[str],
) -> Figure:
    """Regions of the cheapest accelerator: loads across, a row for each prompt or model."""
    cells = [[cheapest(row, rate, params.spares_count) for rate in RATES_PER_S] for row in rows]
    names = [[NONE if one is None else one.name for one in row] for row in cells]
    kinds = list(dict.fromkeys(one for row in names for one in row))
    found = [one for one in kinds if one != NONE]
    title = (
        f"{found[0]} costs least everywhere on this map"
        if len(found) == 1
        else f"{counted(len(found), 'kind')} of accelerator and precision cost least somewhere"
        if found
        else "No accelerator with a price keeps the limits"
    )
    return Figure(
        kind="regions",
        name=name,
        title=title,
        across=across,
        along=along,
        levels=tuple(levels),
        kinds=tuple(kinds),
        series=tuple(
            Series(
                name=row_names[place],
                at=tuple(at),
                values=tuple(float(kinds.index(one)) for one in names[place]),
                names=tuple(map(_said, at)) if place == 0 else (),
                texts=tuple(_text(one) for one in row),
            )
            for place, row in enumerate(cells)
        ),
        dots=tuple(_dots(names, kinds, at, levels)),
        note=f"Within {params.ttft_ms:,.0f} ms and {params.tpot_ms:,.0f} ms, with "
        f"{counted(params.spares_count, 'spare replica')}.",
        twin=(
            column("Row", (row for row in row_names for _ in at)),
            column(across.title, (one for _ in rows for one in at), across.unit),
            column("Accelerator", (one for row in names for one in row)),
            column("GPUs", (one and one.accelerators for row in cells for one in row), "count"),
            column("Rent", (one and one.usd_per_h for row in cells for one in row), "USD/h"),
        ),
    )


def _text(one: Cheapest | None) -> str:
    if one is None:
        return NONE
    return f"{one.accelerators:,} × {one.name}, {money(one.usd_per_h)} an hour"


def _dots(
    names: Sequence[Sequence[str]],
    kinds: Sequence[str],
    at: Sequence[float],
    levels: Sequence[float],
) -> list[Dot]:
    """Names of regions, in the cell nearest to the middle of those that have room for one."""
    dots = []
    for kind in kinds:
        own = [(y, x) for y, row in enumerate(names) for x, one in enumerate(row) if one == kind]
        if len(own) < _NAMED_CELLS:
            continue
        mean_y, mean_x = (sum(part) / len(own) for part in zip(*own, strict=True))
        _, y, x = min((math.dist((y, x), (mean_y, mean_x)), y, x) for y, x in own)
        dots.append(Dot(role="", at=at[x], value=levels[y], text=kind))
    return dots


SPEC = ModelSpec(
    id="serving.size_map",
    version="1.0.0",
    title="Map of accelerators",
    summary="Which accelerator serves at least rent, over the rate of requests and the length of "
    "prompts, and over users and the size of the model.",
    params=SizeParams,
    result=Told,
    run=_run,
    points=lambda params: 800 * len(params.precisions),
    citations=(
        Citation(
            text="D. Andersen et al., FAWN, SOSP 2009, figure 11: nodes by data set and query rate",
            url="https://doi.org/10.1145/1629575.1629577",
        ),
    ),
    formulas=(
        Formula(
            "rent",
            "rent = (ceil(lambda / (X use)) + spares) $/h of a replica",
            "serving.size; the least of all replicas that keep the limits",
        ),
    ),
    checks=(
    ),
    limits=(
        "By rent on demand, at the median of offers; what owning or an API costs is not on it.",
        "What is not calibrated is off as serving.size is: regions blur at their borders.",
    ),
)  # fmt: skip
