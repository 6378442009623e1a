"""No address of the API is left out of docs/api.md, whose examples `ops/tests` runs."""

from __future__ import annotations

import re
from pathlib import Path

from drf_spectacular.generators import SchemaGenerator

PAGE = Path(__file__).resolve().parents[3] / "docs" / "api.md"


def test_every_address_is_on_the_page() -> None:
    page = PAGE.read_text("utf-8")
    # The page names ids as it binds them, such as {study} for {study_id}.
    known = re.sub(r"\{\w+\}", "{}", page)
    schema = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]  # untyped in its package
    missing = [path for path in schema["paths"] if re.sub(r"\{\w+\}", "{}", path) not in known]
    assert missing == []
