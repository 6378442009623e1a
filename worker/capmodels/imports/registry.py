"""Which files a planner can import: one importer a module, one line here."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from capmodels.imports.table import Table
    from capmodels.spec import JSONDict


IMPORTER_MODULES: tuple[str, ...] = (
    "capmodels.imports.focus",
    "capmodels.imports.aws_cur",
    "capmodels.imports.azure_cost",
)


class Read(Protocol):
    """Reads a file that its importer recognised, and says what is in it."""

    def __call__(self, table: Table, report: Callable[[float, str], None]) -> JSONDict:
        """Return the preview: what was found, and what could not be placed."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Importer:
    """One kind of file.

    ``fits`` says from the columns whether a file is of this kind; ``version`` which one.
    ``sample`` is a small file of the kind, made from its documentation.
    """

    id: str
    title: str
    makes: Literal["bill"]
    fits: Callable[[frozenset[str]], bool]
    version: Callable[[frozenset[str]], str]
    read: Read
    sample: Callable[[], bytes]


def importers() -> tuple[Importer, ...]:
    """Return every importer, in the order in which they are asked."""
    return tuple(import_module(name).IMPORTER for name in IMPORTER_MODULES)


def recognised(columns: frozenset[str]) -> Importer | None:
    """Return the importer that a table's columns belong to; None when no one knows them."""
    return next((item for item in importers() if item.fits(columns)), None)
