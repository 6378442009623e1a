"""Machines matched to the catalogue: as others spell them, unknown ones, and never a wrong one."""

from __future__ import annotations

import csv
import io
import random
import re
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.imports.fleet_match import Group, Known, KnownMachine, match
from capmodels.imports.machine_names import processor_code
from catalogue.testing import shipped_load
from imports.selectors import machines_known
from imports.tests.test_imports_api import imported

if TYPE_CHECKING:
    from accounts.testing import Person

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]

# Names as firmware, vCenter and people write them, none of them the catalogue's own spelling:
# model, processor, cores of a machine, and the entry that it is; with no entry, how sure at most.
HELD_BACK = [
    ("Dell Inc. PowerEdge R740", "Intel(R) Xeon(R) Platinum 8280 CPU @ 2.70GHz", 56,
     "dell-r740-8280", "sure"),
    ("PowerEgde R 740", "Xeon Platnium 8180", 56, "dell-r740-8180", "sure"),
    ("R740", "platinum 8280", 56, "dell-r740-8280", "sure"),
    ("HP ProLiant DL360 G10", "Intel Xeon Platinum 8180 2.5 GHz", 56,
     "hpe-dl360-gen10-8180", "sure"),
    ("Hewlett Packard Enterprise DL 385 Gen 11", "AMD EPYC 9654 96-Core Processor", 192,
     "hpe-dl385-gen11-9654*", "sure"),
    ("HPE ProLiant DL380 Gen10+", "Intel(R) Xeon(R) Platinum 8380 CPU @ 2.30GHz", 80,
     "hpe-dl380-gen10-plus-8380", "sure"),
    ("FUJITSU PRIMERGY RX2540 M1", "Intel(R) Xeon(R) CPU E5-2699 v3 @ 2.30GHz", 36,
     "fujitsu-rx2540-m1", "sure"),
    ("LENOVO ThinkSystem SR650 -[7X06CTO1WW]-", "Xeon Platinum 8176 CPU @ 2.10GHz", 56,
     "lenovo-thinksystem-sr650-8176", "sure"),
    ("PowerEdge R75O", "Xeon Gold 6338", 64, None, "by family"),
    ("Cisco UCS C240 M5", "Xeon Platinum 8280", 56, "*8280*", "likely"),
    ("Supermicro AS-2024", "epyc 7742 64-core", 64, "*7742*", "likely"),
    ("PowerEdge R720", "E5 2660", 16, "dell-*r720*", "sure"),
    # One letter or digit beside a known one: another product.
    ("PowerEdge R740", "Xeon Platinum 8281", 56, None, "by family"),
    ("PowerEdge R740", "Xeon Gold 6240R", 48, None, "by family"),
    ("DL385 Gen11", "EPYC 9654P", 192, None, "by family"),
    ("DL385 Gen11", "EPYC 9655P", 96, None, "by family"),
    ("PowerEdge R720", "E5-2660 v2", 24, None, "by family"),
    ("PowerEdge R720", "E5-2660 v4", 28, None, "by family"),
    # The processor is known, the number of cores is another machine's.
    ("PowerEdge R740", "Xeon Platinum 8280", 28, None, "by family"),
    # No name of a product, or one whose family nobody has measured.
    ("", "", 32, None, "no match"),
    ("server", "64-bit CPU", 8, None, "no match"),
    ("To be filled by O.E.M.", "QEMU Virtual CPU version 2.5+", 4, None, "no match"),
    ("IBM Power S922", "POWER9", 20, None, "no match"),
    ("Oracle SPARC T8-1", "SPARC M8", 32, None, "no match"),
    ("Ampere Altra", "Ampere Altra Q80-30", 80, None, "no match"),
    ("ProLiant DL385 Gen10", "AMD EPYC 7551", 64, None, "no match"),
    ("NUC", "Intel Core i7-8650U", 4, None, "no match"),
    ("6338", "6338", 32, None, "no match"),
    ("7763", "7763", 64, None, "no match"),
    ("R740", "", 56, None, "no match"),  # known with two processors
    ("PowerEdge R240", "", 6, "dell-poweredge-r240-e-2176g", "likely"),
]  # fmt: skip
_RANK = ("no match", "by family", "likely", "sure")


@pytest.fixture
def catalogue(database: None) -> None:
    shipped_load()


def group(model: str, cpu: str, cores: float | None) -> Group:
    return Group(model, cpu, "", 1.0, cores, 512.0, busy_fraction=0.3)


def _misspelt(draw: random.Random, one: KnownMachine) -> tuple[str, str]:
    """The name of a machine as somebody types it: letters of words swapped, parts left out."""
    words = re.sub(r"\(.*?\)", "", one.title.partition(",")[0]).split()

    def typed(word: str) -> str:
        if not word.isalpha() or len(word) < 5:
            return word
        at = draw.randrange(1, len(word) - 2)
        swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        return draw.choice([word, word.upper(), swapped])

    model = " ".join(map(typed, words))
    cpu = " ".join(map(typed, one.cpu.split()))
    added = draw.choice(["", "(R)", " CPU @ 2.40GHz", " Processor"])
    return draw.choice([model, f"{model} (SKU=NotProvided)"]), cpu + added


def _other(draw: random.Random, cpu: str) -> str:
    """A processor of another number."""
    at = draw.choice([found.start() for found in re.finditer(r"\d", cpu)])
    return cpu[:at] + draw.choice([d for d in "123456789" if d != cpu[at]]) + cpu[at + 1 :]


