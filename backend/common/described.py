"""What the API's description says that its library cannot know."""

from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter

IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="A text that you choose, of up to 200 characters: within a day the same key "
    "carries the same request out once, and answers the same.",
)
IF_MATCH = OpenApiParameter(
    "If-Match", str, OpenApiParameter.HEADER, description="ETag of the revision that was edited."
)


class Described(AutoSchema):
    """Only what reads a list answers in pages."""

    def _get_paginator(self) -> Any:
        if self.method != "GET":
            return None
        return super()._get_paginator()  # type: ignore[no-untyped-call]  # untyped in its package

    def get_override_parameters(self) -> Any:
        """Return the parameters that an operation names, and the key of one that creates."""
        named = super().get_override_parameters()
        # of views that `answer_once` stands in
        is_once = self.method == "POST" and hasattr(self.view, "secret_fields")
        return [*named, IDEMPOTENCY_KEY] if is_once else named
