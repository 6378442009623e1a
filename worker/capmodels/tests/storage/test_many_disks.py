"""Shelves of more disks than an array of the papers, and how much work a run may be."""

from __future__ import annotations

import pytest

from capmodels.registry import get_model
from capmodels.spec import evaluate
from capmodels.storage.drive.drives import ULTRASTAR_15K73
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.arrivals import ExponentialArrivals
from capmodels.storage.simulator.layout import Layout
from capmodels.storage.simulator.params import ArrayDesign, SyntheticWorkload
from capmodels.storage.simulator.run import run_synthetic
from capmodels.tests.asking import faults

INSTANT = get_model("storage.array_instant")


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "gap_ms", "reads"), [("raid0", 0.12, 1.0), ("raid7", 0.3, 0.7)])
def test_a_shelf_of_108_disks_answers_as_its_closed_form(
    kind: str, gap_ms: float, reads: float
) -> None:
    layout = Layout.model_validate({"kind": kind, "disks_count": 108})
    design = ArrayDesign(drive=ULTRASTAR_15K73, layout=layout, timeouts=None)
    arrivals = ExponentialArrivals(mean_ms=gap_ms)
    work = SyntheticWorkload(arrivals=arrivals, requests_count=60_000, read_fraction=reads)
    out = run_synthetic(design, work, seed=1)
    document = {
        "drive": ULTRASTAR_15K73.model_dump(),
        "layout": kind,
        "disks_count": 108,
        "arrival_rate_per_s": 1000 / gap_ms,
        "read_fraction": reads,
    }
    instant = evaluate(INSTANT, document)
    mean_ms = float(out.response[0, k.SUM] / out.response[0, k.DONE])
    assert mean_ms == pytest.approx(instant.read_response_ms, rel=0.03)
    assert (out.count[:108, k.READ_OPS] > 0).all()


@pytest.mark.parametrize(
    ("layout", "requests", "pointer"),
    [
        ({"kind": "raid6", "disks_count": 108}, 10_000_000, "/replicates_count"),
        ({"kind": "raid6", "disks_count": 257}, 1000, "/array/layout/disks_count"),
        ({"kind": "raid7", "disks_count": 4}, 1000, "/array/layout/disks_count"),
    ],
)
def test_more_than_can_be_simulated_is_refused(
    layout: dict[str, object], requests: int, pointer: str
) -> None:
    work = {"kind": "synthetic", "requests_count": requests}
    assert pointer in faults("storage.array", {"array": {"layout": layout}, "workload": work})
