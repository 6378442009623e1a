"""docker-compose.yml as it is meant: with the variables of an .env put in."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from ops import places

_VARIABLE = re.compile(r"\$(?:(\$)|\{(\w+)(?::([-?])([^}]*))?\})")
_ENV_LINE = re.compile(r"^(\w+)=(.*)$", re.MULTILINE)


def example_variables() -> dict[str, str]:
    """What .env.example says."""
    return dict(_ENV_LINE.findall((places.ROOT / ".env.example").read_text()))


def interpolated(value: Any, variables: Mapping[str, str]) -> Any:
    """Put variables into every text, as compose does.

    Raises `KeyError` with the name of one that has to be set.
    """
    if isinstance(value, dict):
        return {key: interpolated(each, variables) for key, each in value.items()}
    if isinstance(value, list):
        return [interpolated(each, variables) for each in value]
    return _with(value, variables) if isinstance(value, str) else value


def _with(text: str, variables: Mapping[str, str]) -> str:
    def put(found: re.Match[str]) -> str:
        dollar, name, mark, rest = found.groups()
        if dollar:
            return "$"
        if variables.get(name):
            return variables[name]
        if mark == "?":
            raise KeyError(name)
        return rest or ""

    return _VARIABLE.sub(put, text)


@dataclass(frozen=True)
class Compose:
    """The services of the file, with variables put in."""

    services: Mapping[str, Mapping[str, Any]]
    networks: Mapping[str, Any]

    def environment(self, name: str) -> dict[str, str]:
        """What compose gives a service, without what its image has."""
        return {key: str(value) for key, value in self.services[name]["environment"].items()}

    def health(self, name: str) -> list[str]:
        """The command that says whether a service is well."""
        kind, *words = self.services[name]["healthcheck"]["test"]
        return words if kind == "CMD" else ["sh", "-c", *words]


def read(variables: Mapping[str, str], *, path: Path | None = None) -> Compose:
    """Read docker-compose.yml."""
    document = yaml.safe_load((path or places.ROOT / "docker-compose.yml").read_text())
    return Compose(interpolated(document["services"], variables), document["networks"])


def image_environment() -> dict[str, str]:
    """What the Dockerfile's last stage sets."""
    stage = (places.ROOT / "Dockerfile").read_text().rpartition("\nFROM ")[2]
    words = re.search(r"^ENV ((?:.*\\\n)*.*)$", stage, re.MULTILINE)
    return dict(re.findall(r"(\w+)=(\S+)", words[1])) if words else {}
