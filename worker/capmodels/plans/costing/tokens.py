"""Tokens of inference streams, and what an API bills for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.series import scaled
from capmodels.units import SECONDS_PER_HOUR
from capmodels.worked import named

if TYPE_CHECKING:
    from capmodels.amounts import Amount
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.document.inference import InferenceStream, TokenPrice
    from capmodels.plans.document.workload import DemandWorkload
    from capmodels.series import Series

TOKENS_PER_MILLION = 1e6


def output_tokens(work: DemandWorkload, scene: Scene) -> Series:
    """Output tokens of all the streams by month. [million]"""
    today: Amount = 0.0
    for stream in work.streams:
        today = today + _tokens_m(stream, scene)
    return scaled(scene.timeline.gpus_mean.factors, today)


def _tokens_m(stream: InferenceStream, scene: Scene) -> Amount:
    """Output tokens of a stream in a month at today's load. [million]"""
    seconds = scene.hours_per_month * SECONDS_PER_HOUR
    return (
        stream.rate_per_s
        * stream.mean_fraction
        * stream.output_tokens
        * seconds
        / TOKENS_PER_MILLION
    )


def api_usd(prices: tuple[TokenPrice, ...], scene: Scene) -> Series | None:
    """What an API bills by month for the streams; None where it serves none. [USD]"""
    work = scene.demand
    if work is None or not work.streams or not prices:
        return None
    of_model = {price.model: price for price in prices}
    today: Amount = 0.0
    for stream in work.streams:
        if (price := of_model.get(stream.model)) is not None:
            ratio = stream.prompt_tokens / stream.output_tokens
            today = today + _tokens_m(stream, scene) * price.usd_per_m_output(ratio)
    today = named(today, "Tokens by API, a month", "USD")
    return scene.priced("services", scaled(scene.timeline.gpus_mean.factors, today))


def unpriced(work: DemandWorkload, prices: tuple[TokenPrice, ...]) -> str | None:
    """Which model of the streams an API has no price for, in a sentence; None where it has all."""
    of_model = {price.model for price in prices}
    lacking = [one.model for one in work.streams if one.model not in of_model]
    return f"The API has no price for {lacking[0]}." if lacking else None
