"""Rows of training jobs: GPUs and time of a run, and what one costs, takes and emits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.amounts import as_number, ceil, fsum
from capmodels.plans.answer.row import AT_MEAN, row_of
from capmodels.plans.answer.serving_rows import kinds_in
from capmodels.plans.answer.work_done import SHORT
from capmodels.plans.costing.serving import gpus_of
from capmodels.plans.document.gpu_kinds import accelerator_named
from capmodels.serving.accelerators import ACCELERATORS
from capmodels.training.time import run_h

if TYPE_CHECKING:
    from collections.abc import Callable

    from capmodels.plans.answer.row import Value
    from capmodels.plans.comparison import DesignResult
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.document.training import TrainingJob
    from capmodels.spec import JSONDict

_UNKNOWN = "No GPUs whose speed is known train it."


def training_rows(columns: list[DesignResult], scene: Scene) -> list[JSONDict]:
    """Rows that a study with training jobs has."""
    if scene.demand is None or not scene.demand.trainings:
        return []
    work, rows = scene.demand, []
    for place, job in enumerate(work.trainings):
        of = f" of {job.name}" if len(work.trainings) > 1 else ""
        rows += [
            row_of(
                f"training_{place}_gpus_count",
                f"GPUs of a run{of}",
                "GPUs",
                columns,
                _of_run(job, scene, lambda count, _hours: count),
                lower=None,
            ),
            row_of(
                f"training_{place}_run_h",
                f"Time of a run{of}",
                "h",
                columns,
                _of_run(job, scene, lambda _count, hours: hours),
            ),
        ]
    if work.streams:
        return rows
    meant = {column.letter: AT_MEAN for column in columns if column.mean_usd is not None}
    a_month = sum(as_number(job.runs_per_month) for job in work.trainings)
    runs = a_month * as_number(fsum(scene.timeline.gpus_mean.factors))

    def per_run(total: Callable[[DesignResult], Value]) -> Callable[[DesignResult], Value]:
        def value(column: DesignResult) -> Value:
            amount, reason = total(column)
            if not column.carries_load:
                return None, SHORT
            return (None, reason) if amount is None else (amount / runs, None)

        return value

    return [
        *rows,
        {
            **row_of(
                "usd_per_run",
                "Cost per training run",
                "USD",
                columns,
                per_run(lambda column: (column.ranked_usd, None)),
            ),
            "notes": meant,
        },
        row_of(
            "kwh_per_run",
            "Energy per training run",
            "kWh",
            columns,
            per_run(lambda column: (column.energy.kwh, column.energy.reason)),
        ),
        row_of(
            "kgco2e_per_run",
            "Carbon per training run",
            "kg CO2e",
            columns,
            per_run(lambda column: (column.carbon.kgco2e, column.carbon.reason)),
        ),
    ]


def _of_run(
    job: TrainingJob, scene: Scene, told: Callable[[float, float], float]
) -> Callable[[DesignResult], Value]:
    """A figure of a run on the GPUs of a design, by how many whole ones it takes and its hours."""

    def value(column: DesignResult) -> Value:
        for kind, joined in kinds_in(column.letter, scene):
            accelerator = accelerator_named(kind)
            if accelerator is None:
                continue
            needed = gpus_of(job, accelerator, int(joined))
            if needed is None:
                continue
            count, sheet = as_number(ceil(needed)), ACCELERATORS[accelerator]
            hours = run_h(job.flop, count, job.shape, sheet, job.learns, job.stops)
            return told(count, as_number(hours)), None
        return None, _UNKNOWN

    return value
