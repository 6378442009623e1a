"""Random documents of any JSON schema: each within its bounds, parts present or absent."""

from __future__ import annotations

import math
import re
from contextlib import contextmanager, nullcontext
from random import Random
from typing import TYPE_CHECKING, Any

from capmodels.testing.texts import random_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from capmodels.spec import JSONDict

# Fields that are younger than seeds whose studies are known for what they found.
_LATER = frozenset(
    {"bought_ahead_fraction", "config_json", "expansion", "reading", "result", "trainings"}
)
# What is usual of a unit: the ends of an even draw on a logarithmic scale.
USUAL: dict[str, tuple[float, float]] = {
    "1/bit": (1e-18, 1e-13),
    "1/h": (1, 60),
    "1/month": (0.2, 30),
    "FLOP": (1e18, 1e22),
    "1/s": (50, 50_000),
    "B": (512, 1_048_576),
    "FTE": (0.1, 6),
    "GB": (10, 5_000),
    "GB/TB": (1_000, 1_024),
    "Gbit/s": (1, 100),
    "GiB": (16, 2_000),
    "J": (5, 100),
    "GB/s": (0.5, 10.0),
    "MB/s": (50, 4_000),
    "TB": (1, 300),
    "TB/month": (0.5, 200),
    "USD": (50, 20_000),
    "USD/(MB/s)-month": (0.01, 0.1),
    "USD/FTE-yr": (40_000, 300_000),
    "USD/GB": (0.005, 0.12),
    "USD/M tokens": (0.05, 5),
    "USD/GB-month": (0.004, 0.15),
    "USD/GiB": (2, 20),
    "USD/IOPS-month": (0.002, 0.1),
    "USD/TB": (0.2, 10),
    "USD/TB-month": (1, 40),
    "USD/core-yr": (5, 200),
    "USD/h": (0.02, 8),
    "USD/kW-month": (50, 300),
    "USD/million": (0.2, 10),
    "USD/kWh": (0.03, 0.4),
    "USD/month": (100, 20_000),
    "USD/node-yr": (50, 3_000),
    "USD/rack-month": (300, 2_500),
    "USD/socket-yr": (100, 5_000),
    "USD/t CO2e": (5, 200),
    "USD/yr": (1_000, 200_000),
    "V": (1, 3),
    "W": (10, 700),
    "W/TB": (0.3, 3),
    "W/vCPU": (0.4, 6),
    "cores": (4, 256),
    "days": (1, 900),
    "count": (1, 24),
    "fraction": (0.02, 0.98),
    "fraction/yr": (0.01, 0.4),
    "g CO2e/kWh": (20, 800),
    "kWh": (1_000, 500_000),
    "month": (1, 12),
    "calendar year": (2_024, 2_030),
    "h": (1, 23),
    "h/month": (50, 744),
    "h/yr": (8_760, 8_784),
    "jobs/day": (10, 1e6),
    "kW": (1, 50),
    "kg CO2e": (100, 4_000),
    "kg CO2e/vCPU-yr": (1, 10),
    "mA": (10, 400),
    "ops/W": (300, 45_000),
    "months": (1, 60),
    "million/month": (0.1, 500),
    "ms": (0.05, 20),
    "nodes": (1, 40),
    "tokens": (50, 8_000),
    "ns": (5, 100),
    "ratio": (0.4, 2.5),
    "rpm": (5_400, 15_000),
    "s": (0.1, 30),
    "us": (1, 10),
    "vCPU": (2, 128),
}
WITHOUT_UNIT = (1.0, 100.0)
YEARS = (1990, 2100)
LONGEST_LIST = 3
DAY = re.compile(r"^\^\\d\{4\}-")
PATTERNS: Mapping[str, tuple[str, ...]] = {
    r"^[A-H]$": tuple("ABCDEFGH"),
    r"^[A-HT]$": tuple("ABCDEFGHT"),
    r"^[A-Z]{3}$": ("USD", "EUR", "GBP", "JPY", "CNY", "CHF", "XTS"),
    r"^[a-z0-9][a-z0-9._-]*$": ("m7a-large", "dell-r760", "x" * 160),
    r"^/(designs/[A-H]|workload|assumptions)/.+$": ("/workload/kind", "/designs/A/title"),
    r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$": (
        "6d1e3c0e-9a53-4a4c-8d3c-6d6f0c6d2a51",
    ),
    "^[0-9a-f]{64}$": ("0" * 64,),
}


