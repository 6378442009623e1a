"""Teams, accounts or tags that share the cost of a study's work."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from capmodels.numbers import percent
from capmodels.plans.document.fields import Finding, Name, unique, unused
from capmodels.spec import Params
from capmodels.units import Fraction

# A sum of shares typed to four decimals.
SLACK = 1e-6


class Team(Params):
    """What a team, an account or a tag uses of the work."""

    name: Name = Field(title="Team, account or tag")
    compute_fraction: Fraction = unused("Share of computing", "Of the busy cores, on average.")
    storage_fraction: Fraction = unused("Share of storage", "Of all data stored, on average.")


Teams = Annotated[
    tuple[Team, ...],
    Field(
        title="Showback",
        description="Teams, accounts or tags that share the cost. What none of them uses is "
        "told as not assigned.",
        max_length=40,
    ),
]

_KINDS = (("compute_fraction", "computing"), ("storage_fraction", "storage"))


def team_findings(teams: tuple[Team, ...]) -> list[Finding]:
    """Find names that stand twice, and shares that add up to more than all there is."""
    findings = unique([team.name for team in teams], ("teams",), "name")
    for field, what in _KINDS:
        total = sum(getattr(team, field) for team in teams)
        if total > 1.0 + SLACK:
            sentence = (
                f"The teams use {percent(total)} of {what} together. Enter shares that add up to "
                "at most 100%."
            )
            findings.append(Finding(("teams", len(teams) - 1, field), "above_all", sentence))
    return findings
