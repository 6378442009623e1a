"""How a model, an accelerator, a layout and the requests are entered."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator

from capmodels.serving.accelerators import ACCELERATORS, Accelerator
from capmodels.serving.architectures import Architecture, of_config
from capmodels.serving.engine import Layout
from capmodels.serving.open_models import OPEN_MODELS
from capmodels.spec import Params, assumed, refusal
from capmodels.units import Real, Whole, of_unit

Tokens = Annotated[Real, of_unit("tokens", ge=1, le=10_000_000)]
RankCount = Annotated[Whole, of_unit("count", ge=1, le=72)]


class OpenModel(Params):
    """A model whose configuration is published."""

    kind: Literal["open"] = "open"
    name: str = Field(
        description="Which of them.", json_schema_extra={"enum": [*sorted(OPEN_MODELS)]}
    )

    @field_validator("name")
    @classmethod
    def _is_known(cls, value: str) -> str:
        if value not in OPEN_MODELS:
            raise refusal("unknown_model", f"There is no open model {value!r} here.")
        return value


class ConfiguredModel(Params):
    """A model by the text of its ``config.json``."""

    kind: Literal["config"] = "config"
    config_json: str = Field(
        title="config.json",
        max_length=200_000,
        description="The file's text.",
        json_schema_extra={"file": "config.json"},
    )


class ShapedModel(Params):
    """A model by its shape."""

    kind: Literal["shape"] = "shape"
    shape: Architecture = Field(description="Its shape.")


ModelChoice = Annotated[OpenModel | ConfiguredModel | ShapedModel, Field(discriminator="kind")]


class ListedAccelerator(Params):
    """An accelerator of the list."""

    kind: Literal["listed"] = "listed"
    name: str = Field(description="Which of them.", json_schema_extra={"enum": [*ACCELERATORS]})

    @field_validator("name")
    @classmethod
    def _is_known(cls, value: str) -> str:
        if value not in ACCELERATORS:
            raise refusal("unknown_accelerator", f"There is no accelerator {value!r} here.")
        return value


class OwnAccelerator(Params):
    """An accelerator by its data sheet."""

    kind: Literal["own"] = "own"
    sheet: Accelerator = Field(description="What its data sheet says.")


AcceleratorChoice = Annotated[ListedAccelerator | OwnAccelerator, Field(discriminator="kind")]


class Ranks(Params):
    """How a replica is divided over accelerators."""

    tensor_count: RankCount = assumed(
        1, "Accelerators that divide each layer.", title="Tensor parallel"
    )
    data_count: RankCount = assumed(
        1,
        "Groups that each keep attention and cache of their own.",
        title="Attention data parallel",
    )
    pipeline_count: RankCount = assumed(
        1, "Groups that hold layers one after another.", title="Pipeline parallel"
    )

    def as_layout(self) -> Layout:
        """Return the same as the equations take it."""
        return Layout(tensor=self.tensor_count, data=self.data_count, pipeline=self.pipeline_count)


class Lengths(Params):
    """Mean tokens of a request."""

    prompt_tokens: Tokens = assumed(1024.0, "Tokens of the prompt, mean.", title="Prompt")
    output_tokens: Tokens = assumed(512.0, "Tokens of the answer, mean.", title="Output")


def open_model(name: str) -> OpenModel:
    """Return an open model as a choice."""
    return OpenModel(name=name)


def architecture_of(choice: OpenModel | ConfiguredModel | ShapedModel) -> Architecture:
    """Return the shape of the chosen model.

    Raises
    ------
    ModelError
        When its ``config.json`` states none.
    """
    if isinstance(choice, OpenModel):
        return OPEN_MODELS[choice.name]
    if isinstance(choice, ConfiguredModel):
        return of_config(choice.config_json)
    return choice.shape


def accelerator_of(choice: ListedAccelerator | OwnAccelerator) -> Accelerator:
    """Return the data sheet of the chosen accelerator."""
    return ACCELERATORS[choice.name] if isinstance(choice, ListedAccelerator) else choice.sheet