class Drawer:
    """Draws documents of one schema.

    ``fullness`` is the share of what is optional that is entered, ``scale`` what amounts
    are multiplied by.
    """

    def __init__(
        self, root: JSONDict, rng: Random, *, fullness: float = 0.4, scale: float = 1.0
    ) -> None:
        """Keep what to draw of."""
        self._root, self.rng = root, rng
        self._fullness, self._scale = fullness, scale

    def chance(self, share: float) -> bool:
        """Whether something happens that does in such a share."""
        return self.rng.random() < share

    def draw(self, schema: JSONDict) -> Any:
        """Return a value of a schema; how its parts fit together is not looked at."""
        schema = self.resolved(schema)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self.rng.choice(schema["enum"])
        for union in ("oneOf", "anyOf"):
            if union in schema:
                return self._member(schema, schema[union])
        return self._drawn_by[schema["type"]](self, schema)

    def named(self, definition: str, **given: Any) -> JSONDict:
        """Return an object of a definition, with some of its values given."""
        drawn: JSONDict = self.draw({"$ref": f"#/$defs/{definition}"})
        return drawn | given

    def resolved(self, schema: JSONDict) -> JSONDict:
        """Follow a reference; what stands beside it overrides what it leads to."""
        while "$ref" in schema:
            target = self._root["$defs"][schema["$ref"].rpartition("/")[2]]
            schema = {**target, **{key: value for key, value in schema.items() if key != "$ref"}}
        return schema

    def _member(self, schema: JSONDict, members: list[JSONDict]) -> Any:
        entered = [member for member in members if member.get("type") != "null"]
        if len(entered) < len(members) and not self.chance(self._fullness):
            return None
        beside: JSONDict = {
            key: schema[key] for key in ("unit", "default", "default_source") if key in schema
        }
        return self.draw({**beside, **self.rng.choice(entered)})

    def _object(self, schema: JSONDict) -> JSONDict:
        required = set(schema.get("required", ()))
        found = {}
        for name, inner in schema.get("properties", {}).items():
            with self._aside() if name in _LATER else nullcontext():
                if name in required or self.chance(self._fullness):
                    found[name] = self.draw(inner)
        return found

    @contextmanager
    def _aside(self) -> Iterator[None]:
        """Draw what leaves the numbers that come after it as they are."""
        rng, self.rng = self.rng, Random()
        self.rng.setstate(rng.getstate())
        try:
            yield
        finally:
            self.rng = rng

    def _array(self, schema: JSONDict) -> list[Any]:
        least = schema.get("minItems", 0)
        most = min(schema.get("maxItems", least + LONGEST_LIST), least + LONGEST_LIST)
        # Hours come as whole days.
        week = 168 if schema.get("maxItems", 168) >= 168 else 24
        count = self.rng.choice((24, week)) if least == 24 else self.rng.randint(least, most)
        if "prefixItems" in schema:
            return [self.draw(item) for item in schema["prefixItems"]]
        return [self.draw(schema["items"]) for _ in range(count)]

    def _string(self, schema: JSONDict) -> str:
        pattern = schema.get("pattern", "")
        if DAY.match(pattern):
            day = self.rng.randint(1, 28)
            return f"{self.rng.randint(2019, 2029)}-{self.rng.randint(1, 12):02}-{day:02}"
        if pattern:
            return self.rng.choice(PATTERNS[pattern])
        return random_name(self.rng, schema.get("maxLength", 120))

    def _boolean(self, _schema: JSONDict) -> bool:
        return self.chance(0.5)

    def _number(self, schema: JSONDict) -> float:
        roll, value = self.rng.random(), self._usual(schema)
        default = schema.get("default")
        if isinstance(default, int | float) and roll < 0.6:
            value = self._near(float(default), schema)
        elif roll > 0.97:
            value = 0.0
        step = schema.get("multipleOf", 0)
        value = float(f"{value:.4g}")
        return self._within(round(value / step) * step if step == 1 else value, schema)

    def _integer(self, schema: JSONDict) -> int:
        step = schema.get("multipleOf", 1)
        value = round(self._number(schema) / step) * step
        return max(math.ceil(schema.get("minimum", 0) / step) * step, value)

    def _usual(self, schema: JSONDict) -> float:
        unit = schema.get("unit")
        if unit is None and schema.get("type") == "integer":
            return self.rng.randint(*YEARS)
        low, high = USUAL.get(unit or "", WITHOUT_UNIT)
        if unit == "fraction":
            return self.rng.uniform(low, high)
        sign = -1.0 if unit == "fraction/yr" and self.chance(0.25) else 1.0
        money = self._scale if unit and unit.startswith("USD") else 1.0
        return sign * money * math.exp(self.rng.uniform(math.log(low), math.log(high)))

    def _near(self, default: float, schema: JSONDict) -> float:
        source = schema.get("default_source") or {}
        low, high = source.get("low"), source.get("high")
        if low is not None and high is not None:
            return self.rng.uniform(low, high)
        return default * math.exp(self.rng.uniform(-0.7, 0.7))

    @staticmethod
    def _within(value: float, schema: JSONDict) -> float:
        low, high = schema.get("minimum", -math.inf), schema.get("maximum", math.inf)
        above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
        if above is not None and value <= above:
            value = above + 0.01
        if below is not None and value >= below:
            value = below - 0.01
        return float(min(max(value, low), high))

    _drawn_by: Mapping[str, Callable[[Drawer, JSONDict], Any]] = {
        "object": _object,
        "array": _array,
        "string": _string,
        "boolean": _boolean,
        "number": _number,
        "integer": _integer,
    }
