"""Of many cases of one test a sample runs in `./test`, the same each time; `--deep` runs the rest.

Of a test over a `seed` the first seeds run for each of its other parameters; of a test marked
`many(N)` N cases. All others are marked `deep`.
"""

import random
from collections import defaultdict
from collections.abc import Hashable, Iterable

import pytest

SEEDS_KEPT = 3


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is beyond the sample as deep, before `-m` is looked at."""
    many: dict[str, list[pytest.Item]] = defaultdict(list)
    seeded: dict[Hashable, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("deep") is not None:
            continue
        name = item.nodeid.partition("[")[0]
        params = getattr(getattr(item, "callspec", None), "params", {})
        if item.get_closest_marker("many") is not None:
            many[name].append(item)
        elif "seed" in params:
            others = tuple((key, repr(value)) for key, value in params.items() if key != "seed")
            seeded[(name, others)].append(item)
    for cases in seeded.values():
        _leave(cases[SEEDS_KEPT:])
    for name, cases in many.items():
        mark = cases[0].get_closest_marker("many")
        assert mark is not None
        kept = {id(item) for item in sample(cases, mark.args[0], name)}
        _leave(item for item in cases if id(item) not in kept)


def sample(cases: list[pytest.Item], count: int, name: str) -> list[pytest.Item]:
    """As many of the cases, chosen by the name: each of several tests over the same has others."""
    return random.Random(name).sample(cases, min(count, len(cases)))


def _leave(items: Iterable[pytest.Item]) -> None:
    for item in items:
        item.add_marker(pytest.mark.deep)
