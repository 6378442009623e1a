"""Language models that a workload serves: who asks, how long, how fast, and at which precision."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Annotated

from pydantic import Field, field_validator

from capmodels.errors import ModelError
from capmodels.plans.document.bounded import MOST_COUNT, MOST_PRICE_USD
from capmodels.plans.document.fields import (
    IsoDate,
    Name,
    PositiveFraction,
    PositiveRatio,
    unused,
)
from capmodels.serving.accelerators import Precision
from capmodels.serving.api_break_even import api_usd_per_m_output
from capmodels.serving.architectures import of_config
from capmodels.serving.capacity import Percentile
from capmodels.serving.choices import ConfiguredModel, Lengths, ModelChoice, OpenModel, Tokens
from capmodels.serving.deployed import EngineName, PositiveMs
from capmodels.serving.open_models import OPEN_MODELS
from capmodels.serving.size_params import SizeParams
from capmodels.spec import Params, assumed, blank, default, derived, preset, refusal
from capmodels.units import SECONDS_PER_HOUR, Fraction, Real, of_unit

if TYPE_CHECKING:
    from capmodels.amounts import Amount

# Of a stream, what may have a range: its load enters sums, the rest sizes a replica.
VARYING = frozenset(
    {"users_count", "requests_per_user_h", "active_fraction", "mean_fraction", "served_ratio"}
)


Users = Annotated[Real, of_unit("count", gt=0, le=MOST_COUNT, multiple_of=1)]
UsdPerMillionTokens = Annotated[Real, of_unit("USD/M tokens", ge=0, le=MOST_PRICE_USD)]


def known_model(name: str) -> str:
    """Return the name of an open model.

    Raises
    ------
    PydanticCustomError
        Where there is none of that name.
    """
    if name not in OPEN_MODELS:
        raise refusal("unknown_model", f"There is no open model {name!r} here.")
    return name


class InferenceStream(Params):
    """Requests to one language model, within limits of latency; see serving.size."""

    name: Name = Field(title="Stream")
    model: str = Field(
        description="An open model.", json_schema_extra={"enum": [*sorted(OPEN_MODELS)]}
    )
    config_json: str | None = blank(
        "Of your own model: its config.json, which is served in place of the open one.",
        title="Own config.json",
        max_length=200_000,
        extra={"file": "config.json"},
    )
    precisions: tuple[Precision, ...] = assumed(
        ("fp8", "fp4"), "Precisions that the quality allows.", max_length=4, min_length=1
    )
    prompt_tokens: Tokens = assumed(1024.0, "Tokens of the prompt, mean.", title="Prompt")
    output_tokens: Tokens = assumed(512.0, "Tokens of the answer, mean.", title="Output")
    users_count: Users = Field(title="Users", description="At the busiest hour, today.")
    requests_per_user_h: Annotated[Real, of_unit("1/h", gt=0, le=MOST_COUNT)] = assumed(
        12.0, "Requests of an active user in an hour.", title="Requests per user"
    )
    active_fraction: PositiveFraction = assumed(
        1.0, "Share of the users who are active then.", title="Active"
    )
    mean_fraction: PositiveFraction = assumed(
        0.4,
        "Mean load over all hours as a share of the busiest.",
        title="Mean over busiest hour",
        low=0.2,
        high=0.6,
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
    use_fraction: PositiveFraction = assumed(
        0.7, "Planned use of what keeps the limits, for bursts.", title="Target use"
    )
    engine: EngineName = preset("vllm", "The serving engine.")
    served_ratio: PositiveRatio = derived(
        1.0,
        "What a replica serves over what is predicted: the error of the prediction, or what you "
        "measured.",
        source="80% of measurements left out of the fit, serving.size",
        title="Served over predicted",
        low=0.8,
        high=1.33,
    )

    @field_validator("model")
    @classmethod
    def _is_known(cls, value: str) -> str:
        return known_model(value)

    @field_validator("config_json")
    @classmethod
    def _is_config(cls, value: str | None) -> str | None:
        if value is not None:
            try:
                of_config(value)
            except ModelError as exc:
                raise refusal("not_a_config", str(exc)) from exc
        return value

    @property
    def rate_per_s(self) -> Amount:
        """Requests at the busiest hour, today. [1/s]"""
        users = self.users_count * self.active_fraction
        return users * self.requests_per_user_h / SECONDS_PER_HOUR

    @property
    def asks(self) -> SizeParams:
        """What sizes a replica of it."""
        return _asked(
            OpenModel(name=self.model)
            if self.config_json is None
            else ConfiguredModel(config_json=self.config_json),
            self.precisions,
            (float(self.prompt_tokens), float(self.output_tokens)),
            (float(self.ttft_ms), float(self.tpot_ms), float(self.percentile_fraction)),
            float(self.use_fraction),
            self.engine,
        )


@lru_cache(maxsize=64)
def _asked(
    model: ModelChoice,
    precisions: tuple[Precision, ...],
    tokens: tuple[float, float],
    limits: tuple[float, float, float],
    use: float,
    engine: EngineName,
) -> SizeParams:
    return SizeParams(
        model=model,
        precisions=precisions,
        lengths=Lengths(prompt_tokens=tokens[0], output_tokens=tokens[1]),
        ttft_ms=limits[0],
        tpot_ms=limits[1],
        percentile_fraction=limits[2],
        use_fraction=use,
        engine=engine,
    )


class TokenPrice(Params):
    """What an API asks for the tokens of a model."""

    model: str = Field(
        description="The model whose tokens it is of.",
        json_schema_extra={"enum": [*sorted(OPEN_MODELS)]},
    )
    input_usd_per_m: UsdPerMillionTokens = Field(title="Input")
    output_usd_per_m: UsdPerMillionTokens = Field(title="Output")
    cached_usd_per_m: UsdPerMillionTokens | None = blank(
        "Of prompt tokens that were sent before. Empty: as input.", title="Cached input"
    )
    cached_fraction: Fraction = unused("Cached share", "Share of the prompt tokens that is cached.")
    price_as_of: IsoDate | None = Field(default=None, title="Date of the price")

    @field_validator("model")
    @classmethod
    def _is_known(cls, value: str) -> str:
        return known_model(value)

    def usd_per_m_output(self, prompt_per_output: float) -> float:
        """Price of a million output tokens with their prompts. [USD]"""
        cached = self.input_usd_per_m if self.cached_usd_per_m is None else self.cached_usd_per_m
        return api_usd_per_m_output(
            self.input_usd_per_m,
            self.output_usd_per_m,
            prompt_per_output,
            cached,
            self.cached_fraction,
        )


TokenPrices = Annotated[
    tuple[TokenPrice, ...],
    Field(
        title="API per token",
        description="Prices of an API that serves the inference streams in place of GPUs.",
        max_length=8,
    ),
]

Streams = Annotated[
    tuple[InferenceStream, ...],
    Field(
        title="Inference streams",
        description="Language models that the work serves: they say how many GPUs of each kind "
        "are needed, in place of a typed count.",
        max_length=8,
    ),
]
