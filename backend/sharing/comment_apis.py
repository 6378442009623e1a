"""Addresses of comments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers

from common.api import WorkspaceAPIView
from common.operations import creates, operation
from common.serializers import StrictSerializer
from sharing import comments
from studies.selectors import study_get

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

    @operation("comments_list", gives=CommentOutputSerializer(many=True))
    def get(self, request: Request, study_id: UUID) -> Any:
        """List the comments of a study, the first ones first, settled ones too."""
        return comments.comment_list(study_get(study_id).id)

    @creates(
        "comments_create",
        takes=CommentInputSerializer,
        gives=CommentOutputSerializer,
        may="comment",
    )
    def post(self, request: Request, study_id: UUID) -> Any:
        """Say something of a study, one of its designs, or a number."""
        study = study_get(study_id)
        return comments.comment_create(principal=self.principal, study=study, **self.given())


class CommentApi(WorkspaceAPIView):
    """One comment."""

    may = "comment"

    @operation("comments_resolve", takes=CommentChangeSerializer, gives=CommentOutputSerializer)
    def patch(self, request: Request, comment_id: UUID) -> Any:
        """Call a comment settled, or open again."""
        return comments.comment_resolve(
            principal=self.principal, comment_id=comment_id, **self.given()
        )

    @operation("comments_delete")
    def delete(self, request: Request, comment_id: UUID) -> None:
        """Remove a comment of one's own; an owner removes anybody's."""
        comments.comment_delete(principal=self.principal, comment_id=comment_id)
