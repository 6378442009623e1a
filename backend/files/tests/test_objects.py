"""The same journeys with a real object storage that speaks S3 (SeaweedFS) behind the seam."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import urllib.request
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from uuid import UUID

import numpy as np
import pytest
from botocore.exceptions import BotoCoreError, ClientError
from django.core.files.storage import storages

from capmodels.formats.trace_store import TraceRef, block_requests, using
from files.models import File, Gone, Piece
from files.services import gone_remove
from jobs import kinds
from jobs.services import job_claim, job_succeed
from ops import places
from ops.processes import wait_until
from studies.tests import samples as study_samples
from traces.selectors import traces_of
from traces.tests import samples

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from accounts.testing import Person

pytestmark = [pytest.mark.db, pytest.mark.slow, pytest.mark.usefixtures("outbox")]

KEY, SECRET = "key", "secret-of-the-tests"


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A private server with one account, and its address."""
    folder: Path = tmp_path_factory.mktemp("objects")
    account = {
        "name": "tests",
        "credentials": [{"accessKey": KEY, "secretKey": SECRET}],
        "actions": ["Admin", "Read", "Write", "List", "Tagging"],
    }
    (folder / "s3.json").write_text(json.dumps({"identities": [account]}))
    ports = [free_port() for _ in range(4)]
    names = ("master.port", "volume.port", "filer.port", "s3.port")
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            [
                str(places.VENV / "bin" / "weed"), "server", f"-dir={folder}", "-ip=127.0.0.1",
                "-ip.bind=127.0.0.1", "-filer", "-s3", f"-s3.config={folder / 's3.json'}",
                "-volume.max=20", "-master.volumeSizeLimitMB=64",
                *(f"-{name}={port}" for name, port in zip(names, ports, strict=True)),
                *(f"-{name}.grpc={free_port()}" for name in names),
            ],
            stdout=log, stderr=log,
        )  # fmt: skip
        try:
            yield f"http://127.0.0.1:{ports[3]}"
        finally:
            server.kill()
            server.wait()


@pytest.fixture
def objects(endpoint: str, settings: Any) -> Any:
    """The installation keeps large things there."""
    options = {
        "endpoint_url": endpoint,
        "public_url": endpoint,
        "bucket_name": "ampacity",
        "region_name": "us-east-1",
        "access_key": KEY,
        "secret_key": SECRET,
    }
    settings.STORAGES = {
        **settings.STORAGES,
        "objects": {"BACKEND": "files.objects.ObjectStorage", "OPTIONS": options},
    }
    settings.LARGE_STORAGE = "objects"
    storage: Any = storages["objects"]
    client = storage.connection.meta.client

    def made() -> bool:
        try:
            client.create_bucket(Bucket="ampacity")
        except client.exceptions.BucketAlreadyExists:
            return True
        except BotoCoreError:
            return False  # it does not answer yet
        except ClientError as exc:
            return bool(exc.response["Error"]["Code"] == "BucketAlreadyOwnedByYou")
        return True

    wait_until(made, what="the object storage", timeout_s=60)
    return client


def keys(client: Any) -> list[str]:
    found = client.list_objects_v2(Bucket="ampacity").get("Contents", [])
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
