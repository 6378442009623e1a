"""The rules, in the order of their numbers: one a module of ``rules``."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from capmodels.plans.check import rules

if TYPE_CHECKING:
    from capmodels.plans.check.rule import Rule

_NAMES = (f"{rules.__name__}.{found.name}" for found in iter_modules(rules.__path__))
RULES: tuple[Rule, ...] = tuple(
    sorted((import_module(name).RULE for name in _NAMES), key=lambda rule: rule.number)
)
