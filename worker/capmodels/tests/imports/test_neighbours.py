"""Files beside those that are known: the same table otherwise written is read the same."""

from __future__ import annotations

import csv
import io
import random
import re
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.imports.registry import Options, importers, opened, read_with, recognised
from capmodels.imports.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Rows = list[list[str]]
_NUMBER = re.compile(r"-?\d+\.\d+")
# Where a thing stands in its file, and how its numbers are written, may differ.
_PLACES = {"rows", "row", "line", "mark", "lines", "columns", "heads"}


def written(rows: Rows, delimiter: str = ",") -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter).writerows(rows)
    return text.getvalue()


def in_another_order(rows: Rows) -> str:
    order = random.Random(len(rows[0])).sample(range(len(rows[0])), len(rows[0]))
    return written([[(row + [""] * len(order))[at] for at in order] for row in rows])


def with_decimal_commas(rows: Rows) -> str:
    below = [
        [cell.replace(".", ",") if _NUMBER.fullmatch(cell) else cell for cell in row]
        for row in rows[1:]
    ]
    return written([rows[0], *below], ";")


def with_a_column_more(rows: Rows) -> str:
    return written(
        [[*row, "x_remark" if at == 0 else f"remark {at}"] for at, row in enumerate(rows)]
    )


def with_cells_left_out(rows: Rows) -> str:
    wide = [[*row, "x_remark" if at == 0 else ""] for at, row in enumerate(rows)]
    for row in wide:
        while row and not row[-1]:
            row.pop()
    return written(wide)


_NOTED = re.compile(r"read with decimal|Columns that are not read: x_remark\.")
FORMS: dict[str, Callable[[Rows], str]] = {
    "decimal commas": with_decimal_commas,
    "tabs": lambda rows: written(rows, "\t"),
    "another order": in_another_order,
    "a column more": with_a_column_more,
    "cells left out": with_cells_left_out,
    "a title above": lambda rows: f"Export of the year\n\n{written(rows)}",
    "blank rows": lambda rows: f"{written(rows)}{',' * (len(rows[0]) - 1)}\r\n\r\n",
}


def read(path: Path, data: bytes) -> tuple[str, dict[str, Any]]:
    path.write_bytes(data)
    file = opened(path)
    item = recognised(file.columns)
    return item.id, read_with(item, file, lambda _share, _said: None)


def plain(value: Any) -> Any:
    """What is read, without where it stands."""
    if isinstance(value, dict):
        return {key: plain(held) for key, held in value.items() if key not in _PLACES}
    return [plain(one) for one in value] if isinstance(value, list) else value


def _tables(folder: Path) -> dict[str, tuple[Rows, Any]]:
    """The samples that are tables, by the importer, with what is read of them."""
    found = {}
    for item in importers():
        path = folder / "sample"
        path.write_bytes(item.sample())
        file = opened(path)
        if isinstance(file, Table) and file.first_row == 2:
            text = path.read_text("utf-8-sig")
            delimiter = max(",;\t|", key=text.splitlines()[0].count)
            rows = list(csv.reader(io.StringIO(text), delimiter=delimiter))
            kind, known = read(folder / "known", written(rows).encode())
            assert kind == item.id
            found[item.id] = rows, known
    return found


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Rows, Any]]:
    return _tables(tmp_path_factory.mktemp("samples"))


def test_every_kind_of_table_has_neighbours(tables: dict[str, tuple[Rows, Any]]) -> None:
    assert tables.keys() >= {
        *("focus", "aws_cur", "azure_cost", "gcp_cost", "oci_cost", "hetzner", "ovh", "sacct"),
        *("azure_migrate", "live_optics", "aria", "machine_list", "kube_allocations"),
        *("price_table", "specpower", "ecb", "hourly"),
    }


@pytest.mark.parametrize("form", FORMS)
def test_a_table_otherwise_written_is_read_the_same(
    form: str, tables: dict[str, tuple[Rows, Any]], tmp_path: Path
) -> None:
    for identity, (rows, known) in tables.items():
        kind, found = read(tmp_path / "other", FORMS[form](rows).encode())
        assert kind == identity
        # how numbers were read is noted where they may be read otherwise, a column more by name
        notes = [note for note in found.get("notes", []) if not _NOTED.search(note)]
        assert plain({**found, "notes": notes}) == plain(known), identity


def fleet(path: Path, text: str) -> dict[str, Any]:
    identity, found = read(path / "fleet", text.encode())
    assert identity == "machine_list"
    return found


