"""How much a workspace may have: told by the app that knows what is used, asked for by name.

The operator sets the limits by environment (``settings.QUOTAS``), and others for single
workspaces by ``manage.py limits``; without one there is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings

from common.errors import Forbidden, Full, TooMany

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from common.errors import ApplicationError


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota:
    """Something of which a workspace may have so much; ``used`` is asked inside of it.

    ``status`` is that of the refusal: 429 what passes by itself, 507 what has to be removed,
    403 what only the operator can change. ``advice`` ends its sentence.
    """

    name: str
    title: str
    unit: str
    used: Callable[[], float]
    status: int
    advice: str
    retry_after_s: int = 60


@dataclass(frozen=True, slots=True)
class Used:
    """A quota, how much of it is used, and how much may be; None is without limit."""

    quota: Quota
    used: float
    limit: float | None


Limits = dict[str, float | None]

_quotas: dict[str, Quota] = {}
_own_limits: list[Callable[[], Mapping[str, float | None]]] = []


def register(quota: Quota) -> None:
    """Make a quota known. Called when an app is ready."""
    _quotas[quota.name] = quota


def register_limits(own: Callable[[], Mapping[str, float | None]]) -> None:
    """Make known who tells the entered workspace's own limits, by name."""
    _own_limits[:] = [own]


def names() -> tuple[str, ...]:
    """Return what there are quotas of."""
    return tuple(_quotas)


def usage() -> Iterator[Used]:
    """Yield every quota with what the entered workspace uses of it."""
    limits = _limits()
    for quota in _quotas.values():
        yield Used(quota, quota.used(), limits[quota.name])


def _limits() -> Limits:
    """The limits that hold for the entered workspace."""
    limits: Limits = dict(settings.QUOTAS)
    for own in _own_limits:
        limits |= own()
    return limits


def require(name: str, more: float) -> None:
    """Refuse what would take the entered workspace above a quota.

    Raises
    ------
    TooMany, Full, Forbidden
        Naming the quota, its limit, and how much is used.
    """
    quota, limit = _quotas[name], _limits()[name]
    if limit is None:
        return
    used = quota.used()
    if used + more > limit:
        raise _refusal(quota, used, limit)


def _refusal(quota: Quota, used: float, limit: float) -> ApplicationError:
    sentence = (
        f"{quota.title}: {used:,.4g} of {limit:,.4g} {quota.unit} of this workspace are used. "
        f"{quota.advice}"
    )
    extra = {"quota": {"name": quota.name, "used": used, "limit": limit, "unit": quota.unit}}
    if quota.status == TooMany.status:
        refusal: ApplicationError = TooMany(sentence, retry_after_s=quota.retry_after_s)
    else:
        refusal = (Full if quota.status == Full.status else Forbidden)(sentence)
    refusal.extra = extra
    return refusal
