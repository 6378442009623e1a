"""Draws mutants of files by Cosmic Ray's operators; run by the Python that has it.

`python ops/mutants.py SEED COUNT FILE...` prints a JSON list: file, line, operator, mutated text.
"""

import json
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

# Bars between types are never evaluated; without its decorator a class is no class of ours.
_LEFT_OUT = ("ReplaceBinaryOperator_BitOr_", "RemoveDecorator")


def operators() -> dict[str, type]:
    """The operators that need no arguments."""
    names = [name for name in operator_names() if not any(each in name for each in _LEFT_OUT)]
    found = {name: get_operator(name) for name in names}
    return {name: one for name, one in found.items() if not one.arguments()}


def places_in(path: str) -> Iterator[tuple[str, str, int, int]]:
    """File, operator, number among the operator's, and line of all mutants of a file."""
    nodes = list(ast_nodes(get_ast(Path(path).read_text("utf-8"))))
    for name, operator in operators().items():
        found = [place for node in nodes for place in operator().mutation_positions(node)]
        for number, (start, _end) in enumerate(found):
            yield path, name, number, start[0]


def main(seed: int, count: int, paths: Sequence[str]) -> None:
    """Print a sample."""
    everything = [place for path in paths for place in places_in(path)]
    drawn = random.Random(seed).sample(everything, min(count, len(everything)))
    mutants = [
        {
            "path": path,
            "line": line,
            "operator": name.rpartition("/")[2],
            "text": mutate_code(Path(path).read_text("utf-8"), operators()[name](), number),
        }
        for path, name, number, line in drawn
    ]
    print(json.dumps({"all": len(everything), "mutants": mutants}))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
