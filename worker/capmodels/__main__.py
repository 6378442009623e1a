"""Run any model and every published check from the shell.

``python -m capmodels list | schema [MODEL] | causes | providers | arrays
| evaluate MODEL --params FILE [--seed N] | checks [MODEL...] [--json] | fleet FILE... [--lifetimes]
| trace FILE | fio FILE... [--size BYTES] | disksim FILE... [--disk NAME]
| entry DRIVE --slug SLUG [--title TITLE]``.
JSON on stdout (of an entry, CSV), messages on stderr.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any, get_args

from capmodels import registry, spec
from capmodels.errors import ModelError, ParamsError
from capmodels.plans.causes import CAUSES
from capmodels.providers import PROVIDERS
from capmodels.storage import array_start
from capmodels.warming import KERNELS


def main(argv: list[str] | None = None) -> int:
    """Run the command; return 0, 1 when a check fails, 2 when the input is not valid."""
    args = _parser().parse_args(argv)
    try:
        status: int = args.command(args)
    except ParamsError as exc:
        for fault in exc.faults:
            _say(f"{fault.pointer or '/'}: {fault.message}")
        return 2
    except ModelError as exc:
        _say(str(exc))
        return 2
    except OSError as exc:
        if exc.filename is None:
            raise
        _say(f"{exc.filename}: {exc.strerror}.")
        return 2
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="capmodels", description=__doc__)
    commands = parser.add_subparsers(required=True)
    commands.add_parser("list", help="every model").set_defaults(command=_list)
    schema = commands.add_parser("schema", help="a model's input and output")
    schema.add_argument("model", nargs="?", help="else those of all models, by id")
    schema.set_defaults(command=_schema)
    causes = commands.add_parser("causes", help="causes of cost, in their order")
    causes.set_defaults(command=_causes)
    providers = commands.add_parser("providers", help="names of providers, by id")
    providers.set_defaults(command=_providers)
    arrays = commands.add_parser("arrays", help="what the page of arrays begins with")
    arrays.set_defaults(command=_arrays)
    evaluate = commands.add_parser("evaluate", help="run a model on a document")
    evaluate.add_argument("model")
    evaluate.add_argument("--params", required=True, help="a JSON file, or - for stdin")
    evaluate.add_argument("--seed", type=int, default=0)
    evaluate.set_defaults(command=_evaluate)
    checks = commands.add_parser("checks", help="every published check")
    checks.add_argument("models", nargs="*")
    checks.add_argument("--json", action="store_true")
    checks.set_defaults(command=_checks)
    _of_files(commands)
    return parser


def _of_files(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Commands that make something of a file."""
    fleet = commands.add_parser("fleet", help="params of the fleet models from Backblaze's days")
    fleet.add_argument("files", nargs="+", type=Path, help="daily CSV files, plain or packed")
    fleet.add_argument("--lifetimes", action="store_true", help="those of reliability.lifetimes")
    fleet.add_argument("--drive", help="lifetimes of this drive model only")
    fleet.set_defaults(command=_fleet)
    fio = commands.add_parser("fio", help="params of storage.calibrate_drive from fio's JSON")
    fio.add_argument("files", nargs="+", type=Path)
    fio.add_argument("--size", type=int, help="bytes of a block; else those with most depths")
    fio.set_defaults(command=_fio)
    trace = commands.add_parser("trace", help="what a file of a trace tells")
    trace.add_argument("file", type=Path, help="any that Traces takes, plain or packed")
    trace.set_defaults(command=_trace)
    disksim = commands.add_parser("disksim", help="a disk from the parameter files of DiskSim")
    disksim.add_argument("files", nargs="+", type=Path, help="those that they name are read too")
    disksim.add_argument("--disk", help="its name in the files; else the first")
    disksim.add_argument("--seeks", type=Path, action="append", help="one of the files")
    disksim.add_argument("--settings", type=Path, action="append", help="one of the files")
    disksim.set_defaults(command=_disksim)
    entry = commands.add_parser("entry", help="a drive as a table for the catalogue")
    entry.add_argument("drive", help="JSON of a drive, or of a calibration, or - for stdin")
    entry.add_argument("--slug", required=True)
    entry.add_argument("--title", help="else the drive's name")
    entry.add_argument("--source", default="Calibrated", help="where its figures are from")
    entry.set_defaults(command=_entry)


