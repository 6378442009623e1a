"""Rows of inference streams: what a million tokens cost, and times to tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.amounts import as_number, fsum
from capmodels.plans.answer.row import AT_MEAN, row_of
from capmodels.plans.answer.work_done import SHORT
from capmodels.plans.costing.serving import way_of
from capmodels.plans.costing.tokens import api_usd, output_tokens
from capmodels.plans.document.cloud import Cloud
from capmodels.plans.document.gpu_kinds import accelerator_named
from capmodels.plans.document.hybrid import Hybrid
from capmodels.plans.document.owned import OwnedCluster
from capmodels.serving.bands import Banded

if TYPE_CHECKING:
    from collections.abc import Callable

    from capmodels.plans.answer.row import Value
    from capmodels.plans.comparison import DesignResult
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.document.inference import InferenceStream
    from capmodels.serving.size import Way
    from capmodels.spec import JSONDict

_NOT_GPUS = "No GPUs of its own serve it."
_BY_API = "How fast an API answers is not known here."


def serving_rows(columns: list[DesignResult], scene: Scene) -> list[JSONDict]:
    """Rows that a study with inference streams has."""
    if scene.demand is None or not scene.demand.streams:
        return []
    tokens_m = as_number(fsum(output_tokens(scene.demand, scene)))
    meant = {column.letter: AT_MEAN for column in columns if column.mean_usd is not None}

    def per_million(column: DesignResult) -> Value:
        return (column.ranked_usd / tokens_m, None) if column.carries_load else (None, SHORT)

    def carbon(column: DesignResult) -> Value:
        known = column.carbon.kgco2e
        if not column.carries_load:
            return None, SHORT
        return (None, column.carbon.reason) if known is None else (known / tokens_m, None)

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
        },
        row_of(
            "kgco2e_per_m_output_tokens",
            "Carbon per million output tokens",
            "kg CO2e/M tokens",
            columns,
            carbon,
        ),
        *_even_rows(columns, scene),
    ]
    for place, stream in enumerate(scene.demand.streams):
        of = f" of {stream.name}" if len(scene.demand.streams) > 1 else ""
        late = f"p{stream.percentile_fraction * 100:g}"
        rows += [
            row_of(
                f"stream_{place}_{field}",
                f"{name} {said}{of}, as planned",
                "ms",
                columns,
                _time_of(field, stream, scene),
            )
            for name in ("TTFT", "TPOT")
            for said, field in (("p50", f"{name.lower()}_p50_ms"), (late, f"{name.lower()}_ms"))
        ]
    used = max(as_number(one.use_fraction) for one in scene.demand.streams)
    rows.append(
        row_of(
            "serving_headroom_fraction",
            "Headroom to the limits of latency at the busiest hour",
            "fraction",
            columns,
            lambda column: _headroom(column, used),
            lower=False,
        )
    )
    return rows


def _headroom(column: DesignResult, used: float) -> Value:
    """What is left of what its GPUs serve within the limits, when they are fullest."""
    there = column.spare.tightest.get("gpu")
    if not column.carries_load:
        return None, SHORT
    return (1.0 - used * there.used_fraction, None) if there else (None, _NOT_GPUS)


def _even_rows(columns: list[DesignResult], scene: Scene) -> list[JSONDict]:
    """At which mean load each design costs as much as each API, all else as it is."""
    designs = {design.letter: design for design in scene.study.designs}
    means = {as_number(one.mean_fraction) for one in scene.work.streams}
    if len(means) > 1:
        return []
    rows, mean = [], means.pop()
    for api in columns:
        design = designs.get(api.letter)
        prices = design.token_prices if isinstance(design, Cloud) else ()
        billed = api_usd(prices, scene)
        if billed is None or not api.carries_load or api.total_usd <= 0:
            continue
        tokens_usd = api.ranked_usd * fsum(billed) / api.total_usd

        def even(
            column: DesignResult, api: DesignResult = api, tokens_usd: float = tokens_usd
        ) -> Value:
            if column is api:
                return None, "It is the API."
            if not column.carries_load:
                return None, SHORT
            if column.kind != "owned_cluster":
                return None, "What it costs follows the load, as the API's bill does."
            share = mean * (1.0 + (column.ranked_usd - api.ranked_usd) / tokens_usd)
            if share > 1.0:
                return None, "It costs more at any load."
            return (max(share, 0.0), None)

        rows.append(
            row_of(
                f"even_use_{api.letter}_fraction",
                f"Costs as much as {api.letter} at a mean load, of the busiest hour's, of",
                "fraction",
                columns,
                even,
            )
        )
    return rows


def _time_of(field: str, stream: InferenceStream, scene: Scene) -> Callable[[DesignResult], Value]:
    def value(column: DesignResult) -> Value:
        way, reason = _way_in(column.letter, stream, scene)
        if way is None:
            return None, reason
        time = getattr(way, field)
        return (time.value if isinstance(time, Banded) else time), None

    return value


def kinds_in(letter: str, scene: Scene) -> list[tuple[str | None, float]]:
    """Kinds of GPU of a design, each with how many a machine joins."""
    designs = {design.letter: design for design in scene.study.designs}
    design = designs.get(letter)
    if isinstance(design, Hybrid):
        owned = "gpus" in design.placement.owned
        design = designs.get(design.owned_letter if owned else design.rented_letter)
    if isinstance(design, Cloud):
        return [(one.gpu, one.gpus_count) for one in design.instances if one.gpus_count > 0]
    if isinstance(design, OwnedCluster):
        groups = [group for group in design.node_groups if group.role == "gpu"]
        return [(group.gpu, group.gpus_per_node_count) for group in groups]
    return []


def _way_in(letter: str, stream: InferenceStream, scene: Scene) -> tuple[Way | None, str | None]:
    """The replica that serves a stream in a design, or why it is not known."""
    design = next((one for one in scene.study.designs if one.letter == letter), None)
    if isinstance(design, Cloud) and design.token_prices:
        return None, _BY_API
    for kind, joined in kinds_in(letter, scene):
        accelerator = accelerator_named(kind)
        if accelerator is not None:
            return way_of(stream, accelerator, int(joined)), SHORT
    return None, "No GPUs whose speed is known serve it."
