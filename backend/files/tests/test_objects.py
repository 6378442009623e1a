"""The same journeys with a real object storage that speaks S3 (SeaweedFS) behind the seam."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import urllib.request
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import numpy as np
import pytest
from botocore.exceptions import BotoCoreError, ClientError
from django.core.files.storage import storages
from django.utils import timezone

from capmodels.formats.trace_store import TraceRef, block_requests, using
from files import parts
from files.models import File, Gone, Piece, Upload
from files.objects import ObjectStorage
from files.services import gone_remove, uploads_prune
from files.sweeping import Sweep
from jobs import kinds
from jobs.services import job_claim, job_succeed
from ops import places
from ops.net import free_ports
from ops.processes import tail, wait_until
from studies.tests import samples as study_samples
from traces.selectors import traces_of
from traces.tests import samples

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from accounts.testing import Person

pytestmark = [pytest.mark.db, pytest.mark.slow, pytest.mark.usefixtures("outbox")]

KEY, SECRET, BUCKET = "key", "secret-of-the-tests", "ampacity"


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A private server with one account and an empty bucket, and its address."""
    folder: Path = tmp_path_factory.mktemp("objects")
    account = {
        "name": "tests",
        "credentials": [{"accessKey": KEY, "secretKey": SECRET}],
        "actions": ["Admin", "Read", "Write", "List", "Tagging"],
    }
    (folder / "s3.json").write_text(json.dumps({"identities": [account]}))
    names = ("master.port", "volume.port", "filer.port", "s3.port")
    ports = free_ports(2 * len(names))
    log = folder / "log"
    with log.open("wb") as written:
        server = subprocess.Popen(
            [
                str(places.VENV / "bin" / "weed"), "server", f"-dir={folder}", "-ip=127.0.0.1",
                "-ip.bind=127.0.0.1", "-filer", "-s3", f"-s3.config={folder / 's3.json'}",
                "-volume.max=20", "-master.volumeSizeLimitMB=64", "-master.telemetry=false",
                "-s3.port.iceberg=0", "-s3.port.lance=0",  # at ports of their own otherwise
                *(f"-{name}={port}" for name, port in zip(names, ports[:4], strict=True)),
                *(f"-{name}.grpc={port}" for name, port in zip(names, ports[4:], strict=True)),
            ],
            stdout=written, stderr=written,
        )  # fmt: skip
        address = f"http://127.0.0.1:{ports[3]}"

        def answers() -> bool:
            assert server.poll() is None, f"the object storage ended:\n{tail(log, lines=40)}"
            with contextlib.suppress(BotoCoreError, ClientError):
                return bool(
                    client_of(ObjectStorage(**options(address))).create_bucket(Bucket=BUCKET)
                )
            return False

        try:
            wait_until(answers, what="the object storage", timeout_s=180)
            yield address
        finally:
            server.kill()
            server.wait()


def options(endpoint: str) -> dict[str, str]:
    return {
        "endpoint_url": endpoint,
        "public_url": endpoint,
        "bucket_name": BUCKET,
        "region_name": "us-east-1",
        "access_key": KEY,
        "secret_key": SECRET,
    }


def client_of(storage: Any) -> Any:
    return storage.connection.meta.client


@pytest.fixture
def objects(endpoint: str, settings: Any) -> Any:
    """The installation keeps large things there."""
    settings.STORAGES = {
        **settings.STORAGES,
        "objects": {"BACKEND": "files.objects.ObjectStorage", "OPTIONS": options(endpoint)},
    }
    settings.LARGE_STORAGE = "objects"
    return client_of(storages["objects"])


def keys(client: Any) -> list[str]:
    found = client.list_objects_v2(Bucket=BUCKET).get("Contents", [])
    return [one["Key"] for one in found]


def test_a_trace_goes_through_the_object_storage(alice: Person, objects: Any) -> None:
    trace = samples.work_off(alice, samples.upload(alice, samples.vscsi()))
    with alice.workspace():
        [file] = File.objects.all()
        assert (file.storage, file.kind, Piece.objects.count()) == ("objects", "trace", 0)
    ref = TraceRef(trace_id=trace["id"], sha256=trace["sha256"])
    with using(traces_of(alice.workspace_id)):
        np.testing.assert_array_equal(block_requests(ref).block_lba, np.arange(100) * 16)
    # the file as it came is let go, the columns stay until the trace is removed
    assert gone_remove() == 1
    assert keys(objects) == [file.name]
    assert alice.delete(f"traces/{trace['id']}").status_code == 204
    assert gone_remove() == 1
    assert keys(objects) == []
    with alice.workspace():
        assert not Gone.objects.exists()


