"""The rules, in the order of their numbers."""

from __future__ import annotations

from capmodels.plans.check.rules import (
    availability,
    carbon,
    commitments,
    copies,
    dates,
    delivery,
    elasticity,
    end,
    financing,
    foresight,
    inflation,
    introductory,
    licences,
    life,
    migration,
    negotiated,
    not_counted,
    power,
    ranges,
    staff,
    support,
    tax,
    today,
    transfer,
    units,
    work,
)

RULES = tuple(
    sorted(
        (
            module.RULE
            for module in (
                availability,
                carbon,
                commitments,
                copies,
                dates,
                delivery,
                elasticity,
                end,
                financing,
                foresight,
                inflation,
                introductory,
                licences,
                life,
                migration,
                negotiated,
                not_counted,
                power,
                ranges,
                staff,
                support,
                tax,
                today,
                transfer,
                units,
                work,
            )
        ),
        key=lambda rule: rule.number,
    )
)
