"""A file in parts through the server: gone on with where it broke, and nothing believed of it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from files import parts
from files.models import File, Gone, Piece, Upload
from files.services import gone_remove, uploads_prune
from traces.tests import samples

if TYPE_CHECKING:
    from accounts.testing import Person

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]

MIB = 1 << 20


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "PART_BYTES_MIN", MIB)


def put(person: Person, upload: dict[str, Any], number: int, data: bytes) -> Any:
    asked = person.post(f"uploads/{upload['id']}/parts", {"numbers": [number]})
    [part] = asked.json()["results"]
    assert part["number"] == number
    return person.client.generic("PUT", part["url"], data, "application/octet-stream")


def begun(person: Person, size: int, name: str = "night.spc") -> dict[str, Any]:
    answer = person.post("uploads", {"name": name, "bytes": size})
    assert answer.status_code == 201, answer.content
    upload: dict[str, Any] = answer.json()
    return upload


def cut(data: bytes, upload: dict[str, Any]) -> dict[int, bytes]:
    each = upload["part_bytes"]
    return {n + 1: data[n * each : (n + 1) * each] for n in range(upload["parts_count"])}


@pytest.mark.decisive
def test_a_broken_upload_goes_on_from_the_last_whole_part(alice: Person, charlie: Person) -> None:
    data = samples.spc(100_000)
    upload = begun(alice, len(data))
    pieces = cut(data, upload)
    assert len(pieces) >= 3
    assert put(alice, upload, 2, pieces[2]).status_code == 204
    assert put(alice, upload, 1, pieces[1]).status_code == 204
    # one byte less is no part, and what is there stays
    short = put(alice, upload, 2, pieces[2][:-1])
    assert (short.status_code, "1,048,575 were sent" in short.json()["detail"]) == (422, True)
    # another tab, another day: it asks what is there
    held = alice.get(f"uploads/{upload['id']}").json()
    assert (held["parts_there"], held["ended"]) == ([1, 2], False)
    early = alice.post(f"uploads/{upload['id']}/end", {})
    rest = sorted({*pieces} - {1, 2})
    assert (early.status_code, early.json()["missing"]) == (409, rest)
    assert alice.post(f"traces?upload={upload['id']}", None).status_code == 409
    for number in (*rest, 1):
        assert put(alice, upload, number, pieces[number]).status_code == 204
    for path in ("", "/parts", "/end"):
        assert charlie.get(f"uploads/{upload['id']}{path}").status_code in {404, 405}
    assert charlie.post(f"traces?upload={upload['id']}", None).status_code == 404
    assert alice.post(f"uploads/{upload['id']}/end", {}).json()["ended"]
    assert put_again(alice, upload, pieces[1]) == 409
    asked = alice.post(f"traces?upload={upload['id']}&title=Night", None)
    assert asked.status_code == 202, asked.content
    assert (asked.json()["file_name"], asked.json()["bytes"]) == ("night.spc", len(data))
    trace = samples.work_off(alice, asked.json())
    assert (trace["state"], trace["title"], trace["rows_count"]) == ("succeeded", "Night", 100_000)
    assert alice.get(f"uploads/{upload['id']}").status_code == 404


def put_again(person: Person, upload: dict[str, Any], data: bytes) -> int:
    address = f"/api/v1/uploads/{upload['id']}/parts/1"
    answer = person.client.generic("PUT", address, data, "application/octet-stream")
    return int(answer.status_code)


def test_room_is_asked_for_before_anything_is_sent(alice: Person, settings: Any) -> None:
    settings.TRACE_BYTES_MAX = 5 * MIB
    assert alice.post("uploads", {"name": "x", "bytes": 6 * MIB}).status_code == 413
    settings.QUOTAS = {**settings.QUOTAS, "stored_mb": 6}
    begun(alice, 4 * MIB)
    full = alice.post("uploads", {"name": "x", "bytes": 4 * MIB})
    assert (full.status_code, full.json()["quota"]["name"]) == (507, "stored_mb")
    assert alice.post("uploads", {"name": "x", "bytes": 0}).status_code == 422


def test_numbers_that_no_part_has_are_refused(alice: Person) -> None:
    upload = begun(alice, MIB + 1)
    asked = alice.post(f"uploads/{upload['id']}/parts", {"numbers": [1, 3]})
    assert (asked.status_code, asked.json()["errors"][0]["pointer"]) == (422, "/numbers/1")
    for number in ("0", "3", "x", "99999999"):
        address = f"/api/v1/uploads/{upload['id']}/parts/{number}"
        sent = alice.client.generic("PUT", address, b"x", "application/octet-stream")
        assert sent.status_code == 404


@pytest.mark.parametrize("forgotten", [False, True])
def test_what_is_given_up_or_forgotten_goes(alice: Person, forgotten: bool) -> None:
    upload = begun(alice, 2 * MIB)
    assert put(alice, upload, 1, b"x" * MIB).status_code == 204
    if forgotten:
        uploads_prune(timezone.now() + timedelta(hours=23))
        with alice.workspace():
            assert Upload.objects.exists()
        uploads_prune(timezone.now() + timedelta(hours=25))
    else:
        assert alice.delete(f"uploads/{upload['id']}").status_code == 204
    assert alice.get(f"uploads/{upload['id']}").status_code == 404
    gone_remove()
    with alice.workspace():
        assert not any(model.objects.exists() for model in (File, Upload, Piece, Gone))


def test_a_very_large_file_has_a_thousand_parts_at_most() -> None:
    for size in (1, 8 * MIB, 10**9, 10**11):
        each = parts.part_bytes_of(size)
        assert (each % MIB, -(-size // each) <= 1000) == (0, True)
