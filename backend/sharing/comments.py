"""Comments on a study, its designs and its numbers, inside an entered workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone

from accounts.services import audit_record
from common.errors import Forbidden, Invalid, existing
from common.principal import OWNER
from sharing.models import Comment

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import QuerySet

    from common.principal import Principal
    from studies.models import Study

COMMENTS_MAX = 1_000


def comment_list(study_id: UUID) -> QuerySet[Comment]:
    """Return the comments of a study, the first ones first."""
    return Comment.objects.filter(study_id=study_id).order_by("created_at", "id")


def comment_create(
    *,
    principal: Principal,
    study: Study,
    text: str,
    letter: str = "",
    place: str = "",
    place_title: str = "",
) -> Comment:
    """Say something of a study, of the design of a letter, or of what stands at a place.

    Raises
    ------
    Invalid
        When the study has no design of that letter, or too many comments.
    """
    if letter and letter not in {design.letter for design in study.designs.all()}:
        raise Invalid.at("/letter", "This study has no such design.", "not_a_choice")
    if Comment.objects.filter(study=study).count() >= COMMENTS_MAX:
        raise Invalid.at("", f"A study has {COMMENTS_MAX} comments at most.", "too_many")
    comment = Comment.objects.create(
        study=study,
        letter=letter,
        place=place,
        place_title=place_title,
        text=text,
        author=principal.email,
    )
    audit_record(principal, "comment.create", target=study.title, detail=_about(comment))
    return comment


def comment_resolve(*, principal: Principal, comment_id: UUID, resolved: bool) -> Comment:
    """Call a comment settled, or open again; the same twice changes nothing."""
    comment = _comment(comment_id)
    if resolved == (comment.resolved_at is not None):
        return comment
    comment.resolved_at = timezone.now() if resolved else None
    comment.resolved_by = principal.email if resolved else ""
    comment.save(update_fields=["resolved_at", "resolved_by"])
    action = "comment.resolve" if resolved else "comment.open"
    audit_record(principal, action, target=comment.study.title, detail=_about(comment))
    return comment


def comment_delete(*, principal: Principal, comment_id: UUID) -> None:
    """Remove a comment of one's own; an owner removes anybody's.

    Raises
    ------
    NotFound
        When the workspace has no such comment.
    Forbidden
        When it is somebody else's.
    """
    comment = _comment(comment_id)
    if comment.author != principal.email and principal.role != OWNER:
        raise Forbidden("Only who wrote a comment, or an owner, removes it.")
    audit_record(principal, "comment.delete", target=comment.study.title, detail=_about(comment))
    comment.delete()


def _about(comment: Comment) -> dict[str, str]:
    return {"study": str(comment.study_id), "comment": str(comment.id)}


def _comment(comment_id: UUID) -> Comment:
    return existing(Comment.objects.select_related("study").filter(id=comment_id).first())
