"""What the API's description says that its library cannot know."""

from typing import Any

from drf_spectacular.openapi import AutoSchema


class Described(AutoSchema):
    """Only what reads a list answers in pages."""

    def _get_paginator(self) -> Any:
        if self.method != "GET":
            return None
        return super()._get_paginator()  # type: ignore[no-untyped-call]  # untyped in its package
