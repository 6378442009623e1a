"""No address of the API is left out of docs/api.md, whose examples `ops/tests` runs."""

from __future__ import annotations

import re
from pathlib import Path

import orjson

from common.schema import schema_json

PAGE = Path(__file__).resolve().parents[3] / "docs" / "api.md"


def test_every_address_is_on_the_page() -> None:
    page = PAGE.read_text("utf-8")
    # The page names ids as it binds them, such as {study} for {study_id}.
    known = re.sub(r"\{\w+\}", "{}", page)
    schema = orjson.loads(schema_json())
    missing = [path for path in schema["paths"] if re.sub(r"\{\w+\}", "{}", path) not in known]
    assert missing == []
