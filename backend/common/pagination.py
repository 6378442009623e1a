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


PAGE_SIZE_MAX = 200


def page_size_of(request: Request, usual: int) -> int:
    """Return the page size that a request asks for; raise Invalid for what is none."""
    asked = request.query_params.get("limit")
    if asked is None:
        return usual
    count = whole_of(asked)
    if count is None or not 1 <= count <= PAGE_SIZE_MAX:
        message = f"Enter a whole number from 1 to {PAGE_SIZE_MAX}."
        raise Invalid.at("/limit", message, "out_of_range")
    return count


def page(rows: Any, following: str | None, before: str | None) -> Response:
    """Return a page of a list as every list is answered."""
    return Response({"results": rows, "next_cursor": following, "previous_cursor": before})


def whole_page(request: Request, response: Response) -> Response:
    """Return the page that is asked for of a list that stands whole in a response.

    All of it where no ``limit`` is given: such lists are short. Their cursors are places.
    """
    rows = response.data
    start = whole_of(request.query_params.get("cursor") or "0")
    if start is None:
        raise Invalid.at("/cursor", "This cursor is not valid. Take one from an earlier answer.")
    size = page_size_of(request, max(1, len(rows)))
    following = str(start + size) if start + size < len(rows) else None
    before = str(max(0, start - size)) if start else None
    response.data = page(rows[start : start + size], following, before).data
    return response


class KeysetPagination(CursorPagination):
    """``{"results": [...], "next_cursor": ..., "previous_cursor": ...}``.

    ``?cursor=`` takes a cursor from an earlier answer, ``?limit=`` the page size.
    """

    page_size = 50
    max_page_size = PAGE_SIZE_MAX
    page_size_query_param = "limit"

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """Describe the parameters for the API schema."""
        size = {"type": "integer", "minimum": 1, "maximum": self.max_page_size}
        shapes = {
            "cursor": ({"type": "string"}, "`next_cursor` or `previous_cursor` of an answer."),
            "limit": (size, "How many results a page has at most."),
        }
        return [
            {"name": name, "in": "query", "required": False, "description": text, "schema": shape}
            for name, (shape, text) in shapes.items()
        ]

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
        return page_size_of(request, self.page_size)

    def get_paginated_response(self, data: Any) -> Response:
        """Answer with the cursors themselves, not with addresses."""
        return page(data, _cursor(self.get_next_link()), _cursor(self.get_previous_link()))

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
