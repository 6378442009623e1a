"""Of many cases a sample runs every time, the others in the deep tests."""

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

import pytest

from ops.samples import SEEDS_KEPT, pytest_collection_modifyitems


@dataclass
class Case:
    """What the sample looks at of a test's case."""

    nodeid: str
    params: dict[str, Any]
    marks: list[pytest.Mark] = field(default_factory=list)

    @property
    def callspec(self) -> SimpleNamespace:
        """The values of its parameters."""
        return SimpleNamespace(params=self.params)

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        """The mark of a name."""
        return next((mark for mark in self.marks if mark.name == name), None)

    def add_marker(self, mark: pytest.MarkDecorator) -> None:
        """Take a mark."""
        self.marks.append(mark.mark)

    @property
    def is_deep(self) -> bool:
        """Whether it is left to the deep tests."""
        return self.get_closest_marker("deep") is not None


def sampled(cases: list[Case]) -> list[Case]:
    """The cases that are left."""
    pytest_collection_modifyitems(cast("list[pytest.Item]", cases))
    return [case for case in cases if not case.is_deep]


def seeded(size: str) -> list[Case]:
    """A test's cases of one size over ten seeds, of which the first is a deep one as it is."""
    cases = [Case(f"a.py::test[{size}-{seed}]", {"size": size, "seed": seed}) for seed in range(10)]
    cases[0].marks.append(pytest.mark.deep.mark)
    return cases


def test_the_first_seeds_of_each_other_parameter_are_left() -> None:
    left = [
        (case.params["size"], case.params["seed"]) for case in sampled(seeded("S") + seeded("L"))
    ]
    assert left == [(size, seed) for size in "SL" for seed in range(1, SEEDS_KEPT + 1)]


def test_of_a_test_of_many_as_many_as_it_says_are_left_the_same_each_time() -> None:
    def many(name: str) -> list[Case]:
        mark = pytest.mark.many(4).mark
        return [Case(f"a.py::{name}[{at}]", {"at": at}, [mark]) for at in range(50)]

    first, again, other = (
        [case.params["at"] for case in sampled(many(name))] for name in ("one", "one", "two")
    )
    assert len(first) == 4
    assert first == again != other
    assert len(sampled(many("one")[:3])) == 3


def test_a_test_of_neither_is_left_alone() -> None:
    cases = [Case(f"a.py::test[{at}]", {"at": at}) for at in range(50)]
    assert sampled(cases) == cases
