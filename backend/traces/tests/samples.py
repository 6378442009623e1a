"""Small traces, written by hand, and what a worker does with them."""

from __future__ import annotations

import io
import struct
from typing import TYPE_CHECKING, Any
from uuid import UUID

from jobs import kinds
from jobs.services import job_claim, job_succeed

if TYPE_CHECKING:
    from accounts.testing import Person

READ10, WRITE10 = 0x28, 0x2A


def vscsi(requests: int = 100, step_us: int = 10_000) -> bytes:
    """Return a vscsi trace: 8 KiB each, every fourth one a write, one each 10 ms."""
    return b"".join(
        struct.pack(
            "<IIIHHQQ",
            number,
            8192,
            1,
            WRITE10 if number % 4 == 3 else READ10,
            0x0100,
            number * 16,
            number * step_us,
        )
        for number in range(requests)
    )


def spc(lines: int, start: int = 0) -> bytes:
    """Return an SPC trace: one read of 4 KiB each millisecond, blocks in order."""
    return b"".join(
        b"0,%d,4096,R,%.3f\n" % (8 * row, row / 1000) for row in range(start, start + lines)
    )


def upload(person: Person, data: bytes, name: str = "web.vscsi", **given: Any) -> dict[str, Any]:
    """Send a file as a form does; return the trace."""
    file = io.BytesIO(data)
    file.name = name
    response = person.client.post("/api/v1/traces", {"file": file, **given})
    assert response.status_code == 202, response.content
    trace: dict[str, Any] = response.json()
    return trace


def work_off(person: Person, trace: dict[str, Any]) -> dict[str, Any]:
    """Do what a worker does: claim, perform, record; return the trace as it is then."""
    job = job_claim(job_id=UUID(trace["id"]), workspace_id=person.workspace_id)
    assert job
    job_succeed(job, kinds.perform(job, lambda _fraction, _message: None))
    ended: dict[str, Any] = person.get(f"traces/{trace['id']}").json()
    return ended
