"""Rule 13: transfer. The same amounts move in every design, each at its own tariff."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.check.rule import Change, Found, Rule, clouds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec


def find(study: StudySpec) -> Iterator[Found]:
    """Copies, data taken along and data taken out at the end that only some designs move."""
    yield from _copied(study)
    yield from _moved_out(study)
    yield from _left_behind(study)


def _copied(study: StudySpec) -> Iterator[Found]:
    """Copies to the instances, in TB a year."""
    amounts = {d.letter: d.copying.data_tb * d.copying.times_per_year for d in clouds(study)}
    most = max(amounts, key=lambda letter: amounts[letter], default="")
    for letter, amount in amounts.items():
        if amount < amounts[most]:
            like = next(d.copying for d in clouds(study) if d.letter == most)
            at = f"/designs/{letter}/copying"
            yield Found(
                f"{at}/data_tb",
                f"{most} copies {amounts[most]:g} TB a year to its instances, {letter} {amount:g} "
                f"TB for the same work. Fix: the copies of {most}.",
                (
                    Change(f"{at}/data_tb", like.data_tb),
                    Change(f"{at}/times_per_year", like.times_per_year),
                ),
            )


def _moved_out(study: StudySpec) -> Iterator[Found]:
    """Data that designs take along from the same place."""
    most: dict[str, float] = {}
    moves = [(d.letter, d.migration) for d in study.designs if d.migration.parallel_letter]
    for _, move in moves:
        origin = str(move.parallel_letter)
        most[origin] = max(most.get(origin, 0.0), move.exit_tb)
    for letter, move in moves:
        origin = str(move.parallel_letter)
        if move.exit_tb < most[origin]:
            at = f"/designs/{letter}/migration/exit_tb"
            place = "what runs today" if origin == "T" else origin
            yield Found(
                at,
                f"{letter} takes {move.exit_tb:g} TB out of {place}, another design takes "
                f"{most[origin]:g} TB out of the same place. Fix: the same data, each at its "
                "price.",
                (Change(at, most[origin]),),
            )


def _left_behind(study: StudySpec) -> Iterator[Found]:
    """Leaving at the end of the horizon, counted in some clouds only."""
    counted = [d.letter for d in clouds(study) if d.exit.counted]
    for design in clouds(study):
        if counted and not design.exit.counted:
            at = f"/designs/{design.letter}/exit/counted"
            yield Found(
                at,
                f"{counted[0]} takes its data out at the end, {design.letter} leaves it there. "
                "Fix: all take it out, each at its own price.",
                (Change(at, True),),
            )


RULE = Rule(13, "Same data moved", find)
