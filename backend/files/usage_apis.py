"""What a workspace uses, and how much it may."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers

from common import quotas
from common.api import WorkspaceAPIView
from common.operations import operation

if TYPE_CHECKING:
    from rest_framework.request import Request


class UsageOutputSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(source="quota.name")
    title = serializers.CharField(source="quota.title")
    unit = serializers.CharField(source="quota.unit")
    used = serializers.FloatField()
    limit = serializers.FloatField(allow_null=True, help_text="Null is without limit.")


class UsageApi(WorkspaceAPIView):
    """The quotas of the workspace."""

    @operation("usage", gives=UsageOutputSerializer(many=True))
    def get(self, request: Request) -> Any:
        """Return every quota with what is used of it."""
        return list(quotas.usage())
