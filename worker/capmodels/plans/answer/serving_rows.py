"""Rows of inference streams: what a million tokens cost, and times to tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.amounts import as_number, fsum
from capmodels.plans.answer.row import AT_MEAN, row_of
from capmodels.plans.answer.work_done import SHORT
from capmodels.plans.costing.serving import way_of
from capmodels.plans.costing.tokens import output_tokens
from capmodels.plans.document.cloud import Cloud
from capmodels.plans.document.gpu_kinds import accelerator_named
from capmodels.plans.document.hybrid import Hybrid
from capmodels.plans.document.owned import OwnedCluster

if TYPE_CHECKING:
    from collections.abc import Callable

    from capmodels.plans.answer.row import Value
    from capmodels.plans.comparison import DesignResult
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.document.inference import InferenceStream
    from capmodels.serving.size import Way
    from capmodels.spec import JSONDict

_BY_API = "How fast an API answers is not known here."


def serving_rows(columns: list[DesignResult], scene: Scene) -> list[JSONDict]:
    """Rows that a study with inference streams has."""
    if scene.demand is None or not scene.demand.streams:
        return []
    tokens_m = as_number(fsum(output_tokens(scene.demand, scene)))
    meant = {column.letter: AT_MEAN for column in columns if column.mean_usd is not None}

    def per_million(column: DesignResult) -> Value:
        return (column.ranked_usd / tokens_m, None) if column.carries_load else (None, SHORT)

    rows = [
        {
            **row_of(
                "usd_per_m_output_tokens",
                "Cost per million output tokens",
                "USD/M tokens",
                columns,
                per_million,
            ),
            "notes": meant,
        }
    ]
    for place, stream in enumerate(scene.demand.streams):
        of = f" of {stream.name}" if len(scene.demand.streams) > 1 else ""
        late = f"p{stream.percentile_fraction * 100:g}"
        rows += [
            row_of(
                f"stream_{place}_{name}_ms",
                f"{name.upper()} {late}{of}, as planned",
                "ms",
                columns,
                _time_of(name, stream, scene),
            )
            for name in ("ttft", "tpot")
        ]
    return rows


def _time_of(name: str, stream: InferenceStream, scene: Scene) -> Callable[[DesignResult], Value]:
    def value(column: DesignResult) -> Value:
        way, reason = _way_in(column.letter, stream, scene)
        return (None, reason) if way is None else (getattr(way, f"{name}_ms").value, None)

    return value


def _way_in(letter: str, stream: InferenceStream, scene: Scene) -> tuple[Way | None, str | None]:
    """The replica that serves a stream in a design, or why it is not known."""
    designs = {design.letter: design for design in scene.study.designs}
    design = designs.get(letter)
    if isinstance(design, Hybrid):
        owned = "gpus" in design.placement.owned
        design = designs.get(design.owned_letter if owned else design.rented_letter)
    if isinstance(design, Cloud) and design.token_prices:
        return None, _BY_API
    kinds = []
    if isinstance(design, Cloud):
        kinds = [(one.gpu, one.gpus_count) for one in design.instances if one.gpus_count > 0]
    if isinstance(design, OwnedCluster):
        groups = [group for group in design.node_groups if group.role == "gpu"]
        kinds = [(group.gpu, group.gpus_per_node_count) for group in groups]
    for kind, joined in kinds:
        accelerator = accelerator_named(kind)
        if accelerator is not None:
            return way_of(stream, accelerator, int(joined)), SHORT
    return None, "No GPUs whose speed is known serve it."
