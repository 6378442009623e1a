"""What the API's description says that its library cannot know."""

from typing import Any

from drf_spectacular.openapi import AutoSchema


class Described(AutoSchema):
    """Only what reads a list answers in pages."""

    def _get_paginator(self) -> Any:
        return super()._get_paginator() if self.method == "GET" else None
