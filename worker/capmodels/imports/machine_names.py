"""Names of machines and processors, as people and firmware write them, brought to one form.

Words may be misspelt, left out or abbreviated; what tells one product from the next is its code
(R750, DL380 Gen10, E5-2670 v2), which must be the same letter by letter: a wrong digit is another
product, and is never taken for a slip.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

# A word of fewer letters in common is another word.
_ALIKE = 0.8
_MAKERS = {
    "dell": ("dell", "poweredge", "emc"),
    "hpe": ("hpe", "hp", "hewlett", "packard", "proliant", "superdome"),
    "lenovo": ("lenovo", "thinksystem"),
    "ibm": ("ibm",),
    "fujitsu": ("fujitsu", "primergy", "fts"),
    "supermicro": ("supermicro", "smc"),
    "cisco": ("cisco", "ucsc"),
    "huawei": ("huawei", "fusionserver"),
    "acer": ("acer", "gateway"),
    "nec": ("nec",),
    "hitachi": ("hitachi",),
    "asus": ("asus", "asustek"),
    "gigabyte": ("gigabyte",),
    "inspur": ("inspur",),
    "quanta": ("quanta", "quantagrid"),
    "depo": ("depo",),
}
_BRANDS = {
    "xeon": ("xeon", "gold", "silver", "platinum", "bronze"),
    "epyc": ("epyc",),
    "opteron": ("opteron",),
}
_ASIDE = re.compile(r"\([^)]*\)|\[[^\]]*\]|®|™|@.*$")
_TRADE = re.compile(r"\((?:r|tm|c)\)", re.IGNORECASE)
_COUNTED = re.compile(r"\b\d{1,3}\s*[- ]?(?:cores?|threads?)\b|\b\d{1,2}\s*x\s+|\b\d\.\d+\s*ghz\b")
# Codes of Xeon by their letters (E5-2670 v2, E-2176G, X5670) and by number (Gold 6338N, 8480+).
_E_SERIES = re.compile(r"\be([357])[ -]*(\d{4})([a-uw-z]{0,2})[ -]*(?:v ?(\d))?(?![a-z0-9])")
_E_ENTRY = re.compile(r"\be[ -]*(2\d{3}[gmel]?)(?![a-z0-9])")
_LETTERED = re.compile(r"\b([elxw])[ -]?(\d{4})(?![a-z0-9])")
_NUMBERED = re.compile(r"\b(\d{4})([a-z]{0,3}\+?)(?![a-z0-9+])")
_EPYC = re.compile(r"\b([3-9][0-9fr][0-9fhv]\d)([a-z]{0,2})(?![a-z0-9])")
_OPTERON = re.compile(r"\b([1-8]\d{3}) ?(he|ee|se)?(?![a-z0-9])")


def _plain(text: str) -> str:
    """Small letters without trademarks and asides, and no letter O within a number."""
    small = _COUNTED.sub(" ", _ASIDE.sub(" ", _TRADE.sub(" ", text.lower())))
    return re.sub(r"(?<=\d)o|o(?=\d)", "0", small)


def _alike(word: str, known: str) -> bool:
    """Whether a word is another, perhaps misspelt; short ones must be the same."""
    if len(known) < 4 or len(word) < 4:
        return word == known
    is_swapped = sorted(word) == sorted(known)
    return is_swapped or SequenceMatcher(None, word, known).ratio() >= _ALIKE


def _named(text: str, names: dict[str, tuple[str, ...]]) -> str:
    found = {
        name
        for name, words in names.items()
        for word in re.findall(r"[a-z]+", text)
        if any(_alike(word, known) for known in words)
    }
    return found.pop() if len(found) == 1 else ""


# The catalogue's thousands of machines have few processors, and each is asked again for each group.
@lru_cache(maxsize=4096)
def processor_code(text: str) -> str:
    """The code of a processor with its brand; blank where the text does not tell both.

    >>> processor_code("Intel(R) Xeon(R) CPU E5-2670 v2 @ 2.50GHz"), processor_code("E52670V2")
    ('xeon e5-2670 v2', 'xeon e5-2670 v2')
    >>> processor_code("AMD EPYC 7763 64-Core Processor"), processor_code("Glod 6338N")
    ('epyc 7763', 'xeon 6338n')
    >>> processor_code("6338"), processor_code("Xeon Gold")
    ('', '')
    """
    small = _plain(text)
    if series := _E_SERIES.search(small):
        line, number, letters, version = series.groups()
        return f"xeon e{line}-{number}{letters}" + (f" v{version}" if version else "")
    brand = _named(small, _BRANDS)
    if brand == "epyc":
        found = _EPYC.search(small)
        return f"epyc {found[1]}{found[2]}" if found else ""
    if brand == "opteron":
        found = _OPTERON.search(small)
        return f"opteron {found[1]}{found[2] or ''}" if found else ""
    return _xeon_code(small, brand)


def _xeon_code(small: str, brand: str) -> str:
    if not brand:
        return ""
    for form in (_LETTERED, _E_ENTRY, _NUMBERED):
        if found := form.search(small):
            head = "e-" if form is _E_ENTRY else ""
            return f"xeon {head}{''.join(found.groups())}"
    return ""


def family_of(code: str) -> str | None:
    """The family of measured servers that a processor belongs to; None where there is none.

    By Intel's and AMD's numbering: of a Xeon Scalable the second digit is its generation, of an
    EPYC the last. A Xeon 6500P has the numbers of the fifth generation and is none of it.

    >>> family_of("xeon 6338"), family_of("xeon 6240r"), family_of("epyc 7763")
    ('ice_lake', 'skylake', 'zen3')
    >>> family_of("xeon e5-2670 v2"), family_of("xeon e5-2680 v4"), family_of("epyc 7601")
    ('sandy_bridge', 'haswell', 'zen1')
    """
    for pattern, family in _FAMILIES:
        if re.fullmatch(pattern, code):
            return family
    return None


_FAMILIES = (
    (r"xeon [3-9]3\d\dh[l]?", "skylake"),
    (r"xeon [3-9][12]\d\d[a-z]{0,2}", "skylake"),
    (r"xeon [3-9]3\d\d[a-z]{0,2}", "ice_lake"),
    (r"(?!xeon 65\d\dp)xeon [3-9][45]\d\d[a-z]{0,2}\+?", "sapphire_rapids"),
    (r"xeon e5-\d{4}[a-z]{0,2}( v2)?", "sandy_bridge"),
    (r"xeon e5-\d{4}[a-z]{0,2} v[34]", "haswell"),
    (r"xeon (e3-.* v[56]|e-2[12]\d\d.*)", "coffee_lake"),
    (r"xeon e-2[34]\d\d.*", "rocket_lake"),
    (r"xeon (e3-.*|[xl]34\d\d)", "entry"),
    (r"xeon [xel](55|56|75)\d\d", "nehalem"),
    (r"xeon ([xel]5[1-4]\d\d|[xel]73\d\d)", "core"),
    (r"epyc 7\w\w1[a-z]{0,2}", "zen1"),
    (r"epyc 7\w\w2[a-z]{0,2}", "zen2"),
    (r"epyc 7\w\w3[a-z]{0,2}", "zen3"),
    (r"epyc 9\w\w[45][a-z]{0,2}", "zen4"),
    (r"opteron [268]\d{3}(he|ee|se)?", "opteron"),
)


@dataclass(frozen=True, slots=True)
class ModelName:
    """A machine's maker, blank where it is not told, and the codes of its model."""

    maker: str
    codes: frozenset[str]

    def is_same(self, other: ModelName) -> bool:
        """Whether two names are of one model: the same codes, and no two makers."""
        if not self.codes or self.codes != other.codes:
            return False
        return len({self.maker, other.maker} - {""}) < 2


def model_name(text: str) -> ModelName:
    """Read the name of a machine.

    >>> model_name("Hewlett-Packard ProLiant DL380 G10") == model_name("HPE DL 380 Gen 10")
    True
    >>> model_name("Dell Inc. PowerEgde R75O") == model_name("R750")
    False
    >>> model_name("Dell Inc. PowerEgde R75O").is_same(model_name("R750"))
    True
    >>> model_name("PowerEdge R750").is_same(model_name("PowerEdge R740"))
    False
    """
    small = re.sub(r"[^a-z0-9+]+", " ", _plain(text))
    small = re.sub(r"\b(?:gen|g)(?:eration)? ?(\d{1,2})\b", r" gen\1 ", small)
    small = re.sub(r"(\bgen\d+) *(?:\+|plus\b)", r"\1plus", small)
    small = re.sub(r"\b([a-z]{1,2}) (\d{3,4})", r"\1\2", small)
    codes = [word.strip("+") for word in small.split() if any(map(str.isdigit, word))]
    return ModelName(_named(small, _MAKERS), frozenset(codes))
