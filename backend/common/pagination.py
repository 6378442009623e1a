"""Lists by cursor: steady under inserts, one query however far down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from django.core.exceptions import ValidationError
from django.db import DataError
from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination
from rest_framework.response import Response

from capmodels.numbers import whole_of
from common.errors import Invalid

if TYPE_CHECKING:
    from rest_framework.request import Request


# Of what is made by a job, which has no id of its own.
NEWEST_JOB = ("-created_at", "-job_id")


class KeysetPagination(CursorPagination):
    """``{"results": [...], "next_cursor": ..., "previous_cursor": ...}``.

    ``?cursor=`` takes a cursor from an earlier answer, ``?limit=`` the page size.
    """

    page_size = 50
    max_page_size = 200
    page_size_query_param = "limit"

    def get_ordering(self, request: Request, queryset: Any, view: Any) -> tuple[str, ...]:
        """Return the columns that the view sorts by."""
        ordering: tuple[str, ...] = view.ordering
        return ordering

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> Any:
        """Return one page; raise Invalid for a cursor that is none of ours."""
        try:
            return super().paginate_queryset(queryset, request, view)
        except (NotFound, ValidationError, ValueError, OverflowError, DataError) as exc:
            # A cursor holds a place in the list's order, which anybody may write over.
            if self.cursor_query_param not in request.query_params:
                raise
            message = "This cursor is not valid. Take one from an earlier answer."
            raise Invalid.at("/cursor", message) from exc

    def get_page_size(self, request: Request) -> int:
        """Return the page size asked for; raise Invalid for what is none."""
        asked = request.query_params.get("limit")
        if asked is None:
            return self.page_size
        count = whole_of(asked)
        if count is None or not 1 <= count <= self.max_page_size:
            message = f"Enter a whole number from 1 to {self.max_page_size}."
            raise Invalid.at("/limit", message, "out_of_range")
        return count

    def get_paginated_response(self, data: Any) -> Response:
        """Answer with the cursors themselves, not with addresses."""
        return Response(
            {
                "results": data,
                "next_cursor": _cursor(self.get_next_link()),
                "previous_cursor": _cursor(self.get_previous_link()),
            }
        )

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Describe the answer for the API schema."""
        cursor = {"type": ["string", "null"]}
        return {
            "type": "object",
            "required": ["results", "next_cursor", "previous_cursor"],
            "properties": {
                "results": schema,
                "next_cursor": cursor,
                "previous_cursor": cursor,
            },
        }


def _cursor(link: str | None) -> str | None:
    # An empty one is the start of the list.
    found = parse_qs(urlsplit(link).query, keep_blank_values=True) if link else None
    return found["cursor"][0] if found else None
