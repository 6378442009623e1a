"""Training jobs in a study: GPUs of each kind that end a run in time, and what a run costs."""

from __future__ import annotations

import math
from typing import Any

import pytest

from capmodels.errors import ParamsError
from capmodels.plans.check.registry import RULES
from capmodels.plans.costing.serving import gpus_of
from capmodels.plans.document.training import TrainingJob
from capmodels.serving.choices import ListedAccelerator, open_model
from capmodels.spec import Context
from capmodels.tests.plans.documents import (
    JSONDict,
    answer,
    cause_usd,
    cloud,
    column,
    demand,
    plain,
    study_of,
)
from capmodels.tests.plans.test_streams import STREAM, by_api, nodes, row_of, with_gpus
from capmodels.training.time import SPEC, TrainingParams

JOB = {"name": "pre", "model": "Llama-3.1-8B", "train_tokens": 2e11, "deadline_h": 240}


def work(**change: Any) -> JSONDict:
    return demand(trainings=[{**JOB, **change}])


def hours_on(accelerator: str, count: int, tokens: float = 2e11) -> float:
    """Time of a run by the model of training."""
    params = TrainingParams(
        model=open_model("Llama-3.1-8B"),
        accelerator=ListedAccelerator(name=accelerator),
        accelerators_count=count,
        train_tokens=tokens,
    )
    return SPEC.run(params, Context()).duration_h.value


@pytest.mark.decisive
@pytest.mark.parametrize(
    ("gpu", "accelerator"), [("NVIDIA H100", "NVIDIA H100 SXM"), ("NVIDIA B200", "NVIDIA B200 SXM")]
)
def test_as_many_gpus_as_end_a_run_in_time_are_there(gpu: str, accelerator: str) -> None:
    result = answer(plain([nodes("A", gpu)], work()))
    count = round(row_of(result, "training_0_gpus_count").values["A"])
    assert hours_on(accelerator, count) <= 240 < hours_on(accelerator, count - 1)
    assert row_of(result, "training_0_run_h").values["A"] == pytest.approx(
        hours_on(accelerator, count)
    )
    (group,) = [one for one in column(result, "A").sizing[0].groups if one.name == "gpu"]
    assert group.count == math.ceil(count / 8)


def test_memory_asks_for_accelerators_that_speed_does_not() -> None:
    slow = TrainingJob(name="x", model="Llama-3.1-70B", train_tokens=1e6)
    # 16 bytes each of 70.6 billion on 80 GiB, nine tenths full.
    assert gpus_of(slow, "NVIDIA H100 SXM") == math.ceil(70.55 * 16 / (0.9 * 80 * 1.073741824))
    adapters = slow.model_copy(update={"learns": "lora"})
    assert gpus_of(adapters, "NVIDIA H100 SXM") == 2
    assert gpus_of(slow, "Google TPU v6e") is None


def test_runs_end_before_the_next_one_and_longer_runs_take_more_gpus() -> None:
    def needed(**change: Any) -> float:
        job = TrainingJob.model_validate({**JOB, **change})
        found = gpus_of(job, "NVIDIA H100 SXM")
        assert isinstance(found, float)
        return found

    assert needed(runs_per_month=6) == pytest.approx(needed(deadline_h=730 / 6))
    assert needed(time_ratio=1.3) > 1.3 * needed() > needed()
    by_flop = needed(train_tokens=None, run_flop=TrainingJob.model_validate(JOB).flop)
    assert by_flop == pytest.approx(needed())
    with pytest.raises(ParamsError, match="tokens or its FLOP"):
        study_of(plain([cloud("A")], work(train_tokens=None)))


def test_a_run_is_paid_by_the_hours_that_it_takes() -> None:
    result = answer(plain([with_gpus("A", "NVIDIA H100")], work()))
    base = column(answer(plain([cloud("A")], demand())), "A")
    used = column(result, "A")
    usd = cause_usd(used, "instances") - cause_usd(base, "instances")
    count = row_of(result, "training_0_gpus_count").values["A"]
    hours = 12 * hours_on("NVIDIA H100 SXM", round(count))
    # Whole machines of eight, 50 dollars an hour each.
    assert usd == pytest.approx(math.ceil(count / 8) * 50 * hours, rel=0.05)
    assert row_of(result, "usd_per_run").values["A"] == pytest.approx(used.ranked_usd / 12)


def test_an_api_trains_nothing_and_what_is_unknown_is_said() -> None:
    both = {**demand(streams=[STREAM]), "trainings": [JOB]}
    api = column(answer(plain([by_api("A")], both)), "A")
    assert api.shortfall is not None
    assert "No instances with GPUs" in api.shortfall.sentence
    unknown = column(answer(plain([with_gpus("A", "Google TPU v6e")], work())), "A")
    assert unknown.shortfall is not None
    assert (
        unknown.shortfall.sentence
        == "How fast Google TPU v6e trains Llama-3.1-8B (pre) is not known."
    )
    hasty = column(answer(plain([with_gpus("A", "NVIDIA T4")], work(deadline_h=0.1))), "A")
    assert hasty.shortfall is not None
    assert "stop more often than they get on" in hasty.shortfall.sentence
    (rule,) = [one for one in RULES if one.number == 27]
    study = study_of(
        plain([with_gpus("A", "NVIDIA H100"), with_gpus("B", "Google TPU v6e")], work())
    )
    (found,) = rule.find(study)
    assert found.sentence.startswith("Design B: How fast Google TPU v6e trains")
    with pytest.raises(ParamsError, match="counted by the training jobs"):
        study_of(plain([cloud("A")], {**work(), "gpu_peak_count": 8}))


def test_the_error_of_the_time_is_a_quantity_of_the_study() -> None:
    study = plain([with_gpus("A", "NVIDIA H100")], work())
    ratio = "/workload/trainings/0/time_ratio"
    study |= {"draws_count": 200, "ranges": [{"pointer": ratio, "low": 0.6, "high": 1.4}]}
    drawn = column(answer(study), "A").model_dump()
    assert drawn["p10_usd"] < 0.9 * drawn["p90_usd"]


def test_streams_and_jobs_stand_beside_each_other() -> None:
    together = {**demand(streams=[STREAM]), "trainings": [JOB]}
    apart = [demand(streams=[STREAM]), work()]

    def gpus(workload: JSONDict) -> float:
        result = column(answer(plain([nodes("A", "NVIDIA H100")], workload)), "A")
        (group,) = [one for one in result.sizing[0].groups if one.name == "gpu"]
        return float(group.count)

    assert gpus(together) == pytest.approx(sum(map(gpus, apart)), abs=1)