@pytest.mark.usefixtures("catalogue")
@pytest.mark.decisive
def test_names_written_by_others_find_their_machine_and_no_other(alice: Person) -> None:
    with alice.workspace():
        known = machines_known()
    for model, cpu, cores, entry, how_sure in HELD_BACK:
        found = match(group(model, cpu, cores), known)
        said = (model, cpu, found.how_sure, found.entry and found.entry.slug, found.why)
        if entry is None:
            assert found.entry is None, said
            assert _RANK.index(found.how_sure) <= _RANK.index(how_sure), said
        else:
            assert found.how_sure == how_sure, said
            assert found.entry, said
            assert re.fullmatch(entry.replace("*", ".*"), found.entry.slug), said
    _of_generated_names(known)


def _of_generated_names(known: Known) -> None:
    draw, missed = random.Random(15), []
    codes = {processor_code(one.cpu) for one in known.machines}
    told = [one for one in known.machines if processor_code(one.cpu) and one.cores_count]
    for _ in range(600):
        one = draw.choice(told)
        model, cpu = _misspelt(draw, one)
        found = match(group(model, cpu, one.cores_count), known)
        if found.entry is None:
            missed.append((model, cpu))
        else:
            assert processor_code(found.entry.cpu) == processor_code(one.cpu), (model, cpu)
            assert found.entry.cores_count == one.cores_count
        wrong = _other(draw, one.cpu)
        other = match(group(model, wrong, one.cores_count), known)
        if processor_code(wrong) not in codes:
            assert other.entry is None, (model, wrong, other.why)
    assert len(missed) < 60, missed[:20]


def inventory(rows: list[tuple[Any, ...]]) -> bytes:
    file = io.StringIO()
    csv.writer(file).writerows(
        [("Name", "Manufacturer", "Model", "CPU", "Cores", "Memory (GB)", "CPU usage (%)",
          "Purchase date", "Price"), *rows]
    )  # fmt: skip
    return file.getvalue().encode()


@pytest.mark.usefixtures("catalogue")
def test_a_fleet_becomes_a_baseline_and_fewer_of_its_machines(alice: Person) -> None:
    rows: list[tuple[Any, ...]] = [
        (f"a{n}", "Dell Inc.", "PowerEdge R740", "Xeon Platinum 8280", 56, 384, 20, "2022-03-01",
         12_000) for n in range(10)
    ]  # fmt: skip
    rows += [(f"b{n}", "HP", "DL385p G8", "Opteron 6380", 32, 128, 10, "", "") for n in range(4)]
    rows += [("c", "Acme", "Tower 9", "SPARC M8", 32, 256, 50, "2020", 9_000)]
    found = imported(alice, inventory(rows), "fleet.csv")
    designs = [{"option": "fleet"}, {"option": "fewer"}, {"option": "owned"}]
    draft = alice.post(f"imports/{found['id']}/draft", {"designs": designs}).json()
    assert "tables" in draft, draft.get("errors", draft)
    table = next(one for one in draft["tables"] if one["title"] == "Machines by the catalogue")
    said = {row[1]: row for row in table["rows"]}
    assert said["Xeon Platinum 8280"][4] == "sure"
    assert said["SPARC M8"][3:5] == ["none", "no match"]
    # 49.8 to 432 W, measured at 20%: the entry's own points.
    watts = said["Xeon Platinum 8280"][6]
    assert 49.8 < watts < 250
    first = next(line for line in draft["baseline"]["lines"] if "R740" in line["type"])
    assert first["count"] == 10
    assert first["usd_per_h"] == pytest.approx(watts / 1000 * 1.4 * 0.1301)
    year, month = map(int, found["created_at"][:7].split("-"))
    left = max(0.0, 1 - ((year - 2022) * 12 + month - 7) / 60)
    assert draft["baseline"]["book_value_usd"] == pytest.approx(10 * 12_000 * left, abs=1e-6)
    # What a plan of purchases keeps, and how long; of unknown age it is not told.
    assert first["busy_cores_count"] == pytest.approx(0.7 * 56)
    assert first.get("until_month") == (round(60 * left) or None)
    endless = next(line for line in draft["baseline"]["lines"] if "DL385" in line["type"])
    assert "until_month" not in endless
    assert any("not known how long they stay" in point for point in draft["open_points"])
    assert "The power of 1 machines is not known" in " ".join(draft["open_points"])
    titles = [one["title"] for one in draft["designs"]]
    assert titles[0] == "The fleet as it stands"
    fewer = re.fullmatch(r"(\d+) of the fleet's 14 machines", titles[1])
    assert fewer, titles
    assert 0 < int(fewer[1]) < 14
    _accepted_and_undone(alice, found["id"], designs)


def _accepted_and_undone(alice: Person, import_id: str, designs: list[dict[str, Any]]) -> None:
    accepted = alice.post(f"imports/{import_id}/accept", {"designs": designs})
    assert accepted.status_code == 201, accepted.content
    study = alice.get(f"studies/{accepted.json()['study_id']}").json()
    assert study["faults"] == []
    assert study["baseline"]["kind"] == "do_nothing"
    spec = study["designs"][0]["spec"]["node_groups"][0]
    assert (spec["count"], spec["power"]["kind"]) == (10, "points")
    assert alice.post(f"imports/{import_id}/undo", {}).status_code == 200
