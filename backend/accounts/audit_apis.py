"""What was done in a workspace, by whom: a list to filter, and a table to keep."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from accounts import selectors
from accounts.audit_words import KINDS, said
from common.api import ListApi, WorkspaceAPIView
from common.download import download
from common.operations import operation
from common.serializers import validated

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpResponse
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


class AuditListApi(ListApi):
    """What was done in the workspace, by whom, newest first."""

    @operation("audit_list", gives=AuditOutputSerializer(many=True), parameters=PARAMETERS)
    def get(self, request: Request) -> Any:
        """List what was done, by whom, newest first."""
        return _rows(request)


class AuditCsvApi(WorkspaceAPIView):
    """The same as a table."""

    @operation("audit_csv", gives={(200, "text/csv"): str}, parameters=PARAMETERS)
    def get(self, request: Request) -> HttpResponse:
        """Return what was done as CSV, the latest 100,000 entries at most."""
        text = io.StringIO()
        rows = csv.writer(text)
        rows.writerow(COLUMNS)
        for one in _rows(request)[:ROWS_MOST].iterator(chunk_size=2_000):
            detail = "; ".join(f"{name}: {value}" for name, value in one.detail.items())
            cells = (one.actor_email, one.token_id or "", one.action, said(one.action), one.target)
            rows.writerow([one.created_at.isoformat(), *map(_cell, (*cells, detail))])
        return download(text.getvalue(), "audit.csv")


def _rows(request: Request) -> QuerySet[Any]:
    """Return the entries that are asked for."""
    params = request.query_params
    names = [one.name for one in PARAMETERS]
    asked = AuditQuerySerializer(data={name: params[name] for name in names if name in params})
    return selectors.audit_list(**validated(asked))


def _cell(value: object) -> str:
    """Return a cell that no program for tables takes for a formula."""
    text = str(value)
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
