"""Numbers as the screen writes them: the rules of ``tokens.json``, three significant digits.

For the sentences of models and for print. The twin of ``frontend/src/lib/format.ts``, which reads
the same rules; a test holds both to one table of examples.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from capmodels.rounding import SURE_DIGITS, half_up, sure

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "CNY": "¥"}
# Below this, a share is written as one in so many.
SMALLEST_SHARE = 5e-5
# Percentage points that are noise of sums of shares.
NO_DIFFERENCE = 1e-6
# Of a year that is a date: 2026, not 2,026 yr.
_CALENDAR = "calendar year"
# From here on an amount is a power of ten; digits are no longer counted.
COUNTLESS = 1e18
# Of things, from here on.
COUNTLESS_THINGS = 1e15
# From here on billions of years, or of chances, are a power of ten.
COUNTLESS_TIMES = 1e12
_THOUSAND = 1000
_MOST_DECIMALS = 12
# Past every calendar the first digits of years say all.
LONG_YEARS = 1e4

ALIASES = {
    "usd": "USD",
    "kg CO2e": "kgCO2e",
    "kgco2e": "kgCO2e",
    "g CO2e/kWh": "gCO2e/kWh",
}
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass(frozen=True, slots=True)
class Currency:
    """The currency of a study, and how much of it one dollar is."""

    code: str = "USD"
    per_usd: float = 1.0

    @property
    def symbol(self) -> str:
        """The sign before an amount: ``$``, or ``CHF`` and a space."""
        return SYMBOLS.get(self.code, f"{self.code}{rules()['space']}")

    @classmethod
    def stated(cls, document: Mapping[str, Any] | None) -> Currency:
        """Return the currency that a document states; the US dollar where it states none.

        >>> Currency.stated({"code": "EUR", "per_usd": 0.86, "as_of": "2026-07-01"}).symbol
        '€'
        >>> Currency.stated(None) == Currency.stated({}) == USD
        True
        """
        stated = document or {}
        return cls(stated.get("code", "USD"), stated.get("per_usd", 1.0))

    @classmethod
    def of(cls, params: Mapping[str, Any]) -> Currency:
        """Return the currency that inputs of a model state: a study's in its assumptions."""
        return cls.stated((params.get("assumptions") or params).get("currency"))

    @overload
    def amount(self, value: float, unit: str | None = "USD") -> float: ...
    @overload
    def amount(self, value: None, unit: str | None = "USD") -> None: ...
    def amount(self, value: float | None, unit: str | None = "USD") -> float | None:
        """Return what is held in US dollars in this currency; a value of another unit as it is.

        >>> Currency("EUR", 0.5).amount(3.0, "USD/h"), Currency("EUR", 0.5).amount(3.0, "h")
        (1.5, 3.0)
        """
        return value * self.per_usd if value is not None and is_money(unit) else value

    def unit(self, unit: str) -> str:
        """Return a unit with this currency's code for US dollars: ``EUR/kWh``."""
        return f"{self.code}{unit.removeprefix('USD')}" if is_money(unit) else unit

    def name(self, field: str) -> str:
        """Return the name of a field with this currency for US dollars, for heads of tables.

        >>> Currency("EUR", 0.86).name("/designs/A/cumulative_usd")
        '/designs/A/cumulative_eur'
        """
        return _DOLLARS_NAMED.sub(self.code.lower(), field)


def is_money(unit: str | None) -> bool:
    """Whether a value of this unit is held in US dollars: ``USD``, ``USD/kWh``."""
    return unit is not None and unit.partition("/")[0] == "USD"


# The unit within the name of a field.
_DOLLARS_NAMED = re.compile(r"(?<![a-z])usd(?![a-z])")

USD = Currency()


_TOKENS = Path(__file__).resolve().parents[2] / "frontend" / "src" / "tokens.json"


@lru_cache(maxsize=1)
def rules() -> dict[str, Any]:
    """Return how numbers are written, as ``tokens.json`` has it."""
    read: dict[str, Any] = json.loads(_TOKENS.read_text(encoding="utf-8"))["numbers"]
    return read


