"""Which models' equations an answer called: each equation carries the id of its model.

A published check of a model and the screen run the same function, so that what moved a
figure is known from what was called, and need not be listed by hand.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

P = ParamSpec("P")
R = TypeVar("R")

_called: ContextVar[set[str] | None] = ContextVar("called", default=None)
_carried: dict[str, list[Callable[..., Any]]] = {}


def equation(model_id: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Say of which registered model a function is an equation."""

    def mark(function: Callable[P, R]) -> Callable[P, R]:
        _carried.setdefault(model_id, []).append(function)

        @wraps(function)
        def marked(*args: P.args, **kwargs: P.kwargs) -> R:
            called = _called.get()
            if called is not None:
                called.add(model_id)
            return function(*args, **kwargs)

        return marked

    return mark


def equations_loaded() -> dict[str, list[Callable[..., Any]]]:
    """The loaded equations by the id of their model."""
    return dict(_carried)


def is_collecting() -> bool:
    """Whether calls are noted, so that nothing may be answered from memory."""
    return _called.get() is not None


@contextmanager
def models_called() -> Iterator[set[str]]:
    """Collect the ids of the models whose equations are called within.

    >>> half = equation("cost.half")(lambda usd: usd / 2)
    >>> with models_called() as models:
    ...     _ = half(3.0)
    >>> models
    {'cost.half'}
    """
    models: set[str] = set()
    token = _called.set(models)
    try:
        yield models
    finally:
        _called.reset(token)
