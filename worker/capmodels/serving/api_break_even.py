"""From which use on a replica of one's own costs less than an API per token."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from capmodels.equations import equation
from capmodels.spec import (
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    assumed,
    default,
    derived_check,
    one_point,
)
from capmodels.units import Fraction, Ratio, Real, UsdPerH, of_unit

UsdPerMillion = Annotated[Real, of_unit("USD/M tokens", ge=0)]
TokensPerS = Annotated[Real, of_unit("tokens/s", gt=0, le=1e9)]
_MILLION = 1e6
_SECONDS = 3600.0


@equation("serving.api_break_even")
def usd_per_m_output(usd_per_h: float, output_tokens_per_s: float, use_fraction: float) -> float:
    """Cost of a million output tokens of a replica that is paid by the hour. [USD]

    Definition: USD an hour over tokens in an hour of use, times a million.

    >>> round(usd_per_m_output(6.99, 6920.0, 1.0), 4)
    0.2806
    """
    return _MILLION * usd_per_h / (_SECONDS * output_tokens_per_s * use_fraction)


def api_usd_per_m_output(
    input_usd_per_m: float,
    output_usd_per_m: float,
    prompt_per_output: float,
    cached_usd_per_m: float = 0.0,
    cached_fraction: float = 0.0,
) -> float:
    """What an API asks for a million output tokens with their prompts. [USD]

    >>> api_usd_per_m_output(0.5, 0.7, 2.0, cached_usd_per_m=0.25, cached_fraction=0.5)
    1.45
    """
    prompt = (1 - cached_fraction) * input_usd_per_m + cached_fraction * cached_usd_per_m
    return output_usd_per_m + prompt_per_output * prompt


class ApiBreakEvenParams(Params):
    """A replica, its price and speed, and an API's prices."""

    usd_per_h: Annotated[Real, of_unit("USD/h", gt=0, le=1e6)] = default(
        6.99,
        "Price of an hour of the replica, all its accelerators.",
        source="Lambda, one B200 on demand",
        as_of="2026-09-25",
        title="Replica",
    )
    output_tokens_per_s: TokensPerS = default(
        6920.0,
        "Output that it serves under its limits.",
        source="TensorRT-LLM 1.0 table: Llama-3.3-70B FP4, one B200, 1000/1000",
        as_of="2025-09",
        title="Output",
    )
    prompt_per_output_ratio: Annotated[Real, of_unit("ratio", ge=0, le=1e5)] = assumed(
        1.0, "Prompt tokens for each output token."
    )
    cached_fraction: Fraction = assumed(
        0.0, "Share of the prompt tokens that the API charges as cached.", title="Cached"
    )
    use_fraction: Annotated[Real, of_unit("fraction", gt=0, le=1)] = assumed(
        0.4, "Mean use over all hours of what it can serve.", title="Use", low=0.1, high=0.8
    )
    api_input_usd_per_m: UsdPerMillion = default(
        0.5,
        "The API's price of a million prompt tokens.",
        source="Llama-3.3-70B, quartiles of providers 0.22 to 0.74",
        as_of="2026-11-28",
        low=0.22,
        high=0.74,
    )
    api_cached_usd_per_m: UsdPerMillion = default(
        0.25,
        "The API's price of a million cached prompt tokens.",
        source="half of the input price",
        quality="assumed",
    )
    api_output_usd_per_m: UsdPerMillion = default(
        0.7,
        "The API's price of a million output tokens.",
        source="Llama-3.3-70B, quartiles of providers 0.40 to 0.90",
        as_of="2026-11-28",
        low=0.40,
        high=0.90,
    )


class ApiBreakEvenResult(Result):
    """Both costs of a million output tokens with their prompts, and where they meet."""

    own_usd_per_m_output: UsdPerMillion
    own_usd_per_m_output_in_full_use: UsdPerMillion
    api_usd_per_m_output: UsdPerMillion
    break_even_use_fraction: Ratio | None
    break_even_output_tokens_per_s: Annotated[Real, of_unit("tokens/s", ge=0)] | None
    own_usd_per_h: UsdPerH
    api_usd_per_h: UsdPerH
    told: str = Field(title="Finding")


def _run(params: ApiBreakEvenParams, _context: Context) -> ApiBreakEvenResult:
    api = api_usd_per_m_output(
        params.api_input_usd_per_m,
        params.api_output_usd_per_m,
        params.prompt_per_output_ratio,
        params.api_cached_usd_per_m,
        params.cached_fraction,
    )
    speed = params.output_tokens_per_s
    full = usd_per_m_output(params.usd_per_h, speed, 1.0)
    own = usd_per_m_output(params.usd_per_h, speed, params.use_fraction)
    even = full / api if api > 0 else None
    return ApiBreakEvenResult(
        own_usd_per_m_output=own,
        own_usd_per_m_output_in_full_use=full,
        api_usd_per_m_output=api,
        break_even_use_fraction=even,
        break_even_output_tokens_per_s=None if even is None else even * speed,
        own_usd_per_h=params.usd_per_h,
        api_usd_per_h=api * speed * params.use_fraction * _SECONDS / _MILLION,
        told=_told(even, params.use_fraction),
    )


def _told(even: float | None, use: float) -> str:
    if even is None or even > 1:
        return "The API costs less at any use of the replica."
    side = "less" if use > even else "more"
    return (
        f"The replica costs less than the API from {100 * even:.0f}% use on; "
        f"at {100 * use:.0f}% it costs {side}."
    )


SPEC = ModelSpec(
    id="serving.api_break_even",
    version="1.0.0",
    title="Own replica or API per token",
    summary="What a million output tokens cost of a replica that is paid by the hour and of an "
    "API that is paid by the token, and from which use on the replica costs less.",
    params=ApiBreakEvenParams,
    result=ApiBreakEvenResult,
    run=_run,
    points=one_point,
    citations=(Citation(text="Prices of providers, collected by litellm 1.110.2, 2026-11-28"),),
    formulas=(
        Formula("own", "own = 10^6 price / (3600 X O use)", "definition"),
        Formula("api", "API = output + prompt per output (input or cached)", "definition"),
        Formula("even", "break-even use = own in full use / API", "derived"),
    ),
    checks=(
        derived_check(
            "C1",
            "A million output tokens at $6.99 per hour and 6,920 tokens/s",
            0.2806,
            lambda: usd_per_m_output(6.99, 6920.0, 1.0),
            source="division",
            tolerance=0.00028,
            unit="USD/M tokens",
            tests="serving.api_break_even.usd_per_m_output",
        ),
        derived_check(
            "C2",
            "A million output tokens at $4.29 per hour and 2,209 tokens/s",
            0.5395,
            lambda: usd_per_m_output(4.29, 2209.0, 1.0),
            source="division",
            tolerance=0.00054,
            unit="USD/M tokens",
            tests="serving.api_break_even.usd_per_m_output",
        ),
    ),
    limits=("Rate limits, batch discounts and the quality of an API's model are not priced.",),
)
