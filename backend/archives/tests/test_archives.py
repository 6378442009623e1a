"""A workspace goes into a file and comes out of it elsewhere as it was."""

from __future__ import annotations

import hashlib
import io
import zipfile
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

import orjson
import pytest
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import AuditEntry
from accounts.services import workspace_create
from accounts.testing import JSON, sign_in
from archives import parts
from capmodels.errors import ModelError
from capmodels.testing.studies import random_study
from catalogue.testing import shipped_load
from imports.tests.test_designs_api import SAME
from imports.tests.test_designs_api import bill as a_bill
from imports.tests.test_imports_api import imported
from jobs import kinds
from jobs.services import job_claim, job_fail, job_succeed
from runs.services import run_study
from sharing.models import ApprovalRequest
from studies import exchange
from studies.selectors import study_get
from studies.services import study_import
from studies.tests.samples import study
from studies.tests.test_round_trip import STUDIES
from traces.tests.samples import upload, vscsi
from traces.tests.samples import work_off as trace_work_off

if TYPE_CHECKING:
    from collections.abc import Callable

    from accounts.testing import Person

ALL_OF_IT = "designs,break_evens,odds,rows"
pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]
SEEDS = range(6)


def work_off(person: Person, archive: dict[str, Any]) -> dict[str, Any]:
    """Do what a worker does; return the archive as it is then."""
    job = job_claim(job_id=UUID(archive["id"]), workspace_id=person.workspace_id)
    assert job
    try:
        job_succeed(job, kinds.perform(job, lambda _fraction, _message: None))
    except ModelError as exc:
        job_fail(job, str(exc))
    ended: dict[str, Any] = person.get(f"archives/{archive['id']}").json()
    return ended


def exported(person: Person) -> bytes:
    made = work_off(person, person.post("archives/export").json())
    assert made["state"] == "succeeded", made
    answer = person.get(f"archives/{made['id']}/file")
    data = b"".join(answer.streaming_content)
    assert hashlib.sha256(data).hexdigest() == made["sha256"]
    assert len(data) == made["bytes_count"]
    return data


def read_in(person: Person, data: bytes) -> dict[str, Any]:
    file = io.BytesIO(data)
    file.name = "all.zip"
    answer = person.client.post("/api/v1/archives", {"file": file})
    assert answer.status_code == 202, answer.content
    return work_off(person, answer.json())


def members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def studies_of(data: bytes) -> dict[str, bytes]:
    return {name: text for name, text in members(data).items() if name.startswith("studies/")}


@pytest.fixture
def fresh(database: None) -> Person:
    """Return somebody with a workspace that nothing is in."""
    return sign_in(workspace_create(email="fresh@example.org", name="Elsewhere"))


def fill(alice: Person) -> dict[str, Any]:
    """Put one of everything into Alice's workspace."""
    made = alice.post("studies", study(draws_count=0)).json()
    path = f"studies/{made['id']}"
    alice.patch(path, {"tags": ["east"]}, headers={"if-match": alice.get(path).headers["ETag"]})
    with alice.workspace():
        run = run_study(study_get(UUID(made["id"])))
    job = job_claim(job_id=run.pk, workspace_id=alice.workspace_id)
    assert job
    job_succeed(job, kinds.perform(job, lambda _fraction, _message: None))
    alice.post(f"studies/{made['id']}/comments", {"text": "Why so few?", "letter": "A"})
    approved = {"name": "Budget", "sentence": "Go."}
    assert alice.post(f"studies/{made['id']}/approvals", approved).status_code == 201
    asked = {"sentence": "And with newer prices?"}
    assert alice.post(f"studies/{made['id']}/approvals/ask", asked).status_code == 204
    rows = [{"month": timezone.now().strftime("%Y-%m"), "cost_usd": 12.5}]
    path = f"/api/v1/studies/{made['id']}/actuals"
    assert alice.client.put(path, {"rows": rows}, content_type=JSON).status_code == 200
    entry = {"slug": "our-node", "kind": "server", "title": "Our node"}
    values = {"idle_w": {"value": 120.5, "source": "Power meter", "as_of": "2026-01-02"}}
    assert alice.post("catalogue/entries", {**entry, "values": values}).status_code == 201
    trace = trace_work_off(alice, upload(alice, vscsi(), name="web.vscsi"))
    return {"study": made["id"], "run": str(run.pk), "trace": trace["id"]}