@pytest.mark.parametrize(
    ("heads", "off"),
    [
        ("Server;Cores;RAM (GB);Status", "off"),
        ("Rechnername;Kerne;Arbeitsspeicher (GB);Zustand", "ausgeschaltet"),
        ("Nom du serveur;Cœurs;Mémoire (Go);Statut", "arrêté"),
        ("Servidor;Núcleos;Memoria (GB);Estado", "apagado"),
        ("Nome server;Core;RAM (GB);Stato", "spento"),
        ("Servernaam;Kernen;Geheugen (GB);Status", "uitgeschakeld"),
        ("Nazwa serwera;Rdzenie;Pamięć RAM (GB);Stan", "wyłączony"),
        ("Název serveru;Jádra;Paměť (GB);Stav", "vypnuto"),
        ("Servernamn;Kärnor;Minne (GB);Status", "avstängd"),
        ("Nome do servidor;Núcleos;Memória (GB);Situação", "desligado"),
    ],
)
@pytest.mark.parametrize("total", ["Total", "Summe:", "Razem"])
def test_machines_in_ten_languages_with_a_row_of_their_total(
    heads: str, off: str, total: str, tmp_path: Path
) -> None:
    rows = [heads, "a;16;64;", "b;32;128;", f"c;8;32;{off}", f"{total};56;224;"]
    found = fleet(tmp_path, "\n".join(rows) + "\n")
    sums = found["totals"]
    assert (sums["machines_count"], sums["cores_count"], sums["ram_gib"]) == (2, 48, 192)
    assert found["off"]["machines_count"] == 1
    assert "1 row of totals: no machine, left out." in found["notes"]


def test_numbers_are_no_names_of_processors(tmp_path: Path) -> None:
    found = fleet(tmp_path, "name,cpu,memory (GB)\na,92.5,64\nb,40.0,32\n")
    assert {group["cpu"] for group in found["groups"]} == {""}
    assert any(note.startswith("cpu: numbers without a unit, as 92.5") for note in found["notes"])


def test_a_log_without_a_field_of_gpus_says_that_nobody_knows_them(tmp_path: Path) -> None:
    head = "JobID|Account|AllocCPUS|Start|End"
    row = "1|ml|8|2026-09-01T00:00:00|2026-09-01T10:00:00"
    said = "The log has no field of GPUs"
    _, found = read(tmp_path / "log", f"{head}\n{row}\n".encode())
    assert any(note.startswith(said) for note in found["notes"])
    _, found = read(tmp_path / "log", f"{head}|AllocTRES\n{row}|cpu=8\n".encode())
    assert not any(note.startswith(said) for note in found["notes"])


_SERVER = {"unit_price_usd": 10000.0, "sockets_per_node_count": 2, "ram_gib": 512}
_EUROPE = "2x Xeon Gold 6430 32C, 512 GB RAM;4;10.000,00;40.000,00"


@pytest.mark.parametrize(
    ("lines", "of_one"),
    [
        (["Bezeichnung;Menge;EP in EUR;GP in EUR", f"Server R660, {_EUROPE}"], _SERVER),
        (["Désignation;Qté;Prix unitaire HT;Montant HT", f"Serveur rack R660, {_EUROPE}"], _SERVER),
        (["Descrizione;Quantità;Prezzo unitario;Importo", f"Server rack R660, {_EUROPE}"], _SERVER),
        (["Opis;Ilość;Cena jednostkowa netto;Wartość netto", f"Serwer R660, {_EUROPE}"], _SERVER),
        (["Popis;Množství;Cena za kus bez DPH;Celkem bez DPH", f"Server R660, {_EUROPE}"], _SERVER),
        (["Descrição;Qtd;Valor unitário;Valor total", f"Servidor R660, {_EUROPE}"], _SERVER),
        (["Description;Qty;Amount", "4 servers R660, 2x Xeon 6430 32C, 512 GB RAM;1;40000"],
         _SERVER),
        (["Description;Qty;Amount", "R660xs with 2 Xeon 6430 (32 cores), 16x 32GB;4;40000"],
         _SERVER),
        (["Description;Qty;Amount", "8x H100 SXM GPU server, 2x Xeon 8480+ 56C, 2TB RAM;2;600000"],
         {"unit_price_usd": 300000, "gpus_per_node_count": 8, "sockets_per_node_count": 2}),
        (["Description;Qty;Amount", "8x H100 SXM GPU server, 2x Xeon 8480+ 56C, 2TB RAM;1;300000"],
         {"unit_price_usd": 300000, "gpus_per_node_count": 8, "ram_gib": 2048}),
        (["Description;Qty;Amount",
          "Supermicro SYS-421GE, 4 x NVIDIA L40S 48GB, 2 x AMD EPYC 9354 32C, 768 GB RAM;3;180000"],
         {"unit_price_usd": 60000, "gpus_per_node_count": 4, "cores_per_node_count": 64}),
        (["Description;Qty;Amount", "Server;2;4000",
          "Xeon 6430 2.1G, 32C, 60M cache, DDR5-4400;4;8000"],
         {"unit_price_usd": 6000, "sockets_per_node_count": 2, "cores_per_node_count": 64}),
    ],
)  # fmt: skip
def test_a_server_in_a_line_in_whatever_words(
    lines: list[str], of_one: dict[str, float], tmp_path: Path
) -> None:
    identity, found = read(tmp_path / "quote", "\n".join(lines).encode())
    assert identity == "quote"
    item = next(one for one in importers() if one.id == "quote")
    drafted = item.draft(found, Options(file_name="q", as_of="2026-11-30", per_usd=1.0))
    assert drafted.entry is not None
    values = {name: said["value"] for name, said in drafted.entry["values"].items()}
    assert {name: values.get(name) for name in of_one} == pytest.approx(of_one)
    untold = any("names no currency" in note for note in found["notes"])
    assert untold == ("EUR" not in lines[0])
