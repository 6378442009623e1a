"""Numbers that know how they were worked out: equations that run once more explain themselves.

A ``Worked`` number is a float like any other, so an equation written for numbers takes it as it
is. What comes out of ``+ - * / **`` and of the functions of ``amounts`` remembers the function and
what it was of. An explanation is therefore never written beside a sum; it is the sum.
"""

from __future__ import annotations

import math
import operator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

P = ParamSpec("P")
R = TypeVar("R")
AnyNumber = TypeVar("AnyNumber")


class _Steps:
    """Arithmetic of a number that remembers; see the module.

    ``how`` is the function that it came from and ``parts`` what that was of: numbers, some of
    which remember too. An input has neither, and ``pointer`` says where it was entered. ``name``
    and ``unit`` are there where a reader has words for it.
    """

    __slots__ = ()

    how: Callable[..., float] | None
    parts: tuple[Any, ...]
    name: str
    unit: str
    pointer: str | None

    def __add__(self, other: Any) -> Any:
        return self if _is(other, 0) else _step(operator.add, self, other)

    def __radd__(self, other: Any) -> Any:
        return self if _is(other, 0) else _step(operator.add, other, self)

    def __sub__(self, other: Any) -> Any:
        return self if _is(other, 0) else _step(operator.sub, self, other)

    def __rsub__(self, other: Any) -> Any:
        return _step(operator.sub, other, self)

    def __mul__(self, other: Any) -> Any:
        if _is(other, 0):
            return other
        return self if _is(other, 1) else _step(operator.mul, self, other)

    def __rmul__(self, other: Any) -> Any:
        if _is(other, 0):
            return other
        return self if _is(other, 1) else _step(operator.mul, other, self)

    def __truediv__(self, other: Any) -> Any:
        return self if _is(other, 1) else _step(operator.truediv, self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _step(operator.truediv, other, self)

    def __floordiv__(self, other: Any) -> Any:
        return _step(operator.floordiv, self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return _step(operator.floordiv, other, self)

    def __mod__(self, other: Any) -> Any:
        return _step(operator.mod, self, other)

    def __rmod__(self, other: Any) -> Any:
        return _step(operator.mod, other, self)

    def __pow__(self, other: Any) -> Any:
        return self if _is(other, 1) else _step(operator.pow, self, other)

    def __rpow__(self, other: Any) -> Any:
        return other if _is(other, 1) else _step(operator.pow, other, self)

    def __neg__(self) -> Any:
        return made(-plain(self), operator.neg, (self,))

    def __abs__(self) -> Any:
        return made(abs(plain(self)), abs, (self,))


class Worked(_Steps, float):  # type: ignore[misc]  # a power remembers too
    """A number with how it was worked out."""

    __slots__ = ("how", "name", "parts", "pointer", "unit")


class WorkedCount(_Steps, int):  # type: ignore[misc]  # a power remembers too
    """A whole number with how it was worked out."""


def _is(value: object, number: int) -> bool:
    """Whether a value is a constant of the equation that changes nothing."""
    return type(value) in {float, int} and value == number


def _step(apply: Callable[..., Any], first: Any, second: Any) -> Any:
    if not isinstance(first, (float, int)) or not isinstance(second, (float, int)):
        return NotImplemented
    return made(apply(plain(first), plain(second)), apply, (first, second))


def made(
    value: float,
    how: Callable[..., float] | None,
    parts: tuple[Any, ...],
    name: str = "",
    unit: str = "",
    pointer: str | None = None,
) -> Any:
    """Return a number that remembers, of the kind that its value is."""
    number: Any = (Worked if isinstance(value, float) else WorkedCount)(value)
    number.how, number.parts = how, parts
    number.name, number.unit, number.pointer = name, unit, pointer
    return number


_explaining: ContextVar[bool] = ContextVar("explaining", default=False)


@contextmanager
def remembering() -> Iterator[None]:
    """Work with numbers that remember: meanwhile nothing that is ``kept`` answers.

    Such a number equals one that remembers nothing, and so would be answered by what was kept of
    that, whose inputs nobody knows.
    """
    before = _explaining.set(True)
    try:
        yield
    finally:
        _explaining.reset(before)


def kept(most: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Keep the last answers of a function by its arguments, but while numbers remember.

    >>> @kept(8)
    ... def double(number: float) -> float:
    ...     return 2 * number
    >>> double(2.0)
    4.0
    >>> with remembering():
    ...     is_worked(double(entered(2.0, "Two", "count", "/two")))
    True
    """

    def around(function: Callable[P, R]) -> Callable[P, R]:
        known = lru_cache(maxsize=most)(function)

        @wraps(function)
        def asked(*args: P.args, **named: P.kwargs) -> R:
            if _explaining.get():
                return function(*args, **named)
            return known(*args, **named)  # type: ignore[arg-type]  # hashable, as its callers see to

        return asked

    return around


def is_worked(value: object) -> bool:
    """Whether a value remembers how it was worked out."""
    return isinstance(value, _Steps)


def entered(value: float, name: str, unit: str, pointer: str) -> Any:
    """Return an input of a study as a number that remembers where it was entered."""
    return made(value, None, (), name, unit, pointer)


def plain(value: AnyNumber) -> AnyNumber:
    """Return a number that remembers nothing, or what holds such numbers."""
    found: Any = value
    if isinstance(value, Worked):
        found = float.__float__(value)
    elif isinstance(value, WorkedCount):
        found = int(value)
    elif isinstance(value, tuple) and type(value) is tuple:
        found = tuple(map(plain, value))
    elif isinstance(value, list):
        found = list(map(plain, value))
    return cast("AnyNumber", found)


def named(value: AnyNumber, name: str, unit: str) -> AnyNumber:
    """Say what an amount on the way is called; without an explanation it stays as it is.

    >>> named(3.0, "Nodes", "nodes")
    3.0
    """
    if isinstance(value, _Steps):
        number: Any = value
        return cast("AnyNumber", made(plain(number), same, (value,), name, unit))
    return value


@dataclass(frozen=True, slots=True, eq=False)
class _Folded:
    """Steps that are not shown, as one function of the inputs below them."""

    number: Any
    inputs: tuple[Any, ...]
    __name__ = "of"

    def __call__(self, *values: float) -> float:
        return evaluated(self.number, dict(zip(map(id, self.inputs), values, strict=True)))


def folded(value: AnyNumber, name: str, unit: str) -> AnyNumber:
    """Name an amount of too many steps to read, such as a sum over the hours of a day.

    It remembers the inputs that it depends on and works itself out again from them, as one step.

    >>> price = entered(3.0, "Price", "USD", "/price")
    >>> year = folded(price * 1.1 + price * 1.2, "Year", "USD")
    >>> evaluated(year), list(inputs_of([year])), len(cast("Any", year).parts[0].parts)
    (6.9, ['/price'], 1)
    """
    if not isinstance(value, _Steps):
        return value
    inputs = tuple(inputs_of([value]).values())
    number = made(plain(cast("Any", value)), _Folded(value, inputs), inputs)
    return cast("AnyNumber", named(number, name, unit))


def same(value: float) -> float:
    """Return a value as it is."""
    return value


def since(value: AnyNumber, *reasons: object) -> AnyNumber:
    """Say that an amount is what it is also because of others: a life, a date, a band.

    They decide how it is worked out, where they do not enter the sum.
    """
    known = tuple(reason for reason in reasons if isinstance(reason, _Steps))
    if not known or not isinstance(value, (float, int)):
        return value
    number: Any = made(plain(value), chosen, (value, *known))
    return cast("AnyNumber", number)


def chosen(value: float, *_reasons: float) -> float:
    """Return a value that others decided."""
    return value


def remembered(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function of numbers stand as one step, whatever it does inside."""

    @wraps(function)
    def step(*args: P.args, **kwargs: P.kwargs) -> R:
        if any(isinstance(one, _Steps) for one in inputs_in((*args, *kwargs.values()))):
            return through(function, *args, **kwargs)
        return function(*args, **kwargs)

    return step


@dataclass(frozen=True, slots=True)
class _NumberOf:
    """One number of the records that a function returns, of all numbers of those it takes."""

    function: Callable[..., Any]
    shape: Any
    place: int

    @property
    def __name__(self) -> str:
        return self.function.__name__

    def __call__(self, *numbers: Any) -> Any:
        answer = self.function(*_filled(self.shape, iter(numbers)))
        return list(inputs_in([answer]))[self.place]


def _shape(value: Any) -> Any:
    """How tuples and records hold numbers: their kinds, and None where a number is."""
    return (type(value), tuple(map(_shape, value))) if isinstance(value, tuple) else None


def _filled(shape: Any, numbers: Iterator[Any]) -> Any:
    """Tuples and records of a shape with numbers, in their order."""
    if shape is None:
        return next(numbers)
    kind, inside = shape
    values = [_filled(one, numbers) for one in inside]
    return tuple(values) if kind is tuple else kind(*values)


def records(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function from records of numbers to a record stand as one step of all their numbers.

    What it does inside, such as steps until they agree, is not remembered.

    >>> from typing import NamedTuple
    >>> class Pair(NamedTuple):
    ...     one: float
    ...     other: float
    >>> @records
    ... def turned(pair: Pair) -> Pair:
    ...     return Pair(pair.other, pair.one)
    >>> found = turned(Pair(entered(2.0, "Two", "count", "/two"), 3.0))
    >>> found.other, evaluated(found.other), list(inputs_of([found.other]))
    (2.0, 2.0, ['/two'])
    """

    @wraps(function)
    def step(*args: P.args, **kwargs: P.kwargs) -> R:
        numbers = tuple(inputs_in(args))
        if not any(isinstance(one, _Steps) for one in numbers):
            return function(*args, **kwargs)
        shape = _shape(tuple(args))
        answer = function(*_filled(shape, map(plain, numbers)), **kwargs)
        found = (
            made(value, _NumberOf(function, shape, place), numbers)
            for place, value in enumerate(inputs_in([answer]))
        )
        return cast("R", _filled(_shape(answer), found))

    return step


def inputs_in(values: Iterable[Any]) -> Iterator[Any]:
    """Numbers among arguments, and within their lists and tuples."""
    for value in values:
        if isinstance(value, (tuple, list)):
            yield from inputs_in(value)
        else:
            yield value


def through(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Apply a function as one step; ``args`` may hold numbers that remember."""
    if kwargs:
        names = tuple(kwargs)
        inner, count = function, len(args)

        def function(*given: Any) -> Any:
            return inner(*given[:count], **dict(zip(names, given[count:], strict=True)))

        function.__name__ = inner.__name__
        args = (*args, *kwargs.values())
    value = function(*map(plain, args))
    if not isinstance(value, (float, int)) or isinstance(value, bool):
        return value
    return made(value, function, args)


def total(*values: float) -> float:
    """Exact sum of numbers."""
    return math.fsum(values)


def evaluated(number: Any, known: dict[int, float] | None = None) -> float:
    """Work a number out again from the inputs below it, step by step.

    >>> price = entered(3.0, "Price", "USD", "/price")
    >>> evaluated(2 * price + 1)
    7.0
    """
    known = {} if known is None else known
    stack = [number]
    while stack:
        top = stack[-1]
        if not isinstance(top, _Steps) or id(top) in known:
            stack.pop()
            continue
        missing = [
            part
            for part in inputs_in(top.parts)
            if isinstance(part, _Steps) and id(part) not in known
        ]
        if missing:
            stack += missing
            continue
        stack.pop()
        if top.how is None:
            known[id(top)] = plain(cast("Any", top))
        else:
            known[id(top)] = top.how(*(_of(part, known) for part in top.parts))
    return _of(number, known)


def _of(part: Any, known: dict[int, float]) -> Any:
    if isinstance(part, _Steps):
        return known[id(part)]
    if type(part) is tuple or type(part) is list:
        return type(part)(_of(one, known) for one in part)
    return part


def inputs_of(numbers: Iterable[Any]) -> dict[str, Any]:
    """The inputs that some numbers were worked out from, by pointer."""
    found: dict[str, Any] = {}
    seen: set[int] = set()
    stack = [number for number in inputs_in(numbers) if isinstance(number, _Steps)]
    while stack:
        number = stack.pop()
        if id(number) in seen:
            continue
        seen.add(id(number))
        if number.pointer is not None:
            found[number.pointer] = number
        stack += [part for part in inputs_in(number.parts) if isinstance(part, _Steps)]
    return found
