"""What can be seen keeps to the glossary's table of what we say and what we do not say."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from capmodels import registry
from capmodels.spec import params_schema

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
SOURCES = [
    path
    for room in ("worker", "backend", "ops")
    for path in sorted((ROOT / room).rglob("*.py"))
    if not {"tests", "testing", "production", "migrations"} & set(path.parts)
]
STUDIES = sorted((ROOT / "fixtures" / "examples").glob("*.yaml"))
# Said of a schema on screen; names and values in it are not.
SAID = ("title", "description", "source")


def phrases() -> list[str]:
    """The phrases of the table's second column."""
    text = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    table = text.partition("## We say, we do not say")[2].partition("\n## ")[0]
    rows = [line.split(" | ") for line in table.splitlines() if line.startswith("| ")]
    return [phrase for row in rows[2:] for phrase in re.findall(r"`([^`]+)`", row[-1])]


def _pattern(phrase: str) -> str:
    words = r"(?:[\d,.%]+|\{\})".join(re.escape(part) for part in re.split(r"\bN\b", phrase))
    return rf"^{words}$" if re.fullmatch(r"[A-Z][a-z]+", phrase) else words


REFUSED = re.compile(r"(?<!\w)(?:" + "|".join(_pattern(x) for x in phrases()) + r")(?!\w)", re.I)


def wrong(texts: Iterator[tuple[object, str]]) -> list[str]:
    """Texts that say what we do not say, with their places."""
    return [
        f"{at}: {found[0]!r} in {text!r}" for at, text in texts if (found := REFUSED.search(text))
    ]


def _of_schema(node: Any) -> Iterator[tuple[object, str]]:
    if isinstance(node, dict):
        for key, value in node.items():
            if key in SAID and isinstance(value, str):
                yield key, value
            else:
                yield from _of_schema(value)
    elif isinstance(node, list):
        for value in node:
            yield from _of_schema(value)


def _text(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) or "{}" for part in node.values)
    return None


def visible(source: str) -> Iterator[tuple[object, str]]:
    """Sentences and labels in a source: strings that are neither documentation nor names."""
    tree = ast.parse(source)
    hidden: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            hidden.add(node.value)
        elif isinstance(node, ast.JoinedStr):
            hidden.update(node.values)
    for node in ast.walk(tree):
        text = None if node in hidden else _text(node)
        if text and (" " in text or text[:1].isupper()):
            yield getattr(node, "lineno", 0), " ".join(text.split())


@pytest.mark.decisive
def test_the_table_has_phrases_and_they_are_found() -> None:
    assert len(phrases()) > 60
    assert wrong(iter([("a", "Wins in 4 of 1,000 draws"), ("b", "cheapest in 4%")])) == [
        "a: 'Wins in' in 'Wins in 4 of 1,000 draws'"
    ]
    found = visible('"""It binds."""\nX = "binds"\nY = f"{x} binds"\nZ = "Binds"\n')
    assert sorted(wrong(found)) == ["3: 'binds' in '{} binds'", "4: 'Binds' in 'Binds'"]


@pytest.mark.parametrize("model_id", registry.model_ids())
def test_forms_and_answers_of_a_model_keep_to_the_table(model_id: str) -> None:
    spec = registry.get_model(model_id)
    told = [spec.title, spec.summary, *spec.limits, *(x.text for x in spec.formulas)]
    told += [check.title for check in spec.checks]
    texts = [*_of_schema(params_schema(spec)), *_of_schema(spec.result.model_json_schema())]

    assert wrong(iter([*texts, *enumerate(told)])) == []


def test_pages_of_the_pdf_keep_to_the_table() -> None:
    pages = (ROOT / "backend/reports/render/report.typ").read_text("utf-8")
    told = re.findall(r"\[([^\[\]]+)\]", pages)

    assert "Catalogue of" in told
    assert wrong(enumerate(told)) == []


def test_messages_and_reports_keep_to_the_table() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in SOURCES
        for line in wrong(visible(path.read_text("utf-8")))
    ]
    assert found == []


@pytest.mark.parametrize("study", STUDIES, ids=lambda path: path.stem)
def test_examples_keep_to_the_table(study: Path) -> None:
    def texts(node: Any, at: str = "") -> Iterator[tuple[object, str]]:
        if isinstance(node, dict):
            for key, value in node.items():
                yield from texts(value, f"{at}/{key}")
        elif isinstance(node, list):
            for index, value in enumerate(node):
                yield from texts(value, f"{at}/{index}")
        elif isinstance(node, str) and " " in node:
            yield at, node

    assert wrong(texts(yaml.safe_load(study.read_text("utf-8")))) == []
