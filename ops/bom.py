"""`python -m ops.bom`: what Ampacity is made of, as CycloneDX 1.6, from the locks.

Every package of the locks with its version, its hashes and what it says of its own licence;
unknown where it is not installed here. `--image` leaves out what the image does not carry.
"""

import argparse
import base64
import importlib.metadata
import json
import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from typing import Any

from ops import places

IMAGE = ("base", "science", "tracing", "objects")
ALL = tuple(sorted(lock.stem for lock in places.REQUIREMENTS.glob("*.txt")))
_PACKAGE = re.compile(r"^([a-z0-9][\w.-]*)==(\S+)((?:[^\n]*\\\n)*[^\n]*)", re.MULTILINE)
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_MARK = "License :: OSI Approved :: "
_LONGEST = 60


def python_packages(locks: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The packages of Python's locks, each once."""
    seen = set()
    for lock in locks:
        text = (places.REQUIREMENTS / f"{lock}.txt").read_text()
        for name, version, rest in _PACKAGE.findall(text):
            if (name, version) not in seen:
                seen.add((name, version))
                digests = _HASH.findall(rest)
                yield component("pypi", name, version, licence(name), "SHA-256", digests)


def node_packages(*, image: bool) -> Iterator[dict[str, Any]]:
    """The packages that the pages are made of; without `image`, what builds them as well."""
    lock = json.loads((places.FRONTEND / "package-lock.json").read_text())
    for path, package in lock["packages"].items():
        if not path or (image and package.get("dev")):
            continue
        name = path.rpartition("node_modules/")[2]
        digest = base64.b64decode(package.get("integrity", "sha512-")[7:]).hex()
        yield component(
            "npm", name, package["version"], package.get("license"), "SHA-512", [digest]
        )


def licence(name: str) -> str | None:
    """What an installed package says of its licence; None where nothing is known."""
    try:
        known = importlib.metadata.metadata(name)
    except importlib.metadata.PackageNotFoundError:
        return None
    classifiers = known.get_all("Classifier") or []
    named = [text.removeprefix(_MARK) for text in classifiers if text.startswith(_MARK)]
    expressions = known.get_all("License-Expression") or []
    loose = [text.strip().partition("\n")[0][:_LONGEST] for text in known.get_all("License") or []]
    said = [*expressions[:1], *([" AND ".join(named)] if named else []), *loose]
    return next((text for text in said if text), None)


def component(
    kind: str, name: str, version: str, licence: str | None, algorithm: str, digests: Sequence[str]
) -> dict[str, Any]:
    """One entry."""
    spelled = name.replace("@", "%40") if kind == "npm" else name
    address = f"pkg:{kind}/{spelled}@{version}"
    return {
        "type": "library",
        "bom-ref": address,
        "name": name,
        "version": version,
        "purl": address,
        "hashes": [{"alg": algorithm, "content": digest} for digest in digests if digest],
        "licenses": [{"license": {"name": licence}}] if licence else [],
    }


def document(*, image: bool) -> dict[str, Any]:
    """The whole bill."""
    project = tomllib.loads((places.ROOT / "pyproject.toml").read_text())["project"]
    parts = [*python_packages(IMAGE if image else ALL), *node_packages(image=image)]
    unique = {part["bom-ref"]: part for part in parts}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "name": project["name"],
                "version": project["version"],
                "licenses": [{"license": {"id": project["license"]}}],
            }
        },
        "components": [unique[ref] for ref in sorted(unique)],
    }


def main(argv: Sequence[str]) -> int:
    """Print it."""
    parser = argparse.ArgumentParser(prog="python -m ops.bom", description=__doc__)
    parser.add_argument("--image", action="store_true", help="only what the image carries")
    asked = parser.parse_args(argv)
    print(json.dumps(document(image=asked.image), indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
