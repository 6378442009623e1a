"""A replica as it is entered: its coefficients, its room, its nearness to measurements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from capmodels.errors import ModelError
from capmodels.forms import named
from capmodels.serving.accelerators import Precision
from capmodels.serving.bands import NEARNESS_SAID, Nearness, factors_of, nearness_of
from capmodels.serving.batching import closed_loop, start_wave_s
from capmodels.serving.choices import (
    AcceleratorChoice,
    Lengths,
    ListedAccelerator,
    ModelChoice,
    Ranks,
    Tokens,
    accelerator_of,
    architecture_of,
    open_model,
)
from capmodels.serving.engine import deployment, slowed
from capmodels.serving.fitted import HOSTS, LATEST_YEARS
from capmodels.serving.memory_fit import (
    OVERHEAD_GB,
    USABLE_FRACTION,
    kv_bytes_per_token,
    kv_room_gb,
    most_requests,
    overhead_of,
)
from capmodels.spec import Params, assumed, blank, default, preset
from capmodels.units import BYTES_PER_GB, Real, Whole, of_unit

if TYPE_CHECKING:
    from capmodels.serving.accelerators import Accelerator
    from capmodels.serving.architectures import Architecture
    from capmodels.serving.bands import Factors
    from capmodels.serving.engine import Deployment, Layout

EngineName = Annotated[
    Literal["vllm", "sglang", "trtllm", "offline"],
    Field(
        json_schema_extra=named(
            vllm="vLLM", sglang="SGLang", trtllm="TensorRT-LLM", offline="A batch without a server"
        )
    ),
]
PositiveMs = Annotated[Real, of_unit("ms", gt=0, le=1e7)]
InFlight = Annotated[Real, of_unit("count", gt=0, le=1e6)]


class MeasuredPoint(Params):
    """One point that was measured in closed loop: of a benchmark of this deployment."""

    in_flight_count: InFlight = Field(title="Concurrency", description="Requests in flight.")
    prompt_tokens: Tokens = Field(title="Prompt", description="Mean tokens of a prompt.")
    output_tokens: Tokens = Field(title="Output", description="Mean tokens of an answer.")
    tpot_ms: PositiveMs = Field(title="TPOT", description="Mean time per output token.")
    ttft_ms: PositiveMs | None = blank("Mean time to the first token.", title="TTFT")


class Replica(Params):
    """A model that an engine serves on accelerators."""

    model: ModelChoice = preset(open_model("Llama-3.1-70B"), "The language model.")
    accelerator: AcceleratorChoice = preset(
        ListedAccelerator(name="NVIDIA H100 SXM"), "The accelerator."
    )
    precision: Precision = preset("fp8", "How weights are stored.")
    layout: Ranks = preset(Ranks(tensor_count=4), "Ranks of a replica.")
    engine: EngineName = preset("vllm", "The serving engine; offline: a batch without a server.")
    engine_years: Annotated[Real, of_unit("yr", ge=-2, le=2)] = assumed(
        LATEST_YEARS,
        "Date of the engine, counted from the start of 2026; newer ones add less.",
        title="Engine of",
        source="the newest engines that were measured",
    )
    kv_bits_count: Annotated[Whole, of_unit("count", ge=4, le=16)] = default(
        16, "Bits of a cached key or value.", source="vLLM's default", title="KV bits"
    )
    most_rows_count: Annotated[Whole, of_unit("count", ge=1, le=8192)] = default(
        1024, "Requests served at once at most.", source="vLLM, max_num_seqs", title="Rows"
    )
    measured: MeasuredPoint | None = blank(
        "A point measured on this deployment; it halves the error.", title="Measured point"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployed:
    """A replica as the equations take it."""

    architecture: Architecture
    accelerator: Accelerator
    layout: Layout
    of: Deployment
    room_gb: float
    kv_bytes: float
    most_rows: float
    nearness: Nearness
    ttft_factor: float

    def most(self, prompt: float, output: float) -> float:
        """Requests that are held at once: by the cache, and by the engine's own limit."""
        each = kv_bytes_per_token(
            self.architecture, self.kv_bytes, self.layout, max(1.0, prompt + output / 2)
        )
        return min(self.most_rows, most_requests(self.room_gb, each, prompt, output))

    def room_tokens(self, context: float) -> int:
        """Tokens that the cache holds of sequences of a length."""
        each = kv_bytes_per_token(self.architecture, self.kv_bytes, self.layout, max(1.0, context))
        return max(0, int(self.room_gb * BYTES_PER_GB / each))

    def factors(self, what: str) -> Factors:
        """The band of TPOT, TTFT or rate."""
        return factors_of(self.nearness, self.architecture, what)

    @property
    def said(self) -> str:
        """How near to measurements the answer is."""
        return NEARNESS_SAID[self.nearness]


