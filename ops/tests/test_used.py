"""No equation stands for its test alone: what tests hold is what the product runs."""

import ast
import re
from collections import Counter

import pytest

from ops import places

# Asked by tests about what is loaded.
_FOR_TESTS = {"equations_loaded"}
_DOCTEST = re.compile(r">>> .*")


def _defined(text: str) -> list[str]:
    """Undecorated functions, classes and constants at the top of a module."""
    found = []
    for node in ast.parse(text).body:
        match node:
            case ast.FunctionDef(name=name, decorator_list=[]):
                found.append(name)
            case ast.ClassDef(name=name, decorator_list=[]):
                found.append(name)
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                found.append(name)
    return found


def unused(texts: dict[str, str]) -> set[str]:
    """Names of modules that no text says but where they are defined, doctests apart."""
    words = Counter[str]()
    for text in texts.values():
        words.update(re.findall(r"\w+", _DOCTEST.sub("", text)))
    return {name for text in texts.values() for name in _defined(text) if words[name] == 1}


@pytest.mark.decisive
def test_what_only_a_test_calls_is_found() -> None:
    texts = {
        "a.py": "def one():\n    '''>>> one()'''\n\n\ndef two(): ...\n",
        "b.py": "two()\nX = 3\n",
    }
    assert unused(texts) == {"one", "X"}


def test_the_science_has_nothing_that_only_tests_call() -> None:
    texts = {
        str(path): path.read_text("utf-8")
        for room in ("worker", "backend", "ops", "bench")
        for path in (places.ROOT / room).rglob("*.py")
        if "tests" not in path.parts
    }
    science = {name: text for name, text in texts.items() if "/capmodels/" in name}
    named = {name for text in science.values() for name in _defined(text)}
    assert unused(texts) & named - _FOR_TESTS - {"__all__"} == set()