def _fleet(args: argparse.Namespace) -> int:
    from capmodels.formats.backblaze_csv import Fleet
    from capmodels.formats.chunks import FileRefused

    fleet = Fleet()
    for path in args.files:
        with path.open("rb") as file:
            try:
                fleet.read(iter(partial(file.read, 1 << 20), b""))
            except FileRefused as exc:
                _say(f"{path.name}: {exc}")
                return 2
    for fault in fleet.faults:
        _say(f"line {fault.line}: {fault.message}")
    _print(fleet.lifetimes(args.drive) if args.lifetimes else fleet.fleet_rates())
    return 0


def _fio(args: argparse.Namespace) -> int:
    from capmodels.formats.chunks import FileRefused
    from capmodels.formats.device_told import unused_said
    from capmodels.formats.fio_json import calibrations, rows

    found = []
    for path in args.files:
        try:
            found += rows(path.read_bytes())
        except FileRefused as exc:
            _say(f"{path.name}: {exc}")
            return 2
    fits, unused = calibrations(found)
    if unused:
        _say(f"Not used: {unused_said(unused)}.")
    sizes = [str(fit["size_bytes"]) for fit in fits]
    chosen = [fit for fit in fits if args.size in {None, fit["size_bytes"]}]
    if not chosen:
        kinds = f" There are blocks of {', '.join(sizes)} bytes." if sizes else ""
        _say(f"No job asked for reads of one size, and nothing beside.{kinds}")
        return 2
    if args.size is None and fits[1:]:
        _say(f"Blocks of {sizes[0]} bytes; --size has those of {' or '.join(sizes[1:])}.")
    _print(chosen[0])
    return 0


def _trace(args: argparse.Namespace) -> int:
    from capmodels.formats.chunks import FileRefused
    from capmodels.formats.ingest import ingest
    from capmodels.formats.trace_told import trace_told

    with args.file.open("rb") as file:
        try:
            chunks = iter(partial(file.read, 1 << 20), b"")
            found = ingest(chunks, lambda _packed: None, args.file.name)
        except FileRefused as exc:
            _say(f"{args.file.name}: {exc}")
            return 2
    _print(trace_told(found.kind, found.summary, found.charts).model_dump(mode="json"))
    return 0


def _text(path: Path) -> str:
    """A parameter file, whatever bytes its comments hold."""
    return path.read_text("utf-8", errors="replace")


def _disksim(args: argparse.Namespace) -> int:
    from capmodels.formats.chunks import FileRefused
    from capmodels.formats.disksim_files import with_named
    from capmodels.storage.calibration.disksim_drive import notes
    from capmodels.storage.calibration.disksim_read import drive_of_files

    folder = args.files[0].parent
    files = [*args.files, *(args.seeks or ()), *(args.settings or ())]

    def beside(name: str) -> str | None:
        path = folder / name
        return _text(path) if path.is_file() else None

    try:
        texts = with_named({path.name: _text(path) for path in files}, beside)
        found = drive_of_files(texts, args.disk)
    except (FileRefused, OSError) as exc:
        _say(str(exc))
        return 2
    for note in notes(found):
        _say(note)
    _print(found.drive.model_dump(mode="json"))
    return 0


def _entry(args: argparse.Namespace) -> int:
    from pydantic import TypeAdapter, ValidationError

    from capmodels.storage.drive.drives import Drive
    from capmodels.storage.drive.entry_out import entry_csv, entry_of

    try:
        said = json.loads(sys.stdin.read() if args.drive == "-" else _text(Path(args.drive)))
        said = said.get("result", said)
        drive = TypeAdapter[Any](Drive).validate_json(json.dumps(said.get("drive", said)))
    except (OSError, ValueError, AttributeError, RecursionError, ValidationError) as exc:
        _say(f"{args.drive}: no drive, nor a calibration ({str(exc).splitlines()[0]})")
        return 2
    entry = entry_of(drive)
    if entry.lost:
        _say(f"An entry has no field for, or another value of: {', '.join(entry.lost)}.")
    sys.stdout.write(entry_csv(args.slug, args.title or drive.name, entry, args.source))
    return 0