def missing() -> str:
    """Return the em dash that stands for what is not known."""
    text: str = rules()["missing"]
    return text


def _decimals_for(magnitude: float, digits: int) -> int:
    if magnitude == 0:
        return 0
    exponent = math.floor(math.log10(magnitude))
    if exponent < -_MOST_DECIMALS:
        return _MOST_DECIMALS
    # 9.996 to three digits is 10.0, one decimal fewer than 9.99.
    carried = half_up(magnitude / 10 ** (exponent - digits + 1)) >= 10**digits
    return min(_MOST_DECIMALS, max(0, digits - 1 - exponent - (1 if carried else 0)))


def grouped(magnitude: float, decimals: int) -> str:
    """Digits in groups of three; a half as it is written goes up, as in a browser's formats.

    >>> grouped(1.075, 2), grouped(1075 / 0.93 * 0.93 / 1000, 2)
    ('1.08', '1.08')
    """
    if not magnitude < 10.0**SURE_DIGITS:
        return f"{magnitude:,.{decimals}f}"
    step = Decimal(1).scaleb(-decimals)
    return f"{Decimal(sure(magnitude)).quantize(step, rounding=ROUND_HALF_UP):,f}"


def _signed(value: float, text: str) -> str:
    return f"{rules()['minus']}{text}" if value < 0 and re.search("[1-9]", text) else text


def significant(value: float, digits: int = 3) -> str:
    """Write a plain number to so many significant digits, trailing zeros kept.

    >>> significant(18), significant(0.00123), significant(12_345)
    ('18.0', '0.00123', '12,345')
    """
    if not math.isfinite(value):
        return missing()
    magnitude = abs(value)
    return _signed(value, grouped(magnitude, _decimals_for(magnitude, digits)))


def tiny(value: float) -> str:
    """Write a plain number that may be so small that a power of ten reads better.

    >>> tiny(0.0456), tiny(0.0), tiny(0.0000321).replace(chr(160), " ")
    ('0.0456', '0', '3.21 × 10⁻⁵')
    """
    if value == 0:
        return "0"
    return significant(value) if abs(value) >= 1e-3 else _signed(value, _power(abs(value)))


