"""What was done in a workspace, by whom: a list to filter, and a table to keep."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any, ClassVar

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView

from accounts import selectors
from accounts.audit_words import KINDS, said
from common.api import WorkspaceAPIView

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.db.models import QuerySet
    from rest_framework.request import Request

ROWS_MOST = 100_000
COLUMNS = ("time", "who", "by token", "action", "what was done", "to what", "detail")


class AuditQuerySerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=tuple(KINDS), required=False)
    who = serializers.CharField(required=False, max_length=254)
    what = serializers.CharField(required=False, max_length=200)
    since = serializers.DateField(required=False)
    until = serializers.DateField(required=False)


class AuditOutputSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    actor_email = serializers.CharField()
    token_id = serializers.UUIDField(allow_null=True)
    action = serializers.CharField()
    said = serializers.SerializerMethodField(help_text="The action in words.")
    target = serializers.CharField()
    detail = serializers.DictField()
    created_at = serializers.DateTimeField()

    def get_said(self, row: Any) -> str:
        """Return the action in words."""
        return said(row.action)


PARAMETERS = [
    OpenApiParameter("kind", str, enum=tuple(KINDS)),
    OpenApiParameter("who", str, description="Part of the address."),
    OpenApiParameter("what", str, description="Part of what it was done to."),
    OpenApiParameter("since", OpenApiTypes.DATE),
    OpenApiParameter("until", OpenApiTypes.DATE, description="This day included."),
]
_ASKED = ("kind", "who", "what", "since", "until")


class _AuditApi(WorkspaceAPIView):
    query: ClassVar[Mapping[str, tuple[str, ...]]] = {"GET": _ASKED}

    def rows(self) -> QuerySet[Any]:
        """Return the entries that are asked for."""
        params = self.request.query_params
        asked = AuditQuerySerializer(data={name: params[name] for name in _ASKED if name in params})
        asked.is_valid(raise_exception=True)
        return selectors.audit_list(**asked.validated_data)


class AuditListApi(_AuditApi, ListAPIView[Any]):
    """What was done in the workspace, by whom, newest first."""

    serializer_class = AuditOutputSerializer
    filter_backends = ()

    def get_queryset(self) -> Any:
        """Return the audit entries."""
        return None if getattr(self, "swagger_fake_view", False) else self.rows()

    @extend_schema(operation_id="audit_list", parameters=PARAMETERS)
    def get(self, request: Request) -> Any:
        """List what was done, by whom, newest first."""
        return self.list(request)


class AuditCsvApi(_AuditApi):
    """The same as a table."""

    @extend_schema(
        operation_id="audit_csv", parameters=PARAMETERS, responses={(200, "text/csv"): str}
    )
    def get(self, _request: Request) -> HttpResponse:
        """Return what was done as CSV, the latest 100,000 entries at most."""
        text = io.StringIO()
        rows = csv.writer(text)
        rows.writerow(COLUMNS)
        for one in self.rows()[:ROWS_MOST].iterator(chunk_size=2_000):
            detail = "; ".join(f"{name}: {value}" for name, value in one.detail.items())
            cells = (one.actor_email, one.token_id or "", one.action, said(one.action), one.target)
            rows.writerow([one.created_at.isoformat(), *map(_cell, (*cells, detail))])
        name = 'attachment; filename="audit.csv"'
        return HttpResponse(
            text.getvalue(),
            content_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": name},
        )


def _cell(value: object) -> str:
    """Return a cell that no program for tables takes for a formula."""
    text = str(value)
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