def test_a_report_is_fetched_from_where_it_is(alice: Person, objects: Any) -> None:
    study = alice.post("studies", study_samples.study()).json()
    asked = alice.post("reports", {"study": study["id"], "format": "csv"})
    assert asked.status_code == 202, asked.content
    job = job_claim(job_id=UUID(asked.json()["id"]), workspace_id=alice.workspace_id)
    assert job
    job_succeed(job, kinds.perform(job, lambda _fraction, _message: None))
    led = alice.get(f"reports/{asked.json()['id']}/file")
    assert (led.status_code, led["Cache-Control"]) == (302, "no-store")
    with urllib.request.urlopen(led["Location"]) as answer:
        assert "attachment" in answer.headers["Content-Disposition"]
        assert len(answer.read()) > 100
    bare = urlsplit(led["Location"])._replace(query="").geturl()
    with pytest.raises(HTTPError, match="403"):
        urllib.request.urlopen(bare)


PART = 5 << 20


def put(url: str, data: bytes) -> int:
    """Send as a page does; return the status."""
    asked = urllib.request.Request(url, data, method="PUT")
    try:
        with urllib.request.urlopen(asked) as answer:
            return int(answer.status)
    except HTTPError as exc:
        return exc.code


def begun(person: Person, size: int) -> dict[str, Any]:
    upload: dict[str, Any] = person.post("uploads", {"name": "n.spc", "bytes": size}).json()
    return upload


def addresses(person: Person, upload: dict[str, Any]) -> list[str]:
    numbers = list(range(1, upload["parts_count"] + 1))
    asked = person.post(f"uploads/{upload['id']}/parts", {"numbers": numbers})
    return [part["url"] for part in asked.json()["results"]]


def test_parts_go_straight_to_the_bucket(
    alice: Person, objects: Any, endpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "PART_BYTES_MIN", PART)
    data = samples.spc(300_000)
    upload = begun(alice, len(data))
    first, second = addresses(alice, upload)
    assert first.startswith(endpoint)
    # an address is for its part alone: another size, another number, another day are refused
    assert put(first, data[: PART - 1]) == 403
    assert put(first.replace("partNumber=1", "partNumber=2"), data[:PART]) == 403
    assert put(second, data[PART:]) == 200
    missing = alice.post(f"uploads/{upload['id']}/end", {})
    assert (missing.status_code, missing.json()["missing"]) == (409, [1])
    assert alice.get(f"uploads/{upload['id']}").json()["parts_there"] == [2]
    assert put(first, data[:PART]) == 200
    assert alice.post(f"uploads/{upload['id']}/end", {}).json()["ended"]
    asked = alice.post(f"traces?upload={upload['id']}", None).json()
    trace = samples.work_off(alice, asked)
    assert (trace["state"], trace["rows_count"]) == ("succeeded", 300_000)


def test_the_bucket_is_swept(alice: Person, objects: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "PART_BYTES_MIN", PART)
    for name in keys(objects):
        objects.delete_object(Bucket=BUCKET, Key=name)
    trace = samples.work_off(alice, samples.upload(alice, samples.vscsi()))
    gone_remove()
    [kept] = keys(objects)
    # left by a transaction that was undone; not ours; given up; forgotten
    stray = f"{alice.workspace_id}/series/{uuid4()}"
    for name in (stray, "somebody/elses"):
        objects.put_object(Bucket=BUCKET, Key=name, Body=b"x")
    alice.delete(f"uploads/{begun(alice, 6 << 20)['id']}")
    forgotten = begun(alice, 6 << 20)
    assert put(addresses(alice, forgotten)[0], b"x" * PART) == 200
    uploads_prune(timezone.now() + timedelta(days=2))
    under_way = begun(alice, 6 << 20)
    sweep = Sweep()
    assert sweep.turn() == 0  # all of it is too young
    later = timezone.now() + timedelta(days=2)
    sweep = Sweep()
    assert sweep.turn(later) == 2
    assert sorted(keys(objects)) == sorted([kept, "somebody/elses"])
    with alice.workspace():
        [still] = Upload.objects.all()
    open_still = storages["objects"].uploads_open()  # type: ignore[attr-defined]  # ours
    assert [token for _, token, _ in open_still] == [still.token]
    assert sweep.turn(later) == 0
    assert alice.get(f"traces/{trace['id']}").json()["state"] == "succeeded"
    assert str(still.pk) == under_way["id"]
    objects.delete_object(Bucket=BUCKET, Key="somebody/elses")
    alice.delete(f"uploads/{under_way['id']}")


def test_pages_may_send_parts_to_a_bucket_made_ready(objects: Any) -> None:
    storage: Any = storages["objects"]
    for _ in range(2):
        storage.prepare("https://ampacity.example")
    url = storage.url("any")
    asked = urllib.request.Request(url.partition("?")[0], method="OPTIONS")
    asked.add_header("Origin", "https://ampacity.example")
    asked.add_header("Access-Control-Request-Method", "PUT")
    with urllib.request.urlopen(asked) as answer:
        assert answer.headers["Access-Control-Allow-Origin"] in {"*", "https://ampacity.example"}


def test_without_an_object_storage_its_packages_are_not_loaded() -> None:
    script = (
        "import django, sys; django.setup(); import config.urls, capworker.app;"
        "print([name for name in ('boto3', 'botocore') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True,
        cwd=places.ROOT / "backend",
    )  # fmt: skip
    assert done.stdout.strip() == "[]"
