"""Move one input, constant or equation of the models by a tenth, wherever it is used."""

from __future__ import annotations

import dataclasses
import gc
import importlib
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from types import FunctionType, ModuleType
from typing import Any
from unittest.mock import patch

from capmodels.plans.document.parts import Latest

MORE, LESS = 1.1, 0.9
# The lists of the latest, by how many modules were there when they were looked for.
_FOUND: dict[int, list[Latest[Any]]] = {}


def scaled(value: Any, by: float) -> Any:
    """Return a value with every number in it scaled; a whole number by one at least."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        moved = round(value * by)
        return moved if moved != value or value == 0 else value + (1 if by > 1 else -1)
    if isinstance(value, float) or hasattr(value, "dtype"):
        return value * by
    return _parts_scaled(value, by)


def _parts_scaled(value: Any, by: float) -> Any:
    if isinstance(value, Mapping):
        return {key: scaled(one, by) for key, one in value.items()}
    if hasattr(value, "model_copy"):
        held = {name: scaled(getattr(value, name), by) for name in type(value).model_fields}
        return value.model_copy(update=held)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = (field.name for field in dataclasses.fields(value) if field.init)
        return dataclasses.replace(value, **{n: scaled(getattr(value, n), by) for n in fields})
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(scaled(one, by) for one in value))
    return (
        type(value)(scaled(one, by) for one in value) if isinstance(value, list | tuple) else value
    )


@contextmanager
def moved(name: str, by: float) -> Iterator[None]:
    """Move what a check names: ``family.module.CONSTANT``, ``.function`` or ``.Class.field``."""
    module, path = place_of(name)
    held = getattr(module, path[0])
    forget()
    with ExitStack() as stack:
        if path[1:]:
            stack.enter_context(_member(held, path[1], by))
        elif callable(held):
            stack.enter_context(_function(getattr(held, "__wrapped__", held), by))
        else:
            for holder, attribute in _holders(held, path[0]):
                stack.enter_context(patch.object(holder, attribute, scaled(held, by)))
        yield
    forget()


def place_of(name: str) -> tuple[ModuleType, list[str]]:
    """Return the module that a name begins with, and what is left of the name."""
    parts = name.split(".")
    for end in range(len(parts) - 1, 0, -1):
        try:
            return importlib.import_module(".".join(("capmodels", *parts[:end]))), parts[end:]
        except ModuleNotFoundError:
            continue
    raise LookupError(name)


def forget() -> None:
    """Forget every answer that a function of the models, or a list of the latest, keeps."""
    for module in _modules():
        for value in list(vars(module).values()):
            if hasattr(value, "cache_clear"):
                value.cache_clear()
    for one in _latest(len(_modules())):
        one.clear()


def _latest(modules_count: int) -> list[Latest[Any]]:
    """Every list of the latest that the models hold; more modules may hold more."""
    if modules_count not in _FOUND:
        _FOUND[modules_count] = [one for one in gc.get_objects() if type(one) is Latest]
    return _FOUND[modules_count]


def _modules() -> list[ModuleType]:
    return [m for n, m in list(sys.modules.items()) if n.startswith("capmodels.") and m]


def _holders(held: Any, name: str) -> Iterator[tuple[ModuleType, str]]:
    """Every module that has a constant; a number is known by its name, too."""
    for module in _modules():
        for attribute, found in list(vars(module).items()):
            if found is held and (attribute == name or not isinstance(held, int | float)):
                yield module, attribute


@contextmanager
def _function(function: FunctionType, by: float) -> Iterator[None]:
    """A function of a module, for all who hold it already: its code is exchanged."""
    code, space = function.__code__, function.__globals__
    before = FunctionType(code, space, function.__name__, function.__defaults__)
    before.__kwdefaults__ = function.__kwdefaults__
    scope: dict[str, Any] = {}
    exec("def answer(*a, **k): return _scaled(_before(*a, **k), _by)", scope)
    names = {"_scaled": scaled, "_before": before, "_by": by}
    with patch.dict(space, names):
        function.__code__ = scope["answer"].__code__
        try:
            yield
        finally:
            function.__code__ = code


@contextmanager
def _member(owner: type, name: str, by: float) -> Iterator[None]:
    """A field, property or method of a class, moved at every read of any of its objects."""
    held = owner.__dict__.get(name)
    absent = name not in owner.__dict__
    type.__setattr__(owner, name, _moved_method(held, by) or _moved_field(owner, name, held, by))
    try:
        yield
    finally:
        if absent:
            type.__delattr__(owner, name)
        else:
            type.__setattr__(owner, name, held)


def _moved_method(held: Any, by: float) -> Callable[..., Any] | None:
    if not isinstance(held, FunctionType):
        return None

    def answering(*args: Any, **named: Any) -> Any:
        return scaled(held(*args, **named), by)

    return answering


def _moved_field(owner: type, name: str, held: Any, by: float) -> property:
    def read(self: Any) -> Any:
        found = held.__get__(self, owner) if hasattr(held, "__get__") else self.__dict__[name]
        return scaled(found, by)

    def write(self: Any, given: Any) -> None:
        if hasattr(held, "__set__"):
            held.__set__(self, given)
        else:
            self.__dict__[name] = given

    return property(read, write)
