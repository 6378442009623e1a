"""Files that an address leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import HttpResponse
from rest_framework.negotiation import BaseContentNegotiation

from common.api import WorkspaceAPIView

if TYPE_CHECKING:
    from rest_framework.request import Request

CSV = "text/csv; charset=utf-8"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class AnyAccept(BaseContentNegotiation):
    """For files: whatever the client accepts, it gets the file."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        """Return the view's parser."""
        return parsers[0]

    def select_renderer(self, request: Request, renderers: Any, format_suffix: Any = None) -> Any:
        """Return the view's renderer, for errors."""
        return renderers[0], renderers[0].media_type


class FileView(WorkspaceAPIView):
    """The base of what gives or takes a file."""

    content_negotiation_class = AnyAccept


def download(body: str | bytes, name: str, media: str = CSV, **headers: str) -> HttpResponse:
    """Return a file to be kept under a name."""
    kept = {"Content-Disposition": f'attachment; filename="{name}"', **headers}
    return HttpResponse(body, content_type=media, headers=kept)
