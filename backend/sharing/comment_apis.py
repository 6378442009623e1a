"""Addresses of comments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from common.api import WorkspaceAPIView
from sharing import comments
from studies.selectors import study_get
from studies.serializers import StrictSerializer, validated

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request


class CommentInputSerializer(StrictSerializer):
    text = serializers.CharField(max_length=4_000)
    letter = serializers.CharField(
        required=False, max_length=1, allow_blank=True, help_text="Of the design that it is about."
    )
    place = serializers.CharField(
        required=False,
        max_length=200,
        allow_blank=True,
        help_text="Of the number that it is about: a row of the comparison, or a JSON pointer.",
    )
    place_title = serializers.CharField(
        required=False, max_length=200, allow_blank=True, help_text="What that is called."
    )


class CommentChangeSerializer(StrictSerializer):
    resolved = serializers.BooleanField()


class CommentOutputSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    text = serializers.CharField()
    letter = serializers.CharField()
    place = serializers.CharField()
    place_title = serializers.CharField()
    author = serializers.CharField()
    created_at = serializers.DateTimeField()
    resolved_at = serializers.DateTimeField(allow_null=True)
    resolved_by = serializers.CharField()


class CommentListApi(WorkspaceAPIView):
    """What is said of a study."""

    permissions = {"POST": "comment"}  # noqa: RUF012 -- as the base declares it

    @extend_schema(operation_id="comments_list", responses=CommentOutputSerializer(many=True))
    def get(self, request: Request, study_id: UUID) -> Response:
        """List the comments of a study, the first ones first, settled ones too."""
        rows = comments.comment_list(study_get(study_id).id)
        return Response(CommentOutputSerializer(rows, many=True).data)

    @extend_schema(
        operation_id="comments_create",
        request=CommentInputSerializer,
        responses={201: CommentOutputSerializer},
    )
    def post(self, request: Request, study_id: UUID) -> Response:
        """Say something of a study, one of its designs, or a number."""
        study = study_get(study_id)
        given = validated(CommentInputSerializer(data=request.data))
        comment = comments.comment_create(principal=self.principal, study=study, **given)
        return Response(CommentOutputSerializer(comment).data, status=201)


class CommentApi(WorkspaceAPIView):
    """One comment."""

    permissions = {"PATCH": "comment", "DELETE": "comment"}  # noqa: RUF012 -- as the base declares it

    @extend_schema(
        operation_id="comments_resolve",
        request=CommentChangeSerializer,
        responses=CommentOutputSerializer,
    )
    def patch(self, request: Request, comment_id: UUID) -> Response:
        """Call a comment settled, or open again."""
        given = validated(CommentChangeSerializer(data=request.data))
        comment = comments.comment_resolve(principal=self.principal, comment_id=comment_id, **given)
        return Response(CommentOutputSerializer(comment).data)

    @extend_schema(operation_id="comments_delete", request=None, responses={204: None})
    def delete(self, request: Request, comment_id: UUID) -> Response:
        """Remove a comment of one's own; an owner removes anybody's."""
        comments.comment_delete(principal=self.principal, comment_id=comment_id)
        return Response(status=204)