@pytest.mark.decisive
def test_everything_of_a_workspace_comes_out_elsewhere(alice: Person, fresh: Person) -> None:
    ids = fill(alice)
    data = exported(alice)
    found = read_in(fresh, data)
    assert found["state"] == "succeeded", found["error"]
    one_each = ("studies", "comments", "actuals", "approvals", "requests", "catalogue", "traces")
    assert found["counts"] == {**dict.fromkeys(one_each, 1), "runs": 3, "imports": 0}
    assert found["notes"] == []
    again = exported(fresh)
    assert studies_of(again) == studies_of(data)
    (there,) = fresh.get("studies").json()["results"]
    assert there["tags"] == ["east"]
    comment = fresh.get(f"studies/{there['id']}/comments").json()["results"][0]
    assert (comment["text"], comment["author"]) == (
        "Why so few?",
        "alice@example.org (from an archive)",
    )
    approval = fresh.get(f"studies/{there['id']}/approvals").json()["results"][0]
    assert approval["name"] == "Budget"
    assert fresh.get("studies/standing").json()["asked"] == [there["id"]]
    with fresh.workspace():
        request = ApprovalRequest.objects.get()
    assert (request.sentence, request.asked_by) == (
        "And with newer prices?",
        "alice@example.org (from an archive)",
    )
    assert fresh.get(f"studies/{there['id']}/actuals").json()["rows"][0]["cost_usd"] == 12.5
    # By the old id as well, which documents and inputs of runs have.
    was, now = (
        who.get(f"runs/{ids['run']}/result?include={ALL_OF_IT}").json() for who in (alice, fresh)
    )
    assert was == now
    assert fresh.get(f"traces/{ids['trace']}").json()["sha256"]
    assert fresh.get("catalogue/entries/our-node").json()["values"]["idle_w"]["value"] == 120.5
    # What was computed answers here as well.
    with fresh.workspace():
        assert run_study(study_get(UUID(there["id"]))).reused_from_id
        done = AuditEntry.objects.get(action="workspace.import")
    assert done.target == "all.zip"
    with alice.workspace():
        assert AuditEntry.objects.filter(action="workspace.export").count() == 1


def test_a_bill_of_a_study_is_still_set_beside_its_designs(alice: Person, fresh: Person) -> None:
    shipped_load()
    bill = imported(alice, a_bill(1))["id"]
    made = alice.post(f"imports/{bill}/accept", {"designs": SAME[:1]})
    assert made.status_code == 201, made.content
    beside = alice.get(f"imports/{bill}/differences?letter=A").json()
    assert read_in(fresh, exported(alice))["state"] == "succeeded"
    (there,) = fresh.get("imports").json()["results"]
    found = fresh.get(f"imports/{there['id']}/differences?letter=A")
    assert found.status_code == 200, found.content
    assert found.json()["rows"] == beside["rows"]
    points = fresh.get(f"imports/{there['id']}").json()["open_points"]
    assert points == alice.get(f"imports/{bill}").json()["open_points"] != []
    for step in ("accept", "undo"):
        refused = fresh.post(f"imports/{there['id']}/{step}", {})
        assert refused.status_code == 409
        assert "Undo it first" not in refused.json()["detail"]


def test_an_archive_of_before_lists_were_added_is_read(alice: Person, fresh: Person) -> None:
    fill(alice)

    def old(files: dict[str, bytes]) -> None:
        for name in parts.ADDED:
            del files[name]

    found = read_in(fresh, rezipped(exported(alice), old))
    assert found["state"] == "succeeded", found["error"]
    assert found["counts"]["studies"] == 1
    assert "actuals" not in found["counts"]


def test_what_an_archive_brings_twice_is_taken_once(alice: Person, fresh: Person) -> None:
    fill(alice)
    data = exported(alice)
    read_in(fresh, data)
    assert not any(read_in(fresh, data)["counts"].values())
    # Into where it came from as well, also where a study has changed since.
    assert not any(read_in(alice, data)["counts"].values())
    one = alice.get("studies?limit=1").json()["results"][0]
    changed = alice.client.patch(
        f"/api/v1/studies/{one['id']}", {"question": "Changed"}, content_type="application/json"
    )
    assert changed.status_code == 200, changed.content
    counts = {name: n for name, n in read_in(alice, data)["counts"].items() if n}
    assert set(counts) <= {"studies", "actuals", "approvals"}, counts


def test_a_name_that_is_taken_gets_a_number_and_is_told(alice: Person, fresh: Person) -> None:
    fill(alice)
    fresh.post("studies", study(title="Own or rent?", question="Another one"))
    found = read_in(fresh, exported(alice))
    assert found["notes"] == ["There is a study own-or-rent; the archive's is own-or-rent-2."]
    slugs = {one["slug"] for one in fresh.get("studies").json()["results"]}
    assert slugs == {"own-or-rent", "own-or-rent-2"}


def test_random_studies_come_out_byte_for_byte(alice: Person, fresh: Person) -> None:
    for seed in SEEDS:
        alice.post("studies", {**random_study(seed), "draws_count": 0})
    data = exported(alice)
    assert len(studies_of(data)) == len(SEEDS)
    assert read_in(fresh, data)["state"] == "succeeded"
    assert studies_of(exported(fresh)) == studies_of(data)


