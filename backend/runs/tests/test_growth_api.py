"""Growth of a study from a forecast: of a trace, a bill's months, a run; and when it is old."""

from __future__ import annotations

import io
import random
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

import pytest

from capmodels.formats.trace_store import using
from capmodels.plans.document.workload import Growth
from jobs import kinds
from jobs.services import job_claim, job_succeed
from runs.tests.work import work_off
from traces.selectors import traces_of

if TYPE_CHECKING:
    from studies.tests.people import Planner

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]

WORK = {"kind": "demand", "busy_cores_count": 20.0}
CORES = "cores_fraction_per_year"


def bill(seed: int, months: int, growth: float) -> bytes:
    """A FOCUS file with a charge a month."""
    rng = random.Random(seed)
    head = (
        "BilledCost,EffectiveCost,ListCost,BillingCurrency,ChargePeriodStart,ChargePeriodEnd,"
        "BillingPeriodStart,BillingPeriodEnd,ChargeCategory,ServiceCategory,ServiceName,"
        "ChargeDescription,ProviderName,PricingUnit,PricingQuantity,ConsumedQuantity,ConsumedUnit"
    )
    rows = [head]
    for at in range(months):
        start = f"20{24 + at // 12}-{at % 12 + 1:02d}-01T00:00:00Z"
        end = f"20{24 + (at + 1) // 12}-{(at + 1) % 12 + 1:02d}-01T00:00:00Z"
        cost = f"{1000 * (1 + growth) ** (at / 12) + rng.uniform(-5, 5):.2f}"
        rows.append(
            f"{cost},{cost},{cost},USD,{start},{end},{start},{end},Usage,Storage,"
            "Simple Storage Service,TimedStorage,AWS,GB-Mo,1,1,GB"
        )
    return "\n".join(rows).encode()


def worked(planner: Planner, kind: str, data: bytes, name: str) -> dict[str, Any]:
    """Upload a file and read it, as a worker does."""
    file = io.BytesIO(data)
    file.name = name
    asked = planner.client.post(f"/api/v1/{kind}", {"file": file}).json()
    job = job_claim(job_id=UUID(asked["id"]), workspace_id=planner.workspace_id)
    assert job
    job_succeed(job, kinds.perform(job, lambda _fraction, _message: None))
    found: dict[str, Any] = planner.get(f"/{kind}/{asked['id']}").json()
    assert found["state"] == "succeeded", found
    return found


def forecast(planner: Planner, **params: Any) -> dict[str, Any]:
    response = planner.post("/runs", {"model": "demand.forecast", "params": params})
    assert response.status_code == 202, response.content
    with using(traces_of(planner.workspace_id)):
        return work_off(planner, response.json())


