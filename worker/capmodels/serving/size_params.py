"""What sizing for a language model is asked and answers."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator

from capmodels.forms import in_groups
from capmodels.serving.accelerators import ACCELERATORS, Precision
from capmodels.serving.bands import Banded, Nearness
from capmodels.serving.capacity import Percentile
from capmodels.serving.choices import Lengths, ModelChoice, RankCount, open_model
from capmodels.serving.deployed import EngineName, MeasuredPoint, PositiveMs
from capmodels.spec import Params, Result, assumed, default, preset, refusal
from capmodels.told import IN_TABLES, Told
from capmodels.units import (
    Count,
    CountFromOne,
    DurationMs,
    PowerKw,
    Ratio,
    Real,
    UsdPerH,
    Whole,
    of_unit,
)

TokensPerS = Annotated[Real, of_unit("tokens/s", ge=0)]
TokensPerJ = Annotated[Real, of_unit("tokens/J", ge=0)]
UsdPerMillion = Annotated[Real, of_unit("USD/M tokens", ge=0)]
Share = Annotated[Real, of_unit("fraction", gt=0, le=1)]


class UsersAsked(Params):
    """Which accelerators so many users need."""

    kind: Literal["users"] = "users"
    users_count: CountFromOne = assumed(2000, "Users at the busiest hour.")


class RateAsked(Params):
    """Which accelerators a rate of requests needs."""

    kind: Literal["rate"] = "rate"
    requests_per_s: Annotated[Real, of_unit("1/s", gt=0, le=1e7)] = assumed(
        10.0, "Requests at the busiest hour."
    )


class PowerAsked(Params):
    """How many users a site's power serves."""

    kind: Literal["power"] = "power"
    power_kw: Annotated[Real, of_unit("kW", gt=0, le=1e7)] = assumed(
        4000.0, "Power of the site, with cooling and losses.", title="Site power"
    )


class RacksAsked(Params):
    """How many users a number of racks serves."""

    kind: Literal["racks"] = "racks"
    racks_count: Annotated[Whole, of_unit("count", ge=1, le=100_000)] = assumed(
        10, "Racks for accelerators."
    )
    rack_kw: Annotated[Real, of_unit("kW", gt=0, le=1e4)] = assumed(
        40.0, "Power of a rack, without cooling.", title="Power of a rack"
    )
    site_per_rack_ratio: Annotated[Real, of_unit("ratio", ge=1, le=3)] = assumed(
        1.25,
        "Power of the site for each kW in racks.",
        source="SemiAnalysis' TCO model over servers' rated power: 1.36 (H100), 1.21 (B200)",
        title="PUE",
        low=1.1,
        high=1.4,
    )


class BudgetAsked(Params):
    """How many users a budget for rent serves."""

    kind: Literal["budget"] = "budget"
    usd_per_month: Annotated[Real, of_unit("USD/month", gt=0, le=1e12)] = assumed(
        100_000.0, "Rent of accelerators a month.", title="Budget"
    )


Question = Annotated[
    UsersAsked | RateAsked | PowerAsked | RacksAsked | BudgetAsked, Field(discriminator="kind")
]


class OwnRent(Params):
    """What an hour of an accelerator costs you."""

    accelerator: str = Field(
        description="Which of the list.", json_schema_extra={"enum": [*ACCELERATORS]}
    )
    usd_per_h: Annotated[Real, of_unit("USD/h", gt=0, le=1e4)] = Field(
        title="Price", description="Price of an hour of one."
    )


class TypedPoint(MeasuredPoint):
    """A point as it is entered."""

    kind: Literal["typed"] = "typed"


class BenchmarkOutput(Params):
    """A point as a benchmark saved it."""

    kind: Literal["benchmark"] = "benchmark"
    output_json: str = Field(
        title="Output",
        max_length=200_000,
        description="What the serving benchmark of vLLM or SGLang saved, run with a limit of "
        "requests in flight.",
    )


class MeasuredReplica(Params):
    """What you measured of a replica of the model: others of its kind are set to it."""

    accelerator: str = Field(
        description="Which of the list.", json_schema_extra={"enum": [*ACCELERATORS]}
    )
    precision: Precision = preset("fp8", "How weights were stored.")
    tensor_count: RankCount = Field(
        title="Tensor parallel", description="Accelerators of the replica."
    )
    point: Annotated[TypedPoint | BenchmarkOutput, Field(discriminator="kind")]

    @field_validator("accelerator")
    @classmethod
    def _is_measurable(cls, value: str) -> str:
        if value not in ACCELERATORS or not ACCELERATORS[value].speed_known:
            raise refusal("unknown_accelerator", f"No kernels of {value!r} are known here.")
        return value