@settings(
    max_examples=3, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(drafts=st.lists(STUDIES, min_size=4, max_size=6))
def test_any_drafts_come_out_byte_for_byte(
    alice: Person, fresh: Person, drafts: list[dict[str, Any]]
) -> None:
    with alice.workspace():
        for draft in drafts:
            study_import(exchange.StudyFile.model_validate(draft))
    data = exported(alice)
    read_in(fresh, data)
    came = studies_of(exported(fresh))
    for person in (alice, fresh):
        for one in person.get("studies").json()["results"]:
            person.delete(f"studies/{one['id']}")
    assert came == studies_of(data)
    assert len(came) == len(drafts)


def test_a_new_workspace_of_ones_own_has_its_examples_once(alice: Person, fresh: Person) -> None:
    """A study that is there as it came is not brought a second time."""
    for person in (alice, fresh):
        with person.workspace():
            study_import(exchange.StudyFile.model_validate(study(draws_count=0)), is_example=True)
    found = read_in(fresh, exported(alice))
    assert found["counts"] == {"traces": 0, "imports": 0, "runs": 0}


def rezipped(
    data: bytes, change: Callable[[dict[str, bytes]], None], *, told: bool = True
) -> bytes:
    """Return an archive with other files; ``told``: its manifest says so."""
    files = members(data)
    manifest = orjson.loads(files.pop(parts.MANIFEST))
    change(files)
    if told:
        manifest["files"] = [
            {"name": name, "bytes": len(text), "sha256": hashlib.sha256(text).hexdigest()}
            for name, text in files.items()
        ]
    return zipped({**files, parts.MANIFEST: files.get(parts.MANIFEST) or orjson.dumps(manifest)})


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, text in files.items():
            made.writestr(name, text)
    return out.getvalue()


def put(name: str, text: bytes) -> Callable[[dict[str, bytes]], None]:
    return lambda files: files.update({name: text})


def without_traces(files: dict[str, bytes]) -> None:
    del files[parts.TRACES]


def with_field(name: str, **fields: Any) -> Callable[[dict[str, bytes]], None]:
    """Change the one thing that stands in a list of the archive."""

    def change(files: dict[str, bytes]) -> None:
        (one,) = orjson.loads(files[name])
        files[name] = orjson.dumps([{**one, **fields}])

    return change


def with_result_of_nothing(files: dict[str, bytes]) -> None:
    name = next(name for name in files if name.startswith("runs/"))
    file = orjson.loads(files[name])
    file["run"]["result_of"] = str(uuid4())
    files[name] = orjson.dumps(file)


def test_what_is_damaged_or_changed_is_refused_with_a_sentence(
    alice: Person, fresh: Person
) -> None:
    fill(alice)
    data = exported(alice)
    ((name, text),) = studies_of(data).items()
    manifest = {**orjson.loads(members(data)[parts.MANIFEST]), "ampacity_archive": 2}
    stranger = put("secrets.txt", b"x")
    wrong = {
        b"no zip at all": "no zip archive, or it is damaged",
        data[: len(data) // 2]: "no zip archive, or it is damaged",
        zipped({"a": b"b"}): "no manifest",
        rezipped(data, put(name, text.replace(b"Own", b"Oww")), told=False): "was changed",
        rezipped(data, put(parts.MANIFEST, orjson.dumps(manifest))): "format 2; format 1 is known",
        rezipped(data, stranger, told=False): "do not name the same files: secrets.txt",
        rezipped(data, stranger): "holds secrets.txt, which is no part of a workspace",
        rezipped(data, put(f"files/{uuid4()}/upload", b"x")): "a file of nothing that it holds",
        rezipped(data, put(name, b'{"ampacity": 9, "study": {}}')): "no study that can be read",
        rezipped(data, without_traces): "lacks traces.json",
        rezipped(data, with_result_of_nothing): "names a run that the archive does not hold",
    } | {
        rezipped(data, with_field(where, **fields)): sentence
        for where, fields, sentence in (
            (parts.COMMENTS, {"study": str(uuid4())}, "names a study that it does not hold"),
            (parts.APPROVALS, {"run": str(uuid4())}, "names a run that it does not hold"),
            (parts.COMMENTS, {"text": "a\0b"}, "cannot hold the character NUL"),
            (parts.COMMENTS, {"admin": 1}, "is not as an archive has it: /0/admin"),
        )
    }
    for archive, sentence in wrong.items():
        found = read_in(fresh, archive)
        assert found["state"] == "failed"
        assert sentence in found["error"]["message"]
    assert fresh.get("studies").json()["results"] == []
    assert fresh.get("runs").json()["results"] == []


def test_what_would_burst_is_refused_before_it_is_unpacked(fresh: Person) -> None:
    found = read_in(fresh, zipped({parts.MANIFEST: b" " * 40_000_000}))
    assert "Unpacked the archive would have 40 MB" in found["error"]["message"]


def test_only_an_owner_of_the_workspace_has_its_archives(
    alice: Person, bob: Person, charlie: Person
) -> None:
    made = alice.post("archives/export").json()["id"]
    assert bob.get(f"archives/{made}").status_code == 403
    assert bob.post("archives/export").status_code == 403
    assert alice.get("archives", headers=alice.token()).status_code == 403
    for path in (f"archives/{made}", f"archives/{made}/file"):
        assert charlie.get(path).json() == charlie.get(f"archives/{uuid4()}").json()
    assert alice.get(f"archives/{made}/file").status_code == 409
    assert alice.post("archives/export").json()["id"] != made
    assert alice.get(f"archives/{made}").status_code == 404
