"""The API's schema and the TypeScript types made from it.

python -m ops.api_types            write frontend/src/api-types/schema.d.ts
python -m ops.api_types --check    fail when it is not what the code says
"""

import sys
import tempfile
from pathlib import Path

from ops import frontend, places
from ops.processes import TOOLS
from ops.say import Failure

TYPES = places.FRONTEND / "src" / "api-types" / "schema.d.ts"


def generate(folder: Path) -> str:
    """Return the types for the API as the code is now. Raises `Failure` on any warning."""
    schema = folder / "schema.yaml"
    offline = [str(places.PYTHON), "-m", "ops.offline"]
    TOOLS.run(
        [*offline, "spectacular", "--validate", "--fail-on-warn", "--file", str(schema)],
        what="the API schema",
        cwd=places.ROOT,
    )
    made = folder / "schema.d.ts"
    program = places.FRONTEND / "node_modules" / ".bin" / "openapi-typescript"
    TOOLS.run([str(program), str(schema), "-o", str(made)], what="openapi-typescript", cwd=folder)
    return made.read_text()


def main(argv: list[str]) -> int:
    """Run the command; returns the exit code."""
    check = "--check" in argv
    try:
        frontend.ensure_packages(places.FRONTEND)
        with tempfile.TemporaryDirectory(prefix="ampacity-api-") as folder:
            text = generate(Path(folder))
    except Failure as exc:
        print(exc, file=sys.stderr)
        return 1
    have = TYPES.read_text() if TYPES.exists() else ""
    if have == text:
        return 0
    if check:
        where = TYPES.relative_to(places.ROOT)
        print(f"{where} is out of date: run python -m ops.api_types", file=sys.stderr)
        return 1
    TYPES.parent.mkdir(parents=True, exist_ok=True)
    TYPES.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