def deployed(replica: Replica, lengths: Lengths) -> Deployed:
    """Return a replica as the equations take it, set to its measured point if there is one.

    Raises
    ------
    ModelError
        When the model does not fit, or nothing is known of the accelerator's speed.
    """
    architecture = architecture_of(replica.model)
    accelerator = accelerator_of(replica.accelerator)
    layout = replica.layout.as_layout()
    if not accelerator.speed_known and replica.measured is None:
        message = (
            f"How fast {accelerator.name} serves is unknown: no measurement of its kind is "
            "here. Enter a measured point."
        )
        raise ModelError(message)
    offline = replica.engine == "offline"
    room = kv_room_gb(
        architecture,
        accelerator,
        replica.precision,
        layout,
        # TensorRT-LLM's tables give the cache 0.90 to 0.95 of what is free after loading.
        usable_fraction=0.95 if offline else USABLE_FRACTION,
        overhead_gb=OVERHEAD_GB["dense"][1] if offline else None,
    )
    kv_bytes = replica.kv_bits_count / 8
    of = deployment(
        architecture,
        accelerator,
        replica.precision,
        layout,
        kv_bytes=kv_bytes,
        engine=replica.engine,
        years=replica.engine_years,
    )
    found = Deployed(
        architecture=architecture,
        accelerator=accelerator,
        layout=layout,
        of=of,
        room_gb=room,
        kv_bytes=kv_bytes,
        most_rows=float(replica.most_rows_count),
        nearness=nearness_of(architecture, accelerator, layout),
        ttft_factor=1.0,
    )
    if found.most(lengths.prompt_tokens, lengths.output_tokens) < 1:
        _, expected, _ = overhead_of(architecture)
        message = (
            f"{architecture.name} at {replica.precision.upper()} does not fit on "
            f"{layout.accelerators} x {accelerator.name} with a request of this length: "
            f"{room:.3g} GB are left for the cache beside weights and {expected:g} GB of the "
            "engine each."
        )
        raise ModelError(message)
    return (
        found if replica.measured is None else _calibrated(found, replica.measured, replica.engine)
    )


def _calibrated(found: Deployed, point: MeasuredPoint, engine: EngineName) -> Deployed:
    """Set a deployment to a measured point: one factor on its times, one on its TTFT."""
    prompt, output = point.prompt_tokens, point.output_tokens
    most = max(1.0, found.most(prompt, output))
    ours = closed_loop(found.of, point.in_flight_count, prompt, output, most)
    moved = slowed(found.of, point.tpot_ms / 1e3 / ours.tpot_s)
    ttft_factor = 1.0
    if point.ttft_ms is not None:
        again = closed_loop(moved, point.in_flight_count, prompt, output, most)
        # A benchmark's mean holds the wave at its start.
        wave = start_wave_s(moved, HOSTS[engine].wave, point.in_flight_count, prompt)
        ttft_factor = point.ttft_ms / 1e3 / (again.ttft_s + wave)
    return Deployed(
        architecture=found.architecture,
        accelerator=found.accelerator,
        layout=found.layout,
        of=moved,
        room_gb=found.room_gb,
        kv_bytes=found.kv_bytes,
        most_rows=found.most_rows,
        nearness="calibrated",
        ttft_factor=ttft_factor,
    )
