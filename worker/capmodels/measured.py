"""Values of published checks that were kept, for their data are not shipped."""

from __future__ import annotations

from dataclasses import dataclass

from capmodels.numbers import stated_day

CheckValue = float | bool | str


@dataclass(frozen=True, slots=True)
class Measured:
    """What a check gave when its data were at hand, which are not shipped.

    ``version`` is the model's that gave it: a newer one has to be asked again. ``needs`` says
    what data they are, and how to ask.
    """

    ours: CheckValue
    version: str
    as_of: str
    needs: str

    def __call__(self) -> CheckValue:
        """Return what was kept."""
        return self.ours

    @property
    def said(self) -> str:
        """When it was measured, of which version, and what it needs."""
        return f"Measured {stated_day(self.as_of)}, version {self.version}. {self.needs}"
