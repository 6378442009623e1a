"""Files that are read again, and files of one's own, as ``bench/run imports`` has them."""

import csv
import gzip
import hashlib
import io
import tempfile
import time
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

from bench._lib import Row, at_most, private_stack
from bench.http import Browser
from capmodels.imports.registry import recognised
from capmodels.imports.table import open_table

_WAIT_S = 300


def again(path: Path) -> Iterator[Row]:
    """A price list of AWS sent twice, from the first byte to what would change."""
    with private_stack() as running:
        browser = Browser(running).sign_in(running.stack.prepared["signin_code"])
        first = _imported(browser, path)
        browser.json("POST", f"/imports/{first}/accept", {})
        browser = browser.again()
        started = time.perf_counter()
        found = _known(browser, path)
        told = browser.json("POST", f"/imports/{found}/draft", {})["tables"]
        took = time.perf_counter() - started
    changes = {row[0]: row[1] for row in told[0]["rows"]}
    moved = sum(count for what, count in changes.items() if what != "As they are")
    yield at_most(
        "imports.offer_again_s",
        "the same list again, by API, its hash asked first",
        "s",
        took,
        10.0,
    )
    yield at_most("imports.offer_again_moved", "the same, prices that change", "", moved, 0)


def _known(browser: Browser, path: Path) -> UUID:
    """Import a file that was read before: its hash is asked, and nothing is sent."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    found = browser.json("POST", "/imports/again", {"sha256": digest, "name": path.name})
    return _ended(browser, found)


def _imported(browser: Browser, path: Path) -> UUID:
    size = path.stat().st_size
    upload = browser.json("POST", "/uploads", {"name": path.name, "bytes": size})
    address = f"/uploads/{upload['id']}"
    with path.open("rb") as file:
        for number in range(1, upload["parts_count"] + 1):
            piece = file.read(upload["part_bytes"])
            status, _headers, said = browser.send("PUT", f"{address}/parts/{number}", piece)
            if status != 204:
                raise RuntimeError(f"part {number} gave {status}: {said[:300]!r}")
    browser.json("POST", f"{address}/end")
    return _ended(browser, browser.json("POST", f"/imports?upload={upload['id']}"))


def _ended(browser: Browser, found: dict[str, Any]) -> UUID:
    until = time.monotonic() + _WAIT_S
    while found["state"] in {"queued", "running"} and time.monotonic() < until:
        time.sleep(0.1)
        found = browser.json("GET", f"/imports/{found['id']}")
    if found["state"] != "succeeded":
        raise RuntimeError(f"the import ended {found['state']}: {found['error']}")
    return UUID(found["id"])


def genuine(name: str) -> Iterator[Row]:
    """A bill of one's own in FOCUS (CSV, packed or not), by the path in FOCUS_FILE."""
    if not name:
        return
    data = Path(name).read_bytes()
    data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    lines: list[dict[str, Any]] = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"))))
    with tempfile.TemporaryDirectory(prefix="ampacity-bench-") as folder:
        path = Path(folder) / "bill"
        path.write_bytes(data)
        table = open_table(path)
        bill = recognised(table.columns).read(table, lambda _share, _said: None)
    billed = sum((Decimal(line["BilledCost"]) for line in lines), Decimal(0))
    off = abs(Decimal(bill["totals"]["billed"]) - billed)
    lost = len(lines) - bill["totals"]["rows_count"]
    yield at_most("imports.own_lost", f"{len(lines)} rows of FOCUS_FILE, lost", "", lost, 0)
    yield at_most("imports.own_off", "the same, off the sum of its rows", "USD", float(off), 0)