def _list(_args: argparse.Namespace) -> int:
    _print(
        [
            {"id": model.id, "version": model.version, "title": model.title}
            for model in registry.all_models()
        ]
    )
    return 0


def _causes(_args: argparse.Namespace) -> int:
    shown = ("id", "side", "label", "light", "dark")
    _print([{name: getattr(cause, name) for name in shown} for cause in CAUSES])
    return 0


def _providers(_args: argparse.Namespace) -> int:
    _print({one.id: one.title for one in PROVIDERS.values()})
    return 0


def _arrays(_args: argparse.Namespace) -> int:
    _print(array_start.start())
    return 0


def _schema(args: argparse.Namespace) -> int:
    if args.model is None:
        _print({model.id: _sides(model) for model in registry.all_models()})
    else:
        _print(_sides(registry.get_model(args.model)))
    return 0


def _sides(model: spec.AnyModel) -> dict[str, Any]:
    return {"params": spec.params_schema(model), "result": spec.result_schema(model)}


def _evaluate(args: argparse.Namespace) -> int:
    model = registry.get_model(args.model)
    try:
        text = sys.stdin.read() if args.params == "-" else Path(args.params).read_text("utf-8")
        document = json.loads(text)
    except (ValueError, RecursionError) as exc:
        _say(f"The params are not JSON: {exc}.")
        return 2
    result = spec.evaluate(model, document, spec.Context(seed=args.seed))
    _print(result.model_dump(mode="json"))
    return 0


def _checks(args: argparse.Namespace) -> int:
    """Print each row as it comes, and say what the shell waits for."""
    models = [registry.get_model(model_id) for model_id in args.models or registry.model_ids()]
    outcomes: Counter[spec.Outcome] = Counter()
    kinds: Counter[str] = Counter()
    told: set[str] = set()
    for model in models:
        if not model.instant:
            _say_cold(model.id.partition(".")[0], told)
        for check in model.checks:
            row = spec.run_check(model, check)
            if args.json:
                sys.stdout.write(
                    ("," if outcomes else "[") + "\n" + json.dumps(row, allow_nan=False)
                )
            else:
                _say_row(row)
            sys.stdout.flush()
            outcomes[row["outcome"]] += 1
            kinds[row["kind"]] += 1
    if args.json:
        sys.stdout.write("\n]\n" if outcomes else "[]\n")
    told_kinds = ", ".join(f"{kinds[kind]} {kind}" for kind in get_args(spec.Kind))
    told_outcomes = ", ".join(
        f"{outcomes[outcome]} {spec.outcome_said(outcome)}" for outcome in get_args(spec.Outcome)
    )
    _say(f"{told_outcomes}: {told_kinds}")
    return 1 if outcomes["differs"] else 0


def _say_cold(family: str, told: set[str]) -> None:
    """Say once of a family that its simulators are compiled first, where nothing was yet."""
    cache = os.environ.get("NUMBA_CACHE_DIR")
    kernels = Path(cache) if cache else Path(__file__).parent / family
    if family in KERNELS and family not in told and not any(kernels.rglob("*.nbi")):
        _say(f"{family}: compiling its simulators, which takes a minute or two once.")
    told.add(family)


def _say_row(row: dict[str, Any]) -> None:
    printed = row["printed"] or f"{row['published']} (worked out)"
    figures = f"printed {printed}  ours {row['ours']}  +/- {row['tolerance']:g}"
    where = f"{row['kind']:10} {row['model']:28} {row['check']:5}"
    sys.stdout.write(f"{row['said']:13} {where} {row['title']}: {figures}\n")


def _print(value: Any) -> None:
    sys.stdout.write(json.dumps(value, indent=1, allow_nan=False) + "\n")


def _say(text: str) -> None:
    sys.stderr.write(text + "\n")


if __name__ == "__main__":
    sys.exit(main())
