"""Writes down who changed which study and design."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from accounts.services import audit_change, audit_record

if TYPE_CHECKING:
    from rest_framework.request import Request

    from common.principal import Principal
    from studies.models import Design, Study


def note_change(request: Request, study: Study) -> None:
    """Write down that a study was changed."""
    about = {"study": str(study.id)}
    audit_change(cast("Principal", request.auth), "study.change", target=study.title, detail=about)


def note_design(request: Request, action: str, design: Design) -> None:
    """Write down what was done to a design."""
    target = f"{design.study.title}: {design.letter} {design.title}"
    about = {"study": str(design.study_id)}
    audit_record(cast("Principal", request.auth), action, target=target, detail=about)
