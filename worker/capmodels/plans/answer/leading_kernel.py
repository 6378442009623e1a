"""What the verdict's cheapest design costs, and nothing else of the answer. NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from capmodels.plans.answer.draws_kernel import competes
from capmodels.plans.answer.memo import columns_of
from capmodels.plans.answer.trials_kernel import Evaluator, run_trials
from capmodels.plans.costing.scene import Scene
from capmodels.plans.document.combinations import has_unknowns
from capmodels.plans.document.quantities import quantities_of

if TYPE_CHECKING:
    from capmodels.plans.document.study import StudySpec


def leading_usd(study: StudySpec) -> float:
    """Cost of the cheapest design that competes, as the verdict has it. [USD]

    The mean of the simulations where there are any, by what designs are ranked by; without a
    design that competes, of the cheapest at all.
    """
    scene = Scene(study)
    columns = [kept.result for kept in columns_of(study, scene)]
    costs = [column.ranked_usd for column in columns]
    able = [column.competes for column in columns]
    if study.draws_count and has_unknowns(study):
        letters = [column.letter for column in columns]
        evaluator = Evaluator(study, scene.curves)
        with np.errstate(over="raise", invalid="raise", divide="raise"):
            trials = run_trials(evaluator, quantities_of(study), letters, study.draws_count)
        costs = trials.ranked_usd.mean(axis=1).tolist()
        met = (1.0 - trials.short.mean(axis=1)).tolist()
        able = [competes(column, share) for column, share in zip(columns, met, strict=True)]
    competing = [usd for usd, here in zip(costs, able, strict=True) if here]
    return float(min(competing or costs))