def _pick(magnitude: float, scales: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    fits = (i for i, scale in enumerate(scales) if magnitude >= scale["at_least"])
    index = next(fits, len(scales) - 1)
    scale = scales[index]
    if index == 0:
        return scale
    # 999,600 reads as $1.00 M, not as $1000 k.
    larger = scales[index - 1]
    rounded = float(f"{magnitude / scale['divide_by']:.2e}") * scale["divide_by"]
    return larger if rounded >= larger["at_least"] else scale


def _small_money(magnitude: float) -> str:
    if magnitude == 0:
        return "0"
    decimals = _decimals_for(magnitude, rules()["significant_digits"])
    if magnitude >= 100:
        return grouped(magnitude, decimals)
    kept = len(grouped(magnitude, decimals).rstrip("0").partition(".")[2])
    return grouped(magnitude, 2 if kept == 1 else kept)


def _power(magnitude: float) -> str:
    mantissa, exponent = f"{magnitude:.2e}".split("e")
    space, raised = rules()["space"], str(int(exponent)).translate(_RAISED)
    return f"{mantissa}{space}×{space}10{raised}"


def money(amount_usd: float | None, currency: Currency = USD, *, in_words: bool = False) -> str:
    """Write US dollars, as held in results, in the study's currency: $1.23 M, −$51.0 k, $0.17.

    A sentence has thousands whole from ten on: −$51 k.
    """
    if amount_usd is None or not math.isfinite(amount_usd * currency.per_usd):
        return missing()
    value = amount_usd * currency.per_usd
    magnitude = abs(value)
    if magnitude >= COUNTLESS:
        return _signed(value, f"{currency.symbol}{_power(magnitude)}")
    scale = _pick(magnitude, rules()["money_scales"])
    scaled = magnitude / scale["divide_by"]
    if scale["divide_by"] == 1:
        text = _small_money(magnitude)
    else:
        decimals = _decimals_for(scaled, rules()["significant_digits"])
        is_whole = in_words and scale["divide_by"] == _THOUSAND and decimals == 1
        text = grouped(scaled, 0 if is_whole else decimals)
    return _signed(value, f"{currency.symbol}{text}{_nbsp(scale['suffix'])}")


def money_change(amount_usd: float, currency: Currency = USD) -> str:
    """Write a difference in money with its direction: +$12.0 k or −$12.0 k."""
    text = money(amount_usd, currency)
    return f"+{text}" if amount_usd > 0 else text


def _nbsp(text: str) -> str:
    return text.replace(" ", rules()["space"])


def _large(magnitude: float) -> str:
    """Write a large number without a row of digits: 463,000, 8.81 billion, 4.63 × 10¹⁴."""
    if magnitude >= COUNTLESS_TIMES:
        return _power(magnitude)
    rounded = float(f"{magnitude:.3g}")
    scale = _pick(magnitude, rules()["share_scales"])
    whole = scale["divide_by"] == 1
    text = grouped(rounded, 0) if whole else significant(rounded / scale["divide_by"])
    return f"{text}{_nbsp(scale['suffix'])}"


def percent(fraction: float | None) -> str:
    """Write a share: 67%, 1.7%, 0.04%; one too small as 1 in 463,000 or 8.81 billion.

    Less or more than the whole is never written as the whole: 99.6%, 99.97%, >99.99%, 100.4%.
    """
    if fraction is None or not math.isfinite(fraction):
        return missing()
    if 0 < fraction < SMALLEST_SHARE:
        return f"1 in {_large(1 / fraction)}"
    value = abs(fraction * 100)
    decimals = 0 if value >= 10 or value == 0 else 1 if value >= 0.1 else 2
    if abs(value - 100) < NO_DIFFERENCE:
        return _signed(fraction, "100%")
    while decimals < 3 and round(value, decimals) == 100:
        decimals += 1
    if decimals == 3:
        return _signed(fraction, ">99.99%" if value < 100 else ">100%")
    text = grouped(value, decimals)
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return _signed(fraction, f"{text}%")


def months(count: float | None) -> str:
    """Write a time to break even: months below three years, to a tenth, else years.

    >>> months(18.41).replace(chr(160), " "), months(19.0).replace(chr(160), " ")
    ('18.4 months', '19 months')
    """
    if count is None or not math.isfinite(count):
        return missing()
    space, limit = rules()["space"], rules()["months_below_years"] * 12
    if abs(count) >= limit and count % 12 != 0:
        return f"{significant(count / 12, 2)}{space}years"
    tenths = half_up(abs(count) * 10)
    text = _signed(count, grouped(tenths / 10, 0 if tenths % 10 == 0 else 1))
    return f"{text}{space}{'month' if text == '1' else 'months'}"


def duration(seconds: float) -> str:
    """Write a length of time in the two units that matter: 2 h 5 min, 7 days 3 h, 48 s."""
    space = rules()["space"]
    if seconds < 60:
        return quantity(seconds, "s") if seconds < 10 else f"{half_up(seconds)}{space}s"
    minutes = half_up(seconds / 60)
    if minutes < 60:
        return f"{minutes}{space}min"
    units = ("h", "min", 60) if minutes < 48 * 60 else ("days", "h", 24)
    whole, rest = divmod(minutes if units[1] == "min" else minutes // 60, units[2])
    return f"{whole}{space}{units[0]}" + (f"{space}{rest}{space}{units[1]}" if rest else "")


def day(moment: date | datetime | str | None) -> str:
    """Write a date as 20 Nov 2026."""
    if moment is None or moment == "":
        return missing()
    if isinstance(moment, str):
        moment = datetime.fromisoformat(moment)
    return f"{moment.day} {MONTHS[moment.month - 1]} {moment.year}"


_WHOLE_DATE = re.compile(r"^\d{4}-\d{2}-\d{2}(?=$|[T ])")
_WHOLE_MONTH = re.compile(r"\d{4}-\d{2}$")
_SNAPSHOT = re.compile(r"^(\d{4}-\d{2}-\d{2})-(\w+)$")


def stated_day(text: str) -> str:
    """Write a date or a month that somebody stated; what no calendar has, or words, as they are.

    >>> stated_day("2026-07-01"), stated_day("2026-07"), stated_day("spring 2026")
    ('1 Jul 2026', 'Jul 2026', 'spring 2026')
    """
    try:
        if _WHOLE_MONTH.match(text):
            return day(date.fromisoformat(f"{text}-01")).partition(" ")[2]
        return day(date.fromisoformat(text[:10])) if _WHOLE_DATE.match(text) else text
    except ValueError:
        return text


# After the day whose prices a study is asked at.
CHOSEN_DAY = "-as-of"


def snapshot_day(snapshot: str) -> str:
    """Write what prices a study has: the day, and which catalogue of that day.

    >>> snapshot_day("2026-07-01-e9e72e09"), snapshot_day("2026-07-20")
    ('1 Jul 2026 (snapshot e9e72e09)', '20 Jul 2026')

    >>> snapshot_day("2026-06-15-as-of")
    '15 Jun 2026, the day chosen, instead of those entered'
    """
    if snapshot.endswith(CHOSEN_DAY):
        day = stated_day(snapshot.removesuffix(CHOSEN_DAY))
        return f"{day}, the day chosen, instead of those entered"
    found = _SNAPSHOT.match(snapshot)
    return f"{stated_day(found[1])} (snapshot {found[2]})" if found else stated_day(snapshot)


def unit_label(unit: str | None, currency: Currency = USD) -> str:
    """Return a unit as a reader writes it: ``yr``, ``CO₂e``; nothing for counts and ratios."""
    if unit in {None, "", "count", "ratio", "1", _CALENDAR} or unit is None:
        return ""
    if unit == "fraction":
        return "%"
    if unit.startswith("fraction/"):
        return f"%/{unit.removeprefix('fraction/')}"
    spoken = "µs" if unit == "us" else unit.replace("CO2e", "CO₂e")
    if spoken.startswith("1/"):
        return f"per {spoken[2:]}"
    if spoken.startswith("USD"):
        return f"{currency.symbol.strip()}{spoken.removeprefix('USD')}"
    return spoken


def quantity(
    value: float | None,
    unit: str | None,
    currency: Currency = USD,
    *,
    largest: float | None = None,
) -> str:
    """Write a value with its unit to three significant digits.

    What stands with others on an axis has the unit of the ``largest`` of them.
    """
    if value is None or not math.isfinite(value):
        return missing()
    name = unit or ""
    rule = rules()["units"].get(ALIASES.get(name, name))
    if rule:
        return _by_rule(value, rule, currency, value if largest is None else largest)
    if name.startswith("USD/"):
        return f"{money(value, currency)}/{name[4:]}"
    if name.startswith("fraction/"):
        return f"{percent(value)}/{name[9:]}"
    return f"{_plain(value)}{_suffix(unit_label(name, currency))}"


def _by_rule(value: float, rule: Mapping[str, Any], currency: Currency, largest: float) -> str:
    kind = rule["kind"]
    if kind == "money":
        return money(value, currency)
    if kind == "percent":
        return percent(value)
    if kind == "count":
        return months(value)
    if kind in _PLAIN_KINDS:
        return f"{_PLAIN_KINDS[kind](value)}{_suffix(rule['unit'])}"
    scale = _pick(abs(largest), rule["scales"])
    text = "0" if value == 0 else significant(value / scale["divide_by"])
    return f"{text}{_suffix(scale['unit'])}"


def _suffix(unit: str) -> str:
    return unit if unit in {"%", ""} else f"{rules()['space']}{_nbsp(unit)}"


def _plain(value: float) -> str:
    if float(value).is_integer() and abs(value) < 1e6:
        return _signed(value, grouped(abs(value), 0))
    if 0 < abs(value) < SMALLEST_SPELLED:
        return _signed(value, _power(abs(value)))
    return significant(value)


def _years(value: float) -> str:
    """58.3, 1,990, 123,000, 8.81 billion."""
    return _plain(value) if abs(value) < LONG_YEARS else _signed(value, _large(abs(value)))


def _instant(ms: float) -> str:
    """A moment in milliseconds since 1970: 20 Nov 2026, 09:30."""
    at = datetime.fromtimestamp(ms / 1000, UTC)
    return f"{day(at)}, {at:%H:%M}"


_PLAIN_KINDS: dict[str, Callable[[float], str]] = {
    "years": _years,
    "plain": _plain,
    "date": "{:.0f}".format,
    "instant": _instant,
}


# Below this a row of zeros is harder to read than a power of ten.
SMALLEST_SPELLED = 1e-6
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def _every_digit(magnitude: float) -> str:
    if not 0 < magnitude < SMALLEST_SPELLED:
        return format(Decimal(f"{magnitude:.12g}"), ",f")
    mantissa, exponent = f"{magnitude:.11e}".split("e")
    return f"{Decimal(mantissa).normalize():f} × 10{str(int(exponent)).translate(_RAISED)}"


def exact(value: float | None, unit: str | None = None) -> str:
    """Write every digit that is held (to twelve), with the stored unit; shares in percent.

    >>> exact(0.225, "fraction/yr"), exact(0.0625, "fraction"), exact(0.1301, "USD/kWh")
    ('22.5%/yr', '6.25%', '$0.1301/kWh')
    """
    if value is None or not math.isfinite(value):
        return missing()
    if unit == _CALENDAR:
        return f"{value:.0f}"
    name = unit or ""
    if name.partition("/")[0] == "fraction":
        text = _every_digit(abs(float(f"{value * 100:.10g}")))
        return f"{_signed(value, text)}{unit_label(name)}"
    text = _every_digit(abs(value))
    if name.startswith("USD"):
        return f"{_signed(value, f'${text}')}{name[3:]}"
    spoken = unit_label(name)
    return f"{_signed(value, text)}{_suffix(spoken) if spoken else ''}"


def range_end(value: float, unit: str, currency: Currency = USD) -> str:
    """Write an end of a range, to three digits: 12.5%, where a share among results is 13%.

    >>> range_end(0.125, "fraction/yr"), range_end(0.5406, "USD/h")
    ('12.5%/yr', '$0.541/h')
    """
    if unit.startswith("fraction"):
        return exact(float(f"{value:.{rules()['significant_digits']}g}"), unit)
    return quantity(value, unit, currency)


def counted(count: float, name: str) -> str:
    """How many of what.

    >>> counted(1, "drive"), counted(1.0, "node"), counted(313, "node"), counted(318.7, "node")
    ('1 drive', '1 node', '313 nodes', '318.7 nodes')
    """
    if abs(count) >= COUNTLESS_THINGS:
        return f"{_power(count)} {name}s"
    decimals = 0 if float(count).is_integer() else 1
    text = _signed(count, grouped(abs(count), decimals))
    return f"{text} {name}" if text == "1" else f"{text} {name}s"


_RATE_SCALES = ((1e9, "G"), (1e6, "M"))


def rate(per_s: float, of: str = "per s") -> str:
    """How many of what come in a second, in millions where they are many.

    >>> [rate(each).replace(chr(160), " ") for each in (159.0, 5.78e6)]
    ['159 per s', '5.78 M per s']
    >>> rate(1e6, "queries/s").replace(chr(160), " ")
    '1 M queries/s'
    """
    divide, letter = next(((by, sign) for by, sign in _RATE_SCALES if per_s >= by), (1.0, ""))
    return quantity(per_s / divide, f"{letter} {of}".strip())


def span(
    low: float,
    high: float,
    unit: str,
    currency: Currency = USD,
    write: Callable[[float, str, Currency], str] = quantity,
) -> str:
    """Write a range under one unit: $2.81–3.14 M, 17–23 months, 40–60%; of inputs by `range_end`.

    >>> span(0.125, 0.325, "fraction/yr", write=range_end)
    '12.5–32.5%/yr'
    """
    first, second = write(low, unit, currency), write(high, unit, currency)
    if first == second:
        return first
    head_match, tail_match = re.match(r"[^\d−]*", second), re.search(r"[^\d]*$", second)
    head = head_match.group() if head_match else ""
    tail = tail_match.group() if tail_match else ""
    if not (first.startswith(head) and first.endswith(tail) and low >= 0):
        return f"{first} to {second}"
    return f"{first[: len(first) - len(tail)]}{rules()['range_dash']}{second[len(head) :]}"


# More digits than any count, place or size of a disk has; Python reads 4,300 at most.
_DIGITS_MAX = 18


def whole_of(text: str) -> int | None:
    """The whole number from 0 on that a text is; None where it is none, or larger than any is.

    Not ``isdigit``, which takes raised and circled digits, and any number of them.

    >>> whole_of("42"), whole_of("-1"), whole_of("²"), whole_of("9" * 5000)
    (42, None, None, None)
    """
    known = text.isascii() and text.isdecimal() and len(text) <= _DIGITS_MAX
    return int(text) if known else None


# Amounts within a millionth of each other are the same: no price is known so closely, and none is
# printed to so many digits.
SAME = 1e-6


def is_same(one: float, other: float) -> bool:
    """Whether two amounts are the same, but for what rounding and few trials leave of them.

    >>> is_same(0.3, 0.1 + 0.2), is_same(2_000_000.0, 2_000_001.76), is_same(70_000.0, 70_001.0)
    (True, True, False)
    """
    return math.isclose(one, other, rel_tol=SAME)


def last_digit(value: float) -> float:
    """Return what the last digit is worth that a value is written with; 0 of 0.

    >>> last_digit(1_257_000.0), last_digit(-51_000.0), last_digit(0.0)
    (10000.0, 100.0, 0.0)
    """
    if value == 0 or not math.isfinite(value):
        return 0.0
    return 10.0 ** (math.floor(math.log10(abs(value))) - rules()["significant_digits"] + 1)


def is_level(one: float, other: float) -> bool:
    """Whether two amounts differ by less than half of what their last written digit is worth.

    >>> is_level(84_000.0, 84_000.3), is_level(374_000.0, 374_600.0)
    (True, False)
    """
    return abs(one - other) < last_digit(max(abs(one), abs(other))) / 2 or one == other


def is_move_shown(differences: Sequence[float], of: float) -> bool:
    """Whether differences of two amounts, each about ``of``, can be told apart as written.

    Not where the amounts read alike at every one of them, nor where the differences do.

    >>> is_move_shown([-0.2, 0.3], 84_000.0), is_move_shown([50_000.0, 50_020.0], 374_000.0)
    (False, False)
    >>> is_move_shown([-20_000.0, 51_000.0], 374_000.0), is_move_shown([0.0, 0.0], 0.0)
    (True, False)
    >>> is_move_shown([-171.4, -170.6], 3_000.0)
    False
    """
    most = max(map(abs, differences))
    apart = max(differences) - min(differences)
    if apart <= 0 or most < last_digit(of) / 2:
        return False
    digit = last_digit(most)
    return apart >= digit / 2 and len({round(each / digit) for each in differences}) > 1


def names_at(values: Mapping[str, float], end: float) -> list[str]:
    """Return the names whose values are at an end, but for rounding: those that share the best.

    >>> names_at({"A": 0.3, "B": 0.1 + 0.2, "C": 0.2}, 0.3)
    ['A', 'B']
    """
    return [name for name, value in values.items() if is_same(value, end)]


def names_in_order(values: Mapping[str, float]) -> list[str]:
    """Return the names from the least value to the greatest, those of the same value by name.

    >>> names_in_order({"C": 2.0, "B": 1.0 + 1e-12, "A": 2.0, "D": 1.0})
    ['B', 'D', 'A', 'C']
    """
    found: list[str] = []
    left = sorted(values, key=values.__getitem__)
    while left:
        level = sorted(names_at({name: values[name] for name in left}, values[left[0]]))
        found += level
        left = [name for name in left if name not in level]
    return found