def result(planner: Planner, run: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = planner.get(f"/runs/{run['id']}/result").json()["result"]
    return found


def stale(planner: Planner, study: dict[str, Any]) -> list[str]:
    (one,) = planner.get(f"/studies/{study['id']}/tool-runs").json()["results"]
    found: list[str] = one["stale"]
    return found


def of_bill(planner: Planner, held: dict[str, Any]) -> dict[str, Any]:
    series = planner.get(f"/imports/{held['id']}/months").json()
    return forecast(planner, values=series["values"], step="month", trend="share")


@pytest.mark.decisive
def test_a_bills_months_become_the_growth_of_all_work_as_one_unknown(alice: Planner) -> None:
    held = worked(alice, "imports", bill(3, 30, 0.24), "cloud.csv")
    run, study = of_bill(alice, held), alice.study(draws_count=0, workload=WORK)
    asked = {"run": run["id"], "series": {"origin": "import", "id": held["id"]}}
    answer = alice.post(f"/studies/{study['id']}/growth", asked)
    assert answer.status_code == 201, answer.content
    found, now = result(alice, run), alice.get(f"/studies/{study['id']}").json()
    value = found["growth_fraction_per_year"]
    assert value == pytest.approx(0.24, abs=0.01)
    assert now["faults"] == study["faults"]
    assert set(now["workload"]["growth"]) == set(Growth.model_fields)
    assert now["workload"]["growth"][CORES] == pytest.approx(value, rel=1e-5)
    origin = now["workload_provenance"][f"/growth/{CORES}"]
    assert (origin["quality"], origin["run"]) == ("derived", run["id"])
    assert origin["source"] == "Forecast of cloud.csv"
    mine = [one for one in now["ranges"] if one["pointer"].startswith("/workload/growth/")]
    assert len(mine) == len(Growth.model_fields)
    assert len({one["quantity"] for one in mine}) == 1
    assert mine[0]["low"] == pytest.approx(found["growth_low_fraction_per_year"], rel=1e-5)
    assert stale(alice, study) == []
    # Taken again, nothing stands twice.
    assert alice.post(f"/studies/{study['id']}/growth", asked).status_code == 201
    assert alice.get(f"/studies/{study['id']}").json()["ranges"] == now["ranges"]
    # The next month's bill has another series.
    worked(alice, "imports", bill(4, 31, 0.1), "cloud.csv")
    (reason,) = stale(alice, study)
    assert reason.startswith("There is a later bill with another series: cloud.csv, ")
    alice.delete(f"/imports/{held['id']}")
    assert stale(alice, study) == ["The bill cloud.csv is no longer there."]


def csv_trace(seed: int, days: int) -> bytes:
    rng = random.Random(seed)
    rows = ["time,machine,cpu_percent"]
    for at in range(24 * days):
        day, hour = divmod(at, 24)
        month, left = (10, day) if day < 31 else (11, day - 31)
        cpu = 20 + 0.2 * day + rng.uniform(-1, 1)
        rows.append(f"2025-{month}-{left + 1:02d}T{hour:02d}:00:00Z,web-1,{cpu:.3f}")
    return "\n".join(rows).encode()


def test_a_traces_growth_goes_to_the_cores_and_is_old_once_a_newer_is_read(alice: Planner) -> None:
    held = worked(alice, "traces", csv_trace(1, 40), "web.csv")
    assert held["kind"] == "utilization", held
    trace = {"kind": "uploaded", "trace_id": held["id"], "sha256": held["sha256"]}
    run = forecast(alice, values=[1.0] * 8, trace=trace, step="day")
    study = alice.study(draws_count=0, workload=WORK)
    said = {"run": run["id"], "of": ["cores"], "state": {"step": "day"}}
    answer = alice.post(f"/studies/{study['id']}/growth", said)
    assert answer.status_code == 201, answer.content
    (one,) = answer.json()["results"]
    assert (one["tool"], one["title"], one["state"]) == (
        "forecast",
        "Forecast of web",
        {"step": "day"},
    )
    now = alice.get(f"/studies/{study['id']}").json()
    assert list(now["workload"]["growth"]) == [CORES]
    # 0.2 points a day of a level of 28% at the end.
    assert now["workload"]["growth"][CORES] == pytest.approx(0.2 * 365.25 / 28, rel=0.05)
    worked(alice, "traces", csv_trace(2, 40), "web.csv")
    (reason,) = stale(alice, study)
    assert reason.startswith("There is a later trace with another series: web, ")


def test_a_runs_series_is_known_by_its_place_in_the_result(alice: Planner) -> None:
    first = forecast(alice, values=[float(100 + at) for at in range(24)], step="month")
    values = result(alice, first)["forecast"]
    run, study = (
        forecast(alice, values=values, step="month"),
        alice.study(draws_count=0, workload=WORK),
    )
    series = {"origin": "run", "id": first["id"], "pointer": "/forecast"}
    path = f"/studies/{study['id']}/growth"
    said = {"run": run["id"], "of": ["ram", "block"], "series": series}
    assert alice.post(path, said).status_code == 201
    assert stale(alice, study) == []
    wrong = alice.post(path, {**said, "series": {**series, "pointer": "/range_low"}})
    assert [one["code"] for one in wrong.json()["errors"]] == ["not_the_same"]
    gone = alice.post(path, {**said, "series": {**series, "pointer": "/nothing"}})
    assert [one["pointer"] for one in gone.json()["errors"]] == ["/series/pointer"]


def test_what_is_no_growth_is_refused(alice: Planner, charlie: Planner) -> None:
    old, study = alice.study(draws_count=0), alice.study(draws_count=0, workload=WORK)
    path = f"/studies/{study['id']}/growth"
    other = alice.post("/runs", {"model": "performance.workload_taxonomy", "params": {}}).json()
    assert alice.post(path, {"run": other["id"]}).status_code == 409
    work_off(alice, other)
    assert alice.post(path, {"run": other["id"]}).status_code == 422
    below = forecast(alice, values=[float(-at) for at in range(24)], step="month")
    assert alice.post(path, {"run": below["id"]}).status_code == 409
    run = forecast(alice, values=[float(9 + at) for at in range(24)], step="month")
    assert alice.post(f"/studies/{old['id']}/growth", {"run": run["id"]}).status_code == 409
    assert alice.post(path, {"run": run["id"], "of": ["users"]}).status_code == 422
    assert alice.post(path, {"run": str(uuid4())}).status_code == 404
    assert charlie.post(path, {"run": run["id"]}).status_code == 404
    held = worked(alice, "imports", bill(1, 5, 0.0), "short.csv")
    # Too few for a forecast, which says so; the months are there all the same.
    assert len(alice.get(f"/imports/{held['id']}/months").json()["months"]) == 5
    assert alice.get(f"/studies/{study['id']}").json()["revision"] == study["revision"]