class SizeParams(Params):
    """A model, what is asked of it, the limits, and what accelerators cost."""

    model_config = in_groups(
        {
            "What is asked": ("question", "requests_per_user_h", "active_fraction"),
            "Model": ("model", "precisions", "lengths"),
            "Limits": ("ttft_ms", "tpot_ms", "percentile_fraction"),
            "Fleet": ("use_fraction", "mean_fraction", "spares_count", "engine", "rents"),
            "Measured": ("measured",),
        }
    )

    question: Question = preset(UsersAsked(), "A load to serve, or what there is to serve with.")
    requests_per_user_h: Annotated[Real, of_unit("1/h", gt=0, le=1e5)] = assumed(
        12.0, "Requests of an active user in an hour.", title="Requests per user"
    )
    active_fraction: Share = assumed(1.0, "Share of the users who are active then.", title="Active")
    model: ModelChoice = preset(open_model("Llama-3.1-70B"), "The language model.")
    precisions: tuple[Precision, ...] = assumed(
        ("fp8", "fp4"),
        "Precisions that the quality allows.",
        max_length=4,
        min_length=1,
    )
    lengths: Lengths = preset(Lengths(), "Mean tokens of a request.")
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
    use_fraction: Share = assumed(
        0.7,
        "Planned use of what keeps the limits, for bursts.",
        title="Target use",
        low=0.5,
        high=0.9,
    )
    mean_fraction: Share = assumed(
        0.4,
        "Mean load over all hours as a share of the busiest: accelerators cost the same at "
        "every hour, an API by the token.",
        title="Mean over busiest hour",
        low=0.1,
        high=0.8,
    )
    spares_count: Annotated[Whole, of_unit("count", ge=0, le=1000)] = assumed(
        1, "Replicas beyond what the load needs."
    )
    engine: EngineName = preset("vllm", "The serving engine.")
    rents: Annotated[tuple[OwnRent, ...], Field(max_length=60)] = preset(
        (), "Prices of your own; others are of the list."
    )
    measured: Annotated[tuple[MeasuredReplica, ...], Field(max_length=20)] = preset(
        (), "Points that you measured: one halves the error of its accelerator and precision."
    )


class SizedPlan(Result):
    """A fleet that serves the load, or as much as the power, racks or budget allow."""

    accelerator: str
    precision: Precision
    tensor_count: Count
    data_count: Count
    replicas_count: Count
    accelerators_count: Count
    power_kw: PowerKw | None = Field(title="Facility power")
    requests_per_s: Banded
    output_tokens_per_s: Banded
    users_count: Count
    users_low_count: Count = Field(title="Users, at worst")
    users_high_count: Count = Field(title="Users, at best")
    usd_per_h: UsdPerH | None = Field(title="Rent")
    usd_per_m_output: UsdPerMillion | None = Field(title="Rented")
    owned_usd_per_m_output: Banded | None = Field(title="Owned, all in")
    tokens_per_j: TokensPerJ | None = Field(title="Output per joule")
    ttft_p50_ms: Banded
    ttft_at_percentile_ms: Banded
    tpot_p50_ms: Banded
    tpot_at_percentile_ms: Banded
    replica_tokens_per_s: Banded
    replicas_low_count: Count = Field(title="Replicas, at best")
    replicas_high_count: Count = Field(title="Replicas, at worst")
    on_front: bool = Field(title="On the front")
    nearness: Nearness


Verdict = Literal["no_precision", "does_not_fit", "too_slow", "unknown", "no_price", "too_little"]


class Alone(Result):
    """What a model needs of an accelerator, and how long one request takes there by itself."""

    precision: Precision
    needed_count: CountFromOne
    joined_count: CountFromOne
    ttft_ms: DurationMs
    tpot_ms: DurationMs


class LeftOut(Result):
    """An accelerator that serves none of it, and why."""

    accelerator: str
    verdicts: tuple[Verdict, ...]
    alone: Alone | None
    reason: str


class ApiCost(Result):
    """What an API asks for the same output, with its prompts, and how many providers there are."""

    usd_per_m_output: Banded
    providers_count: Count


class Calibrated(Result):
    """How far an accelerator at a precision is from what was predicted, by a measured point."""

    accelerator: str
    precision: Precision
    slower_ratio: Ratio = Field(title="Measured over predicted time")


class SizeResult(Told):
    """Plans by their cost, the best of each accelerator and precision, and what is left out."""

    requests_per_s: Annotated[Real, of_unit("1/s", ge=0)] | None
    output_tokens_per_s: TokensPerS | None
    plans: tuple[SizedPlan, ...] = Field(json_schema_extra=IN_TABLES)
    left_out: tuple[LeftOut, ...] = Field(json_schema_extra=IN_TABLES)
    api: ApiCost | None = Field(title="API", json_schema_extra=IN_TABLES)
    calibrated: tuple[Calibrated, ...]
    plans_count: Count = Field(title="Plans tried")
