"""The pages: read-only, but for the limits of a workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.contrib import admin
from django.contrib.admin.forms import AdminAuthenticationForm
from django.core.exceptions import ValidationError
from django.utils import timezone

from operators.models import QUOTAS, Job, Workspace, must_wait, refused

if TYPE_CHECKING:
    from django.http import HttpRequest

if TYPE_CHECKING:
    _Admin = admin.ModelAdmin[Any]
    _Form = forms.ModelForm[Workspace]
else:
    _Admin, _Form = admin.ModelAdmin, forms.ModelForm

NONE = "none"
WAIT = "Too many sign-ins were refused. Wait a little, then try again."


class SignInForm(AdminAuthenticationForm):
    """Slows guesses down."""

    def clean(self) -> dict[str, Any]:
        """Refuse too many tries with an address, and count those that are refused."""
        now, email = timezone.now(), str(self.cleaned_data.get("username") or "")
        if must_wait(email, now):
            raise ValidationError(WAIT)
        try:
            return super().clean()
        except ValidationError:
            refused(email, now)
            raise


class Site(admin.AdminSite):
    """Django's admin, of nothing but what is registered below."""

    site_header = site_title = "Ampacity: operators"
    index_title = "What runs here"
    site_url = None
    login_form = SignInForm
    enable_nav_sidebar = False


site = Site(name="admin")


class _Seen(_Admin):
    view_on_site = False
    actions = None
    list_per_page = 100
    show_full_result_count = False

    def has_add_permission(self, _request: HttpRequest) -> bool:
        """Say no."""
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        """Say no."""
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        """Say no."""
        return False


def _limit(name: str) -> forms.CharField:
    return forms.CharField(
        label=f"{QUOTAS[name]}: limit",
        required=False,
        max_length=20,
        help_text='Empty: as all others. "none": no limit.',
    )


class LimitsForm(_Form):
    """A workspace's own limits: empty for what all others may, "none" for no limit."""

    limit_stored_mb = _limit("stored_mb")
    limit_jobs = _limit("jobs")
    limit_compute_minutes = _limit("compute_minutes")
    limit_members = _limit("members")

    class Meta:
        model = Workspace
        fields = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Show what is set."""
        super().__init__(*args, **kwargs)
        for name in QUOTAS:
            held = self.instance.limits
            shown = NONE if name in held and held[name] is None else held.get(name, "")
            self.initial[f"limit_{name}"] = shown

    def clean(self) -> dict[str, Any]:
        """Read the limits."""
        found: dict[str, Any] = super().clean() or {}
        limits: dict[str, float | None] = {}
        for name in QUOTAS:
            text = str(found.get(f"limit_{name}") or "").strip()
            if text == NONE:
                limits[name] = None
            elif text:
                try:
                    limits[name] = _number(text)
                except ValueError:
                    self.add_error(
                        f"limit_{name}", 'Enter a number of 0 or more, "none", or nothing.'
                    )
        found["limits"] = limits
        return found


def _number(text: str) -> float:
    value = float(text)
    if not 0 <= value < float("inf"):
        raise ValueError
    return value


@admin.register(Workspace, site=site)
class WorkspaceAdmin(_Seen):
    """Workspaces, what they use, and what they may."""

    form = LimitsForm
    list_display = (
        *("name", "created_at", "deletes_at", "members", "jobs"),
        *("stored_mb", "compute_minutes", "limits"),
    )
    search_fields = ("name", "id")
    ordering = ("-created_at",)
    readonly_fields = (
        *("id", "name", "created_at", "deletes_at"),
        *("members", "jobs", "stored_mb", "compute_minutes"),
    )
    fields = (*readonly_fields, *(f"limit_{name}" for name in QUOTAS))

    def has_change_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        """Say yes: limits can be changed."""
        return True

    def save_model(self, _request: HttpRequest, obj: Workspace, form: Any, change: bool) -> None:
        """Store the limits, and nothing else."""
        obj.limits_set(form.cleaned_data["limits"])


@admin.register(Job, site=site)
class JobAdmin(_Seen):
    """Jobs that wait or run, and the latest that ended."""

    list_display = (
        *("submitted_at", "workspace", "kind", "queue", "state"),
        *("attempt", "started_at", "ended_at", "fault"),
    )
    list_filter: ClassVar[tuple[str, ...]] = ("state", "queue", "kind")
    search_fields = ("workspace", "id")
    ordering = ("-submitted_at",)
